/**
 * Completion, the view *GPU Memory* and the hover of a launch in the light, dark and high contrast themes of a real VS Code in a headless
 * browser, for people who look at the pictures.
 */
import { describe, expect, it } from "vitest";
import { isThorough } from "../effort.ts";
import { unless } from "../skips.ts";
import { hasBrowser, withoutBrowser } from "./browser.ts";
import { picture } from "./pictures.ts";
import { shareWindow } from "./window.ts";

const files = {
  "a.cu":
    "__global__ void run(float *out) {\n  __shared__ float tile[64];\n  out[0] = tile[0];\n}\nvoid go(float *out) {\n  run<<<2, 64>>>(out);\n}\n",
  "blur.cl": "kernel void blur(global float *image) {\n  local float tile[64];\n  image[0] = tile[0];\n}\n",
};

const themes = ["Default Light Modern", "Default Dark Modern", "Default High Contrast", "Default High Contrast Light"];
// They take a minute each, and the suites ask for the same answers.
const inUsualRuns = unless(isThorough, "only npm run thorough takes pictures in four themes");

describe.skipIf(!hasBrowser || !isThorough).each(themes)(`the theme %s${withoutBrowser}${inUsualRuns}`, (theme) => {
  const settings = JSON.stringify({ "workbench.colorTheme": theme, "editor.quickSuggestions": { other: true } });
  const window = shareWindow({ ...files, ".vscode/settings.json": settings }, { width: 1280, height: 900 });

  it("shows completion, the memory of kernels and a launch", async () => {
    const { page } = window;
    const name = theme.toLowerCase().replaceAll(" ", "-");
    await window.open("blur.cl");
    await page.locator(".codelens-decoration", { hasText: "local memory" }).first().waitFor();
    await page.locator(".pane-header", { hasText: "GPU Memory" }).click();
    await page.locator(".pane .monaco-list-row", { hasText: "blur.cl:1" }).first().waitFor();
    await page.locator(".monaco-editor .view-line", { hasText: "image[0]" }).first().click();
    await page.keyboard.press("End");
    await page.keyboard.type("\nim");
    await page.keyboard.press("Control+Space");
    const rows = page.locator(".suggest-widget:visible .monaco-list-row");
    await rows.filter({ hasText: "image" }).first().waitFor();
    expect(await rows.first().innerText()).toContain("image");
    await picture(page, `completion-${name}`);
    await page.keyboard.press("Escape");

    await window.open("a.cu");
    await page.locator(".monaco-editor .view-line", { hasText: "run<<<2, 64>>>" }).first().click();
    await page.keyboard.press("Home");
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    await page.locator(".monaco-hover:visible", { hasText: "64 threads" }).first().waitFor();
    await picture(page, `launch-${name}`);
  });
});
