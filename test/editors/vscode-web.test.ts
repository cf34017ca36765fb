/**
 * A real VS Code in a headless browser with the extension in its web worker: once through the editor's API, and once as a
 * user sees it. Pictures are kept in `.cache/screenshots`; with UPDATE_IMAGES=1 those of the README are made anew.
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

const blur = `constant float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};

static float sum(float *row, int count) {
  float result = 0;
  for (int i = 0; i < count; ++i) result += row[i];
  return result;
}

kernel void blur(constant float *bias, global float *image, int width) {
  local float tile[256];
  tile[get_local_id(0)] = image[get_global_id(0)] * weights[4];
  barrier(CLK_LOCAL_MEM_FENCE);
  image[get_global_id(0)] = sum(tile, 9) + bias[0];
}
`;

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

  /** A picture of the whole window, and of the part that the README shows. */
  async function picture(
    name: string,
    image?: {
      readonly name: string;
      readonly clip: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
    },
  ): Promise<void> {
    // Menus and hovers fade in.
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
    if (image !== undefined && process.env.UPDATE_IMAGES === "1")
      await page.screenshot({ path: join(root, `client/images/${image.name}.png`), clip: image.clip });
  }

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  it("shows diagnostics, applies fixes and knows files that are not open", async () => {
    write(suiteFiles);
    const testsPath = join(root, ".cache/editor-suite/index.js");
    await build({
      entryPoints: [join(import.meta.dirname, "suite.ts")],
      outfile: testsPath,
      bundle: true,
      format: "cjs",
      platform: "browser",
      external: ["vscode"],
      logLevel: "silent",
    });
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
    await picture("1-squiggle");

    const box = await squiggle.boundingBox();
    if (box === null) throw new Error("the squiggle has no place");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 - 3 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.move(middle.x + 2, middle.y);
    const hover = page.locator(".monaco-hover:visible", { hasText: "grid-constant-non-const" });
    await hover.first().waitFor();
    expect(await hover.first().innerText()).toContain("is not const");
    await picture("2-hover", { name: "hover", clip: { x: 366, y: 92, width: 820, height: 310 } });

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
    await picture("3-quick-fix", { name: "quick-fix", clip: { x: 366, y: 92, width: 700, height: 190 } });
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".monaco-editor .squiggly-error").length === 0);
    const text = (await page.locator(".monaco-editor .view-lines").first().innerText()).replaceAll("\u00a0", " ");
    expect(text).toContain("const __grid_constant__ S s");
    await picture("4-fixed");
  });

  it("shows what is not written: spaces of pointers, bytes of kernels, and what a word means", async () => {
    write({ "blur.cl": blur, "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }\n' });
    served = await serveVSCode({ folder });
    await page.goto(served.url, { waitUntil: "domcontentloaded" });
    await page.waitForSelector(".monaco-workbench");
    await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "blur.cl" }).first().dblclick();
    await page.locator(".monaco-editor .codelens-decoration", { hasText: "of 8 constant arguments" }).first().waitFor();
    await page
      .locator(".monaco-editor .view-line", { hasText: /generic\s*float\s\*row/ })
      .first()
      .waitFor();
    const word = page.locator(".monaco-editor .view-line span span", { hasText: /^constant$|weights/ }).first();
    const box = await word.boundingBox();
    if (box === null) throw new Error("the word has no place");
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.mouse.move(box.x + 24, box.y + box.height / 2);
    const hover = page.locator(".monaco-hover:visible", { hasText: "seen by every work-item" });
    await hover.first().waitFor();
    await picture("5-beside");
    await page.keyboard.press("Escape");
    await page.mouse.move(600, 600);
    await picture("5-hints", { name: "hints", clip: { x: 366, y: 92, width: 800, height: 300 } });

    await page.locator(".monaco-editor .view-line", { hasText: "row" }).first().click();
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input[type=text]").fill(">GPU Qualifiers: Choose");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "CL1.2" }).first().waitFor();
    await picture("6-choose");
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "CL1.2" }).first().click();
    await page.locator(".monaco-editor .squiggly-error").first().waitFor();
    await picture("7-chosen");
  });
});
