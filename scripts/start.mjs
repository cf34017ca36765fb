/**
 * `npm start`: installs and builds whatever is missing, then checks the given paths, or by default the examples. Arguments are
 * those of `gpu-qualifiers check`; paths count from the folder in which npm was called.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import "./prepare.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const node = process.execPath;

const built = spawnSync(node, ["--import", "tsx", "scripts/build.ts"], { cwd: root, stdio: ["ignore", 2, 2] });
if (built.status !== 0) process.exit(2);

const given = process.argv.slice(2);
const isDemonstration = given.length === 0;
const checked = spawnSync(node, [join(root, "dist/cli.js"), "check", ...(isDemonstration ? ["examples"] : given)], {
  cwd: isDemonstration ? root : (process.env.INIT_CWD ?? process.cwd()),
  stdio: "inherit",
});
// The examples are full of mistakes on purpose: finding them is success.
process.exit(isDemonstration && checked.status === 1 ? 0 : (checked.status ?? 2));
