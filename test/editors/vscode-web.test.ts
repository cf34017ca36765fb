/**
 * The extension in the web worker of a real VS Code in a headless browser, as a user sees it; `suites.test.ts` asks the editor's API.
 * UPDATE_IMAGES=1 updates the walkthrough's images.
 */
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { hasBrowser, withoutBrowser } from "./browser.ts";
import { picture } from "./pictures.ts";
import { shareWindow } from "./window.ts";

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

/** The folder that all tests share. */
const files = {
  "kernel.cu": "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s, int *out) {\n  out[0] = s.a[0];\n}\n",
  "blur.cl": blur,
  "colors.cl": `constant float weights[2] = {1, 2};
kernel void colors(global float *out, local float *tile, constant float *table) {
  float own;
  private float *mine = &own;
  generic float *any = tile;
  out[0] = tile[0] + table[0] + mine[0] + any[0] + weights[0];
}
`,
  "colors.cu": `struct P { float x; };
__constant__ float weights[2];
__device__ float store[2];
__global__ void colors(const __grid_constant__ P p) {
  __shared__ float tile[2];
  store[0] = tile[0] + weights[0] + p.x;
}
`,
  "host.cpp": `const char *source = R"CLC(
kernel void k(global float *out) {
  local float tile[64];
  out[0] = tile[0];
}
)CLC";
int after;
`,
  "wrapped.cl": `R"CLC(
kernel void k(global float *out) {
  local float tile[64];
}
)CLC"
`,
  "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }\n',
  "flags.cl": "kernel void f(global UNIT *g) {\n  local UNIT *l = (local UNIT *)g;\n}\n",
  ".clangd": "If: { PathMatch: .*flags[.]cl }\nCompileFlags: { Add: [-DUNIT=int] }\n",
  "run.cuh":
    "#pragma once\nstruct Params { float table[101]; };\n#define GRID_CONSTANT __grid_constant__\n__global__ void run(const Params params, float *out);\n",
  "run.cu":
    '#include "run.cuh"\n__global__ void run(const Params params, float *out) {\n  out[threadIdx.x] = params.table[threadIdx.x];\n}\n',
  "linked.cu":
    "struct S { int a[4]; };\n__constant__ int table[4];\n__global__ void k(__grid_constant__ S s, int *out) {\n  out[0] = s.a[0] + table[0];\n}\n",
  "new.cl": "kernel void fill(global float *out) {\n  \n}\n",
  "fill.cpp": 'const char *source = R"CLC(\nkernel void fill(global float *out) {\n  out[0] = get_global_size(0);\n  \n}\n)CLC";\n',
};

