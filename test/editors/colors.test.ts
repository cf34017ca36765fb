/** The colors of names in each kind of memory differ and are readable, in the themes of a real VS Code. */
import { describe, expect, it } from "vitest";
import { hasBrowser, withoutBrowser } from "./browser.ts";
import { picture } from "./pictures.ts";
import { shareWindow } from "./window.ts";

const files = {
  "colors.cl": `constant float weights[2] = {1, 2};
kernel void colors(global float *out, local float *tile, constant float *table) {
  float own = 1;
  private float *mine = &own;
  generic float *any = tile;
  out[0] = tile[0] + table[0] + mine[0] + any[0] + weights[0] + own;
}
`,
  "colors.cu": `struct P { float x; };
__constant__ float weights[2];
__device__ float store[2];
__managed__ float both[2];
__global__ void colors(const __grid_constant__ P p, P copy) {
  __shared__ float tile[2];
  store[0] = tile[0] + weights[0] + p.x + both[0] + copy.x;
}
`,
  "gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" } }\n',
};
const memories = {
  "colors.cl": ["out", "tile", "table", "mine", "any"],
  "colors.cu": ["store", "tile", "weights", "both"],
} as const;
// A name that is in no kind of memory keeps the theme's color.
const plain = { "colors.cl": "own", "colors.cu": "copy" } as const;
// With a part of the class that the workbench has under it.
const themes = [
  ["Dark Modern", "dark_modern"],
  ["Light Modern", "light_modern"],
  ["Dark High Contrast", "hc_black"],
  ["Light High Contrast", "hc_light"],
  ["Dark+", "dark_plus"],
  ["Light+", "light_plus"],
  ["Monokai", "monokai"],
  ["Abyss", "abyss"],
  ["Solarized Dark", "solarized-dark"],
  ["Solarized Light", "solarized-light"],
] as const;

describe.skipIf(!hasBrowser)(`colors of memories${withoutBrowser}`, () => {
  const window = shareWindow(files, { width: 1100, height: 420 });

  async function choose(theme: string): Promise<void> {
    const { page } = window;
    for (let attempt = 0; attempt < 10; attempt++) {
      await page.keyboard.press("F1");
      const input = page.locator(".quick-input-widget input[type=text]");
      const row = (text: string) =>
        page.locator(".quick-input-widget .monaco-list-row", { has: page.getByText(text, { exact: true }) }).first();
      const isChosen = await input
        .fill(">Preferences: Color Theme", { timeout: 3_000 })
        .then(() => row("Preferences: Color Theme").click({ timeout: 6_000 }))
        .then(() => input.fill(theme, { timeout: 3_000 }))
        .then(() => row(theme).click({ timeout: 6_000 }))
        .then(
          () => true,
          () => false,
        );
      if (isChosen) return;
      await page.keyboard.press("Escape");
    }
    throw new Error(`no theme ${theme}`);
  }

  /** The colors of the words, each with its contrast to the editor's background according to the accessibility guidelines. */
  async function colorsOf(words: readonly string[]): Promise<readonly { word: string; color: string; contrast: number }[]> {
    return window.page.evaluate((wanted) => {
      const rgb = (color: string) => (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
      const luminance = (color: string) => {
        const [r = 0, g = 0, b = 0] = rgb(color).map((part) => (part <= 10.3 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const background = document.querySelector(".monaco-editor .monaco-editor-background");
      const paper = background === null ? 0 : luminance(getComputedStyle(background).backgroundColor);
      const spans = [...document.querySelectorAll(".monaco-editor .view-line span span")];
      return wanted.map((word) => {
        const last = spans.filter(({ textContent }) => new RegExp(`(^|\\W)${word}($|\\W)`).test(textContent ?? "")).at(-1);
        if (last === undefined) return { word, color: `no ${word}`, contrast: 0 };
        const { color } = getComputedStyle(last);
        const [dark = 0, light = 0] = [luminance(color), paper].sort((a, b) => a - b);
        return { word, color, contrast: (light + 0.05) / (dark + 0.05) };
      });
    }, words);
  }

  for (const [theme, sign] of themes) {
    it(`differ and can be read in ${theme}`, async () => {
      await choose(theme);
      await window.page.locator(`.monaco-workbench[class*=${sign}]`).first().waitFor();
      const least = theme.includes("Contrast") ? 7 : 4.5;
      for (const name of ["colors.cl", "colors.cu"] as const) {
        const words = memories[name];
        const all = [...words, plain[name]];
        await window.open(name);
        const faults = async () => {
          const colors = await colorsOf(all);
          const hardToRead = colors.filter(({ word, contrast }) => word !== plain[name] && contrast < least);
          return new Set(colors.map(({ color }) => color)).size < all.length ? colors : hardToRead;
        };
        await expect.poll(faults, { timeout: 30_000 }).toEqual([]);
        await picture(window.page, `40-${theme.toLowerCase().replaceAll(" ", "-")}-${name.replace(".", "-")}`);
      }
    });
  }
});
