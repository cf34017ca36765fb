/** Builds `dist/` before the suites that start the real programs, once per test run. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

let isBuilt = false;

export default function setup(): void {
  if (isBuilt) return;
  isBuilt = true;
  const root = join(import.meta.dirname, "..");
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts"], { cwd: root, stdio: "inherit" });
}
