/**
 * Checks the supply chain: whether the registry reports a vulnerability in a package, and whether the committed parser is the one
 * that its source gives, if the compilers are installed. Checks that are not possible are reported. `npm run supply-chain`
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32", ...options });
const has = (command) => run(command, ["--version"]).status === 0;

let isSound = true;

// Everything is bundled, so users may run what counts as a development dependency.
const { stdout } = run("npm", ["audit", "--json", "--audit-level=high"]);
const vulnerabilities = vulnerabilitiesIn(stdout);
if (vulnerabilities === undefined)
  console.log("packages: not looked at, because the registry does not answer questions about vulnerabilities");
else {
  const grave = Object.values(vulnerabilities).filter(({ severity }) => severity === "high" || severity === "critical");
  for (const { name, severity, range } of grave) console.error(`packages: ${name} ${range} is vulnerable (${severity})`);
  console.log(`packages: ${Object.keys(vulnerabilities).length} known to be vulnerable, ${grave.length} of them gravely`);
  if (grave.length > 0) isSound = false;
}

if (!has("clang-22") || !has("wasm-ld-22")) console.log("parser: not built again, because clang-22 or lld-22 is missing");
else {
  const { status } = run("npx", ["tsx", "grammars/verify.mts"], { stdio: "inherit" });
  if (status === 3) console.log("parser: not built again, because its generator cannot be had");
  else if (status !== 0) {
    console.error("parser: the committed wasm is not what its source gives");
    isSound = false;
  }
}

process.exitCode = isSound ? 0 : 1;

function vulnerabilitiesIn(text) {
  try {
    return JSON.parse(text).vulnerabilities;
  } catch {
    return undefined;
  }
}