describe.skipIf(!hasBrowser)(`VS Code in a browser${withoutBrowser}`, () => {
  const window = shareWindow(files, { width: 1280, height: 800 });

  it("underlines a mistake, explains it under the pointer, and fixes it from the keyboard", async () => {
    const { page } = window;
    await window.open("kernel.cu");
    const squiggle = page.locator(".monaco-editor .squiggly-error").first();
    await squiggle.waitFor();
    await picture(page, "1-squiggle");

    const box = await squiggle.boundingBox();
    if (box === null) throw new Error("the squiggle has no place");
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 - 3 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.move(middle.x + 2, middle.y);
    const hover = page.locator(".monaco-hover:visible", { hasText: "grid-constant-non-const" });
    await hover.first().waitFor();
    expect(await hover.first().innerText()).toContain("is not const");
    await picture(page, "2-hover", { name: "hover", clip: { x: 366, y: 92, width: 820, height: 310 } });

    await page.keyboard.press("Escape");
    await page.mouse.click(middle.x, middle.y);
    // Moves the pointer off the word, whose hover would appear below the menu.
    await page.mouse.move(900, 700);
    await hover.first().waitFor({ state: "hidden" });
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
    await picture(page, "3-quick-fix", { name: "quick-fix", clip: { x: 366, y: 92, width: 700, height: 190 } });
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".monaco-editor .squiggly-error").length === 0);
    const text = (await page.locator(".monaco-editor .view-lines").first().innerText()).replaceAll("\u00a0", " ");
    expect(text).toContain("const __grid_constant__ S s");
    await picture(page, "4-fixed");
  });

  it("reads flags from '.clangd', with a bundle that Node's programs load later", async () => {
    await window.open("flags.cl");
    await window.page.locator(".monaco-editor .squiggly-error").first().waitFor();
  });

  /** The color of a word in the active editor; the last one if there are several. */
  async function colorOf(word: string): Promise<string> {
    return window.page.evaluate((wanted) => {
      const word = new RegExp(`\\b${wanted}\\b`);
      const spans = [...document.querySelectorAll(".monaco-editor .view-line span span")].filter((span) =>
        word.test(span.textContent ?? ""),
      );
      const last = spans.at(-1);
      return last === undefined ? `no ${wanted}` : getComputedStyle(last).color;
    }, word);
  }

  it("colors names by their memory, in OpenCL, CUDA and kernels in strings", async () => {
    const { page } = window;
    await window.open("colors.cl");
    /** The number of colors of these words, once all are shown. */
    const distinct = async (words: readonly string[]) => {
      const colors = await Promise.all(words.map(colorOf));
      return colors.some((color) => color.startsWith("no ")) ? 0 : new Set(colors).size;
    };
    await expect.poll(() => distinct(["out", "tile", "table", "mine", "any"]), { timeout: 30_000 }).toBe(5);
    await picture(page, "8-colors-opencl");
    await window.open("colors.cu");
    await expect.poll(() => distinct(["store", "tile", "weights"]), { timeout: 30_000 }).toBe(3);
    // The annotation has the color of the words around it.
    expect(await colorOf("__grid_constant__")).toBe(await colorOf("__shared__"));
    await picture(page, "9-colors-cuda");
    await window.open("host.cpp");
    await expect.poll(() => distinct(["kernel", "CLC"]), { timeout: 30_000 }).toBe(2);

    await picture(page, "10-colors-string");
    await expect.poll(() => distinct(["kernel", "local"]), { timeout: 30_000 }).toBe(1);
    await window.open("wrapped.cl");
    await expect.poll(() => distinct(["kernel", "local"]), { timeout: 30_000 }).toBe(1);
    await picture(page, "11-colors-wrapped");
  });

  it("annotates a kernel's parameter in all files with a preview, and completes OpenCL", async () => {
    const { page } = window;
    await window.open("run.cu");
    await page.locator(".monaco-editor .codelens-decoration", { hasText: "of parameters" }).first().waitFor();
    await page
      .locator(".monaco-editor .view-line span span", { hasText: /params/ })
      .first()
      .click();
    const action = page.locator(".action-widget .monaco-list-row", {
      hasText: "Add 'const __grid_constant__' as 'GRID_CONSTANT' (2 declarations in 2 files)",
    });
    for (let attempt = 0; attempt < 5; attempt++) {
      await page.keyboard.press("Control+Shift+R");
      const isOpen = await action
        .first()
        .waitFor({ timeout: 4000 })
        .then(
          () => true,
          () => false,
        );
      if (isOpen) break;
      await page.keyboard.press("Escape");
    }
    await picture(page, "12-refactor");
    await page.keyboard.press("Control+Enter");
    await page.locator(".refactor-preview, .bulk-edit-panel", { hasText: "run.cuh" }).first().waitFor();
    await picture(page, "13-preview");
    await page.locator(".monaco-button", { hasText: "Apply" }).first().click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".view-line")].some((line) =>
        line.textContent?.replaceAll("\u00a0", " ").includes("const GRID_CONSTANT Params params"),
      ),
    );
    await picture(page, "14-annotated");

    const complete = async (name: string, place: string) => {
      await window.open(name);
      await page.locator(".monaco-editor .codelens-decoration", { hasText: "parameters" }).first().waitFor();
      await page.keyboard.press("Control+G");
      await page.keyboard.type(place);
      await page.keyboard.press("Enter");
      await page.keyboard.type("out[get_gl");
      const offered = page.locator(".suggest-widget .monaco-list-row", { hasText: "get_global_id" }).first();
      // A slow machine may type faster than the editor asks.
      for (let attempt = 0; attempt < 5 && !(await offered.isVisible()); attempt += 1) {
        await offered.waitFor({ timeout: 6_000 }).catch(async () => {
          // In an open list the keys would show details instead of asking again.
          await page.keyboard.press("Escape");
          await page.keyboard.press("Control+Space");
        });
      }
      await offered.waitFor();
    };
    await complete("fill.cpp", ":4:3");
    await picture(page, "17-completion-in-string");
    await page.keyboard.press("Escape");
    await complete("new.cl", ":2:3");
    await picture(page, "15-completion");
    await page.keyboard.press("Enter");
    await page.keyboard.type("(");
    await page.locator(".parameter-hints-widget", { hasText: "size_t get_global_id(uint)" }).first().waitFor();
    await picture(page, "16-signature");
  });

  // It changes the standard, so it is the last.
  it("shows implied spaces of pointers, bytes of kernels, and the meaning of a word", async () => {
    const { page } = window;
    await window.open("blur.cl");
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
    const hover = page.locator(".monaco-hover:visible", { hasText: "seen by all work-items" });
    await hover.first().waitFor();
    await picture(page, "5-beside");
    await page.keyboard.press("Escape");
    await page.mouse.move(600, 600);
    await picture(page, "5-hints", { name: "hints", clip: { x: 366, y: 92, width: 800, height: 300 } });

    await page.locator(".monaco-editor .view-line", { hasText: "row" }).first().click();
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input[type=text]").fill(">GPU Qualifiers: Choose");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "CL1.2" }).first().waitFor();
    await picture(page, "6-choose");
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: "CL1.2" }).first().click();
    await page.locator(".monaco-editor .squiggly-error").first().waitFor();
    await picture(page, "7-chosen");
  });

  it("opens the rendered page of a rule from its finding, and that about memory from a hover", async () => {
    const { page } = window;
    await window.open("linked.cu");
    const squiggle = page.locator(".monaco-editor .squiggly-error").first();
    await squiggle.waitFor();
    await follow(await centerOf(squiggle), "grid-constant-non-const");
    await page.locator(".tab.active", { hasText: "Preview grid-constant-non-const.md" }).waitFor();
    await page.keyboard.press("Escape");
    await window.open("linked.cu");
    const word = page.locator(".monaco-editor .view-line span span", { hasText: /^__constant__$/ }).first();
    await follow(await centerOf(word), "CUDA memory: tables and measurements");
    await page.locator(".tab.active", { hasText: "Preview memory-cuda.md" }).waitFor();
    await picture(page, "8-page");
  });

  async function centerOf(place: Locator): Promise<{ readonly x: number; readonly y: number }> {
    const box = await place.boundingBox();
    if (box === null) throw new Error("it has no place");
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 - 3 };
  }

  /** Clicks a link of the hover at a place. */
  async function follow({ x, y }: { readonly x: number; readonly y: number }, link: string): Promise<void> {
    const { page } = window;
    await page.mouse.move(x, y);
    await page.mouse.move(x + 2, y);
    await page.locator(".monaco-hover:visible a", { hasText: link }).first().click();
  }
});
