/**
 * `npm run tour`: records the README's animated picture, `client/images/tour.png`, in a real VS Code in a headless browser:
 * OpenCL while it is typed, with its finding, reason and fix, then a refactoring of a CUDA kernel in two files. Requires
 * Chromium.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium, type Locator } from "playwright-core";
import { serveVSCode } from "../vscode-web.ts";
import { decodePng, encodePng, type Frame } from "./png.ts";

const target = join(import.meta.dirname, "../../client/images/tour.png");
const files = {
  ".vscode/settings.json": JSON.stringify({
    "workbench.startupEditor": "none",
    "workbench.activityBar.location": "hidden",
    "workbench.layoutControl.enabled": false,
    "window.commandCenter": false,
    "breadcrumbs.enabled": false,
    "editor.minimap.enabled": false,
    "editor.cursorBlinking": "solid",
    "editor.hover.delay": 100,
    "files.exclude": { ".vscode": true, "gpu-qualifiers.json": true },
  }),
  "gpu-qualifiers.json": '{ "opencl": { "standard": "CL1.2" } }\n',
  "blur.cl": `constant float weights[3] = {0.25f, 0.5f, 0.25f};

kernel void blur(global const float *in, global float *out, local float *tile) {
  int lane = get_local_id(0);
  tile[lane] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  
  out[get_global_id(0)] = weights[0] * tile[lane] + weights[1] * tile[lane + 1];
}
`,
  "run.cuh": `#pragma once
#define GRID_CONSTANT __grid_constant__
struct Params { float table[101]; };

__global__ void run(const Params params, float *out);
`,
  "run.cu": `#include "run.cuh"

__global__ void run(const Params params, float *out) {
  out[threadIdx.x] = params.table[threadIdx.x];
}
`,
};

const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
const served = await serveVSCode({ folder });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 900, height: 500 } });
const frames: Frame[] = [];

async function frame(milliseconds: number): Promise<void> {
  // Menus and hovers fade in.
  await page.waitForTimeout(800);
  frames.push({ picture: decodePng(await page.screenshot()), milliseconds });
}

async function open(name: string): Promise<void> {
  await page
    .locator(".explorer-folders-view .monaco-list-row", { has: page.getByText(name, { exact: true }) })
    .first()
    .dblclick();
  await page.locator(".tab.active", { hasText: name }).waitFor();
  await page.locator(".monaco-editor .codelens-decoration").first().waitFor();
}

async function goTo(place: string): Promise<void> {
  await page.keyboard.press("Control+G");
  const input = page.locator(".quick-input-widget input[type=text]");
  await input.fill(`:${place}`);
  await page.keyboard.press("Enter");
  await input.waitFor({ state: "hidden" });
}

/** Presses the keys until their effect is visible, because a late change of focus closes menus. */
async function pressFor(keys: readonly string[], wanted: Locator): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    for (const key of keys) await page.keyboard.press(key);
    if (
      await wanted.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      )
    )
      return;
    await page.keyboard.press("Escape");
  }
  throw new Error(`${keys.join(" ")} opens nothing`);
}

await page.goto(served.url, { waitUntil: "domcontentloaded" });
await page.waitForSelector(".monaco-workbench");
// A headless browser blocks resources of VS Code's web views, and VS Code reports that.
await page.addStyleTag({ content: ".notifications-toasts { display: none !important; }" });
await open("blur.cl");
await goTo("7:3");
await frame(2000);
await page.keyboard.type("float *next = tile + 1;", { delay: 20 });
await page.keyboard.press("Escape");
const squiggle = page.locator(".monaco-editor .squiggly-error").first();
// Findings at the word that is being typed wait until the cursor is elsewhere.
await goTo("5:1");
await squiggle.waitFor();
await frame(2000);
await goTo("7:20");
await pressFor(["Control+K", "Control+I"], page.locator(".monaco-hover:visible", { hasText: "address space" }).first());
// The animation repeats, so it may begin anywhere. Viewers that do not animate it show the first frame: a mistake and its reason.
const start = frames.length;
await frame(4000);
await page.keyboard.press("Escape");
const fix = page.locator(".action-widget .monaco-list-row").first();
await pressFor(["Control+."], fix);
await frame(3000);
await page.keyboard.press("Enter");
await squiggle.waitFor({ state: "hidden" });
await page
  .locator(".monaco-editor .view-line", { hasText: /private/ })
  .first()
  .waitFor({ state: "hidden" });
await frame(2500);

await open("run.cu");
await goTo("3:34");
await frame(1500);
await page.mouse.move(600, 400);
const refactoring = page.locator(".action-widget .monaco-list-row", { hasText: "2 declarations in 2 files" }).first();
await pressFor(["Control+Shift+R"], refactoring);
await frame(3000);
await page.keyboard.press("Control+Enter");
await page.locator(".bulk-edit-panel", { hasText: "run.cuh" }).first().waitFor();
await frame(3500);
await page.locator(".monaco-button", { hasText: "Apply" }).first().click();
await page.locator(".view-line", { hasText: "GRID_CONSTANT" }).first().waitFor();
await frame(3000);

await browser.close();
served.dispose();
rmSync(folder, { recursive: true, force: true });
const picture = encodePng([...frames.slice(start), ...frames.slice(0, start)]);
writeFileSync(target, picture);
console.log(`${target}: ${frames.length} frames, ${picture.length} bytes`);
if (process.env.FRAMES !== undefined)
  for (const [index, each] of frames.entries()) writeFileSync(join(process.env.FRAMES, `tour-${index}.png`), encodePng([each]));
process.exit(0);
