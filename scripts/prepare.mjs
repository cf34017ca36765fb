/**
 * Makes sure that `node_modules` matches `package-lock.json`, and installs the packages if they are missing or outdated. Plain
 * JavaScript without dependencies, because it runs on a fresh clone before anything is installed.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** True if every package in the lock file is installed in the same version. Optional packages may be for other systems. */
function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const present = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
    return Object.entries(wanted).every(
      ([path, entry]) => path === "" || entry.optional || entry.link || present[path]?.version === entry.version,
    );
  } catch {
    return false;
  }
}

if (!isInstalled()) {
  console.error("Installing the packages of package-lock.json …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    // Standard output belongs to the command that needs the packages.
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
    env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" },
  });
  if (status !== 0) {
    console.error("npm ci failed: the messages above say why.");
    process.exit(1);
  }
}
