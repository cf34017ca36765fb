/**
 * `npm run code [FOLDER]`: opens VS Code in the browser with the extension, on the examples or on a given folder. With
 * `BROWSER=none` it only serves the page.
 */
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { freePort } from "./ports.ts";
import { serveVSCode } from "./vscode-web.ts";

const given = process.argv[2];
const folder = given === undefined ? join(import.meta.dirname, "../examples") : resolve(process.env.INIT_CWD ?? process.cwd(), given);
const testsPath = join(import.meta.dirname, "../.cache/first-look/index.js");
await build({
  entryPoints: [join(import.meta.dirname, "first-look.ts")],
  outfile: testsPath,
  bundle: true,
  format: "cjs",
  platform: "browser",
  external: ["vscode"],
  logLevel: "warning",
});
const wanted = Number(process.env.PORT ?? 3000);
const port = await freePort(wanted);
if (port !== wanted) console.log(`port ${wanted} is busy`);
const { url } = await serveVSCode({ folder, testsPath, port });
console.log(`\nVS Code with gpu-qualifiers on ${folder}: ${url}\nChanges stay in memory. Ctrl+C ends it.`);

const [command, ...args] = process.platform === "darwin" ? ["open"] : process.platform === "win32" ? ["cmd", "/c", "start"] : ["xdg-open"];
if (command !== undefined && process.env.BROWSER !== "none")
  spawn(command, [...args, url], { stdio: "ignore" }).on("error", () => console.log("Open that address in a browser."));
