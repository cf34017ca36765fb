/**
 * Makes sure that `node_modules` matches `package-lock.json`, and installs the packages if they are missing or outdated: those that
 * the build needs, or with the argument `tests` also those of `test/package.json`. Plain JavaScript without dependencies, because it
 * runs on a fresh clone before anything is installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
// Where the tests' packages are installed already, they stay.
const withTests = process.argv[2] === "tests" || existsSync(join(root, "node_modules/vitest"));

/** The paths of the packages in a lock file that the build needs, each found as Node finds it: in its user's folder or in one above. */
function neededByBuild(packages) {
  const found = new Set();
  const add = (user) => {
    const { dependencies, devDependencies } = packages[user];
    for (const name of Object.keys({ ...dependencies, ...(user === "" ? devDependencies : {}) })) {
      let folder = user;
      while (folder !== "" && !(`${folder}/node_modules/${name}` in packages))
        folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, "");
      const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
      if (found.has(path) || !(path in packages)) continue;
      found.add(path);
      add(path);
    }
  };
  add("");
  return [...found];
}

/** True if every needed package in the lock file is installed in the same version. Optional packages may be for other systems. */
function isInstalled() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const present = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
    const paths = withTests ? Object.keys(wanted).filter((path) => path.startsWith("node_modules/")) : neededByBuild(wanted);
    return paths.every((path) => wanted[path].optional || wanted[path].link || present[path]?.version === wanted[path].version);
  } catch {
    return false;
  }
}

if (!isInstalled()) {
  console.error("Installing the packages of package-lock.json …");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  // No package needs its install script; that of the project itself would build.
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", ...(withTests ? ["--workspaces", "--include-workspace-root"] : [])];
  const { status } = spawnSync(npm, ["ci", ...options], {
    cwd: root,
    // Standard output belongs to the command that needs the packages.
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed: the messages above say why.");
    process.exit(1);
  }
}
