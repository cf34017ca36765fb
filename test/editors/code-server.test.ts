/**
 * The packaged extension in VS Code's Node extension host, in a browser window: the same suites as in the web worker, and tests of
 * what only a screen shows. `scripts/install-code-server.sh` installs the host; without it the tests are skipped.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { packageExtension } from "../../scripts/package.ts";
import { rules } from "../../server/src/rules/index.ts";
import { hasBrowser, launchBrowser } from "./browser.ts";
import { type CodeServer, hasCodeServer, startCodeServer, vsix } from "./code-server.ts";
import { filesOfSuites } from "./suites/files.ts";
import { bundleSuites, outcomeOf, suites } from "./suites.ts";

const root = join(import.meta.dirname, "../..");
const pictures = join(root, ".cache/screenshots");
const missing = !hasBrowser ? "there is no chromium" : hasCodeServer ? undefined : "scripts/install-code-server.sh installs the host";

describe("the package", () => {
  it("is small and complete", () => {
    const { path, files } = packageExtension();
    expect(path).toBe(vsix);
    expect(statSync(path).size).toBeLessThan(1_900_000);
    for (const name of [
      "package.json",
      "README.md",
      "CHANGELOG.md",
      "LICENSE",
      "docs/editors.md",
      "client/icon.png",
      "dist/client-desktop-later.cjs",
      "dist/server-node.js",
      "dist/server-browser.js",
      "dist/clangd-file.cjs",
      "dist/tree-sitter-gpu.wasm",
      "dist/gpu-qualifiers.schema.json",
      "dist/third-party-notices.txt",
      "dist/docs/address-space-cast.md",
    ]) {
      expect(files).toContain(name);
    }
    for (const [, picture = ""] of readFileSync(join(root, "package.json"), "utf8").matchAll(/"image": "([^"]+)"/g))
      expect(files).toContain(picture);
    expect(files.filter((path) => /^(server|test|scripts|node_modules|examples)\//.test(path))).toEqual([]);
    // Every window with C, C++ or Python loads this file.
    expect(statSync(join(root, "dist/client-desktop.cjs")).size).toBeLessThan(10_000);
    // The servers in Node and in a browser's worker share one core.
    const texts = files.filter((path) => /^dist\/[^/]+js$/.test(path)).map((path) => readFileSync(join(root, path), "utf8"));
    for (const { id } of rules) expect([id, texts.filter((text) => text.includes(`id:"${id}"`)).length]).toEqual([id, 1]);
  });
});

describe.skipIf(missing !== undefined)(`VS Code's Node extension host${missing === undefined ? "" : ` (skipped: ${missing})`}`, () => {
  let browser: Browser;
  let host: CodeServer | undefined;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  afterEach(() => {
    host?.dispose();
    host = undefined;
  });
  afterAll(() => browser?.close());

  async function newPage(): Promise<Page> {
    return (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  }

  it.each(suites)("runs the packaged extension: %s", async (suite) => {
    host = await startCodeServer(filesOfSuites[suite], undefined);
    const { port, at } = host;
    // The tests are a separate extension, so that nothing but the package is tested.
    mkdirSync(at("tests"));
    writeFileSync(
      at("tests/package.json"),
      JSON.stringify({
        name: "tests",
        publisher: "tests",
        version: "0.0.1",
        engines: { vscode: "*" },
        extensionKind: ["workspace"],
        capabilities: { untrustedWorkspaces: { supported: true } },
      }),
    );
    await bundleSuites([suite], at("tests/index.js"), "node");

    const remote = (path: string) => `vscode-remote://127.0.0.1:${port}${at(path)}`;
    const payload = JSON.stringify([
      ["extensionDevelopmentPath", remote("tests")],
      ["extensionTestsPath", remote("tests/index.js")],
    ]);
    const page = await newPage();
    const url = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(at("workspace"))}&payload=${encodeURIComponent(payload)}`;
    const { code, lines } = await outcomeOf(page, url);
    await page.screenshot({ path: join(pictures, `code-server-${suite}.png`) });
    expect(code, lines.join("\n")).toBe(0);
  });

  const wrong = (kernel: string) =>
    `struct S { int a[4]; };\n__global__ void ${kernel}(__grid_constant__ S s, int *out) {\n  *out = s.a[0];\n}\n`;

  it("shows hovers, a preview of edits in other files, pages of rules and its own page", async () => {
    host = await startCodeServer({ "one.cu": wrong("one"), "two.cu": wrong("two") }, { "workbench.colorTheme": "Default Dark Modern" });
    const { port, at } = host;
    const page = await newPage();
    const picture = async (name: string) => {
      // Menus and hovers fade in.
      await page.waitForTimeout(600);
      await page.screenshot({ path: join(pictures, `code-server-${name}.png`) });
    };
    const command = async (title: string) => {
      await page.keyboard.press("F1");
      await page.locator(".quick-input-widget input[type=text]").fill(`>${title}`);
      await page.locator(".quick-input-widget .monaco-list-row", { hasText: title }).first().waitFor();
      await page.keyboard.press("Enter");
    };
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(at("workspace"))}`);
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "one.cu" }).first().dblclick();
    const squiggle = page.locator(".monaco-editor .squiggly-error").first();
    await squiggle.waitFor();
    const box = await squiggle.boundingBox();
    if (box === null) throw new Error("the squiggle has no place");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height - 6 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.move(middle.x + 2, middle.y);
    await page.locator(".monaco-hover:visible", { hasText: "lives as long as the grid" }).first().waitFor();
    await picture("1-hover");

    await page.keyboard.press("Escape");
    await page.mouse.click(middle.x, middle.y);
    const everywhere = page.locator(".action-widget .monaco-list-row", { hasText: "in the workspace" });
    // The other file is found by the background check.
    for (let attempt = 0; attempt < 10; attempt++) {
      await page.keyboard.press("Control+.");
      if (
        await everywhere
          .first()
          .waitFor({ timeout: 2000 })
          .then(
            () => true,
            () => false,
          )
      )
        break;
      await page.keyboard.press("Escape");
    }
    await picture("2-quick-fix");
    const focused = page.locator(".action-widget .monaco-list-row.focused");
    while (!(await focused.innerText()).includes("in the workspace")) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const preview = page.locator(".bulk-edit-panel");
    await preview.locator(".monaco-list-row", { hasText: "two.cu" }).waitFor();
    await preview
      .locator(".monaco-list-row", { hasText: "two.cu" })
      .locator("input[type=checkbox], .monaco-custom-toggle, .monaco-checkbox")
      .first()
      .click();
    await picture("3-preview");
    await preview.getByRole("button", { name: "Apply" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".monaco-editor .squiggly-error").length === 0);
    await expect.poll(() => readFileSync(at("workspace/two.cu"), "utf8"), { timeout: 10_000 }).toContain("two(const __grid_constant__ S s");

    await command("GPU Qualifiers: Explain Rule");
    await page.locator(".quick-input-widget input[type=text]").fill("grid-constant-mismatch");
    await page.keyboard.press("Enter");
    const inFrame = (text: string) =>
      page.frameLocator("iframe.webview.ready").last().frameLocator("iframe").getByText(text).first().waitFor({ timeout: 30_000 });
    await inFrame("declarations of a kernel disagree");
    await picture("4-rule");

    await page.locator(".activitybar [aria-label^=Extensions]").first().click();
    await page.locator(".extensions-list .monaco-list-row", { hasText: "GPU Qualifiers" }).first().click();
    await inFrame("as you type: in");
    await picture("5-extension");
  });

  it("is not active until a file or a string contains a kernel", async () => {
    host = await startCodeServer({ "plain.cpp": "int main() { return 0; }\n", "host.cpp": filesOfSuites.findings["host.cpp"] ?? "" }, {});
    const { port, at } = host;
    const page = await newPage();
    await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(at("workspace"))}`);
    const open = (name: string) => page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first().dblclick();
    await open("plain.cpp");
    await page.locator(".monaco-editor .view-line", { hasText: "main" }).first().waitFor();
    await page.waitForTimeout(3_000);
    const servers = () =>
      execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes(at("extensions")) && line.includes("server-node.js"));
    expect(servers()).toEqual([]);
    await open("host.cpp");
    await page.locator(".monaco-editor .squiggly-error").first().waitFor();
    expect(servers()).toHaveLength(1);
  });
});
