/**
 * Typing in a real VS Code at the speed of a person. No squiggle appears under the cursor before the word there is complete, findings
 * elsewhere in the line or below it do not change, and a mistake is marked as soon as its statement is complete.
 */
import { describe, expect, it } from "vitest";
import { hasBrowser, withoutBrowser } from "./browser.ts";
import { picture } from "./pictures.ts";
import { shareWindow } from "./window.ts";

/** Milliseconds between two keys: 80 words a minute. A squiggle appears in much less time. */
const pause = 150;

const files = {
  "typed.cl": "kernel void below(global int *g) {\n  local int *l = (local int *)g;\n}\n",
  "late.cl": "kernel void after(global int *g) {\n  local int *l = (local int *)g;\n}\n",
  "typed.cu": "struct S { int a[4]; };\n__global__ void beside(__grid_constant__ S s) { }\n",
} as const;
const functions = { "typed.cl": "below", "late.cl": "after", "typed.cu": "beside" } as const;

describe.skipIf(!hasBrowser)(`typing in VS Code${withoutBrowser}`, () => {
  // In a window that has other files open, the first squiggle may be from the check of the folder, before that of the open file.
  const window = shareWindow(files, { width: 1280, height: 500 }, "for one test");

  async function open(name: keyof typeof files): Promise<void> {
    await window.open(name);
    // The only mistake in the file, once the file's own text is there.
    const line = window.page.locator(".monaco-editor .view-line", { hasText: functions[name] }).first();
    await line.waitFor();
    await window.page.locator(".monaco-editor .squiggly-error").first().waitFor();
    await line.click();
  }

  /** Moves the cursor to a new line, at the top of the file or in the function. */
  async function begin(newLine: "Control+Shift+Enter" | "Control+Enter"): Promise<void> {
    await window.page.keyboard.press("Control+Home");
    await window.page.keyboard.press(newLine);
  }

  interface Seen {
    readonly typed: string;
    /** Squiggles at the cursor. */
    readonly underCursor: number;
    /** All squiggles, of every severity. */
    readonly squiggles: number;
  }

  async function look(typed: string): Promise<Seen> {
    const seen = await window.page.evaluate(() => {
      const cursor = document.querySelector(".monaco-editor .cursors-layer .cursor")?.getBoundingClientRect();
      const squiggles = [...document.querySelectorAll(".monaco-editor [class*=squiggly-]")].map((each) => each.getBoundingClientRect());
      const isAtCursor = (box: DOMRect) =>
        cursor !== undefined && Math.abs(box.bottom - cursor.bottom) < 8 && box.left <= cursor.left + 1 && cursor.left - 1 <= box.right;
      return { underCursor: squiggles.filter(isAtCursor).length, squiggles: squiggles.length };
    });
    return { typed, ...seen };
  }

  /** The squiggles after each key, just before the next one. */
  async function type(text: string): Promise<readonly Seen[]> {
    const { page } = window;
    const seen: Seen[] = [];
    for (let at = 0; at < text.length; at++) {
      await page.keyboard.type(text[at] ?? "");
      await page.waitForTimeout(pause);
      seen.push(await look(text.slice(0, at + 1)));
    }
    return seen;
  }

  it.each([
    [
      "typed.cl",
      [
        // A constant without its initializer is a mistake at the name that is being typed.
        "constant int steps = 4;",
        // A part of the word would be the kernel's parameter, in private memory.
        "kernel void k(global int *first, local float *second) {}",
      ],
    ],
    ["typed.cu", ["__constant__ const int steps = 4;", "__global__ void k(const __grid_constant__ S value, S other) {}"]],
  ] as const)("in %s marks nothing in code that is correct in the end", async (name, texts) => {
    await open(name);
    for (const text of texts) {
      await begin("Control+Shift+Enter");
      const seen = await type(text);
      // Only the mistake that the file has from the start.
      expect(seen.filter(({ underCursor, squiggles }) => underCursor > 0 || squiggles !== 1)).toEqual([]);
    }
  });

  it("marks a mistake as soon as its statement is complete, and where it stays under the cursor, soon after", async () => {
    await open("late.cl");
    const { page } = window;
    await begin("Control+Enter");
    const seen = await type("constant int steps");
    expect(seen.filter(({ underCursor, squiggles }) => underCursor > 0 || squiggles !== 1)).toEqual([]);
    // Typing has stopped, and the name has no initializer.
    await expect.poll(async () => (await look("")).underCursor, { timeout: 10_000 }).toBeGreaterThan(0);
    await picture(page, "18-typed");
    await page.keyboard.type(" = 4;", { delay: pause });
    await expect.poll(async () => (await look("")).squiggles, { timeout: 5_000 }).toBe(1);
    await page.keyboard.type("\nlocal int wrong = 4;", { delay: 20 });
    await expect.poll(async () => (await look("")).squiggles, { timeout: 5_000 }).toBeGreaterThan(1);
    await picture(page, "19-complete");
  });
});
