/**
 * A real VS Code in a headless browser with the extension in its web worker: once through the editor's API, and once as a
 * user sees it. Pictures are kept in `.cache/screenshots`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ServedVSCode, serveVSCode } from "../../scripts/vscode-web.ts";
import { hasBrowser, launchBrowser, suiteFiles, withoutBrowser } from "./browser.ts";

const root = join(import.meta.dirname, "../..");
const pictures = join(root, ".cache/screenshots");
const nonConst = "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s, int *out) {\n  out[0] = s.a[0];\n}\n";

describe.skipIf(!hasBrowser)(`VS Code in a browser${withoutBrowser}`, () => {
  let browser: Browser;
  let folder: string;
  let page: Page;
  let served: ServedVSCode | undefined;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  });
  afterEach(async () => {
    await page.context().close();
    served?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  it("shows diagnostics, applies fixes and knows files that are not open", async () => {
    write(suiteFiles);
    const testsPath = join(root, ".cache/editor-suite/index.js");
    await build({ entryPoints: [join(import.meta.dirname, "suite.ts")], outfile: testsPath, bundle: true, format: "cjs", platform: "browser", external: ["vscode"], logLevel: "silent" });
    served = await serveVSCode({ folder, testsPath });

    const lines: string[] = [];
    const outcome = new Promise<unknown>((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
    await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => void lines.push(args.map(String).join(" ")));
    await page.goto(served.url);
    const code = await outcome;
    if (code !== 0) await page.screenshot({ path: join(pictures, "api-failure.png") });
    expect(code, lines.join("\n")).toBe(0);
  });

  it("underlines a mistake, explains it under the pointer, and fixes it from the keyboard", async () => {
    write({ "kernel.cu": nonConst });
    served = await serveVSCode({ folder });
    await page.goto(served.url, { waitUntil: "domcontentloaded" });
    await page.waitForSelector(".monaco-workbench");
    const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "kernel.cu" });
    await row.first().dblclick();
    const squiggle = page.locator(".monaco-editor .squiggly-error").first();
    await squiggle.waitFor();
    await page.screenshot({ path: join(pictures, "1-squiggle.png") });

    const box = await squiggle.boundingBox();
    if (box === null) throw new Error("the squiggle has no place");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 - 3 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.move(middle.x + 2, middle.y);
    const hover = page.locator(".monaco-hover:visible", { hasText: "grid-constant-non-const" });
    await hover.first().waitFor();
    expect(await hover.first().innerText()).toContain("is not const");
    await page.screenshot({ path: join(pictures, "2-hover.png") });

    await page.keyboard.press("Escape");
    await page.mouse.click(middle.x, middle.y);
    const action = page.locator(".action-widget .monaco-list-row", { hasText: "const" });
    // A late change of focus, while the workbench still starts, closes the menu.
    for (let attempt = 0; attempt < 5; attempt++) {
      await page.keyboard.press("Control+.");
      const isOpen = await action
        .first()
        .waitFor({ timeout: 4000 })
        .then(() => true)
        .catch(() => false);
      if (isOpen) break;
      await page.keyboard.press("Escape");
    }
    await page.screenshot({ path: join(pictures, "3-quick-fix.png") });
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".monaco-editor .squiggly-error").length === 0);
    const text = (await page.locator(".monaco-editor .view-lines").first().innerText()).replaceAll("\u00a0", " ");
    expect(text).toContain("const __grid_constant__ S s");
    await page.screenshot({ path: join(pictures, "4-fixed.png") });
  });
});
