/**
 * The view *GPU Memory* in a real VS Code in a headless browser: it appears with the first file of ours, a click goes to the place,
 * and it follows what is typed.
 */
import { describe, expect, it } from "vitest";
import { hasBrowser, withoutBrowser } from "./browser.ts";
import { picture } from "./pictures.ts";
import { shareWindow } from "./window.ts";

const files = {
  "a.cu": `struct Params { float table[101]; };
__constant__ float weights[16];
__device__ float look(const Params &params, int i);

template <class T, int N> __global__ void reduce(T *out) {
  __shared__ T tile[N];
  tile[threadIdx.x] = out[0] * weights[threadIdx.x];
  __syncthreads();
  out[1] = tile[threadIdx.x ^ 1];
}

__global__ void run(const Params params, float *out) {
  out[0] = look(params, 1);
}

void host(Params params, float *out) {
  reduce<float, 128><<<4, 128>>>(out);
  reduce<float, 256><<<2, 256>>>(out);
  run<<<1, 32>>>(params, out);
}
`,
  "blur.cl": `kernel void blur(global float *image) {
  local float tile[64];
  image[0] = tile[0];
}
`,
};

describe.skipIf(!hasBrowser)(`the memory view${withoutBrowser}`, () => {
  const window = shareWindow(files, { width: 1280, height: 900 }, "for one test");

  const command = async (title: string) => {
    const { page } = window;
    await page.keyboard.press("F1");
    await page.locator(".quick-input-widget input[type=text]").fill(`>${title}`);
    await page.locator(".quick-input-widget .monaco-list-row", { hasText: title }).first().waitFor();
    await page.keyboard.press("Enter");
  };

  it("lists kernels with their limits, goes to a place, and follows edits", async () => {
    const { page } = window;
    await window.open("blur.cl");
    const wasDark = (await page.locator(".monaco-workbench.vs-dark").count()) > 0;
    const header = page.locator(".pane-header", { hasText: "GPU Memory" });
    await header.click();
    const row = (text: string) => page.locator('[aria-label="GPU Memory"] .monaco-list-row, .pane .monaco-list-row', { hasText: text });
    // The click opens a place, whose editor may take the keyboard before the row is expanded by a key.
    const expand = async (text: string) => {
      const found = row(text).first();
      const isExpanded = async () => (await found.getAttribute("aria-expanded")) === "true";
      await found.click();
      for (let tries = 0; tries < 20 && !(await isExpanded()); tries += 1) {
        await found.locator(".monaco-tl-twistie").click();
        await page.waitForTimeout(250);
      }
    };
    await row("blur").first().waitFor();
    await row("reduce").first().waitFor();
    // More room for the tree: the list of files is folded.
    await page.locator(".pane-header").first().click();
    await expand("template, a.cu:5");
    await row("8 of 4,096 bytes").first().waitFor();
    await expand("instances");
    await row("reduce<float, 128>").first().waitFor();
    expect(await row("reduce<float, 128>").first().innerText()).toContain("512 bytes of shared memory");
    await expand("launched");
    await row("a.cu:17").first().waitFor();
    await page.locator(".tab.active", { hasText: "a.cu" }).waitFor();
    await row("in host, grid 2 x 1 x 1").first().click();
    await page.locator(".statusbar-item", { hasText: "Ln 18, Col 3" }).waitFor();
    await picture(page, `memory-${wasDark ? "dark" : "light"}`);

    await expand("blur.cl:1");
    await row("256 of 32,768 bytes").first().waitFor();
    await page.locator(".tab", { hasText: "blur.cl" }).first().click();
    await page.locator(".monaco-editor .view-line", { hasText: "local float" }).first().click();
    await page.keyboard.press("Home");
    await page.keyboard.type("local float other[64]; other[0] = 1; image[1] = other[0]; ");
    await row("512 of 32,768 bytes").first().waitFor();

    await command("Toggle between Light/Dark Themes");
    await page.locator(`.monaco-workbench.${wasDark ? "vs" : "vs-dark"}`).waitFor();
    await picture(page, `memory-${wasDark ? "light" : "dark"}`);
  });

  it("explains a launch where its cursor is, in both themes", async () => {
    const { page } = window;
    await window.open("a.cu");
    await page.locator(".monaco-editor .view-line", { hasText: "run<<<1, 32>>>" }).first().click();
    await page.keyboard.press("Home");
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowRight");
    const hover = page.locator(".monaco-hover:visible", { hasText: "Shared memory per block" });
    for (const theme of ["first", "second"]) {
      await command("Show or Focus Hover");
      await hover.first().waitFor();
      expect(await hover.first().innerText()).toContain("copied to the stack by each thread, because look takes its address");
      await picture(page, `launch-${theme}`);
      await page.keyboard.press("Escape");
      await command("Toggle between Light/Dark Themes");
    }
  });
});
