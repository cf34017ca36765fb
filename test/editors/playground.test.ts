/**
 * The playground in a real browser, opened from a file and without a network: findings, hovers, fixes, examples, standards, and links
 * that contain the code.
 */
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPlayground } from "../../scripts/playground.ts";
import { rules } from "../../server/src/rules/index.ts";
import { hasBrowser, launchBrowser, withoutBrowser } from "./browser.ts";
import { picture } from "./pictures.ts";

/** Enough on an idle machine; other work may run at the same time as the tests. */
const patience = 20_000;

describe.skipIf(!hasBrowser)(`the playground${withoutBrowser}`, () => {
  let browser: Browser;
  let page: Page;
  let address = "";
  const requests: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    const path = await buildPlayground();
    expect(statSync(path).size).toBeLessThan(3_000_000);
    address = pathToFileURL(path).href;
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    await context.setOffline(true);
    page = await context.newPage();
    page.on("request", (request) => void requests.push(request.url()));
    page.on("pageerror", (error) => void errors.push(error.message));
  });
  afterAll(() => browser?.close());

  const findings = () => page.locator("#problems article");
  const code = async () => (await page.locator(".cm-content").innerText()).replaceAll("\u00a0", " ");

  it("shows findings at once, without a network", async () => {
    const began = Date.now();
    await page.goto(address);
    await findings().first().waitFor({ timeout: patience });
    console.log(`the first finding after ${Date.now() - began} ms`);
    expect(await page.locator(".cm-lintRange").count()).toBeGreaterThan(0);
    expect(requests.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:"))).toEqual([]);
  });

  it("runs no other script, and can fetch and send nothing", async () => {
    const refused = await page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => violations.push(effectiveDirective));
      const script = document.createElement("script");
      script.textContent = "document.title = 'planted'";
      document.body.append(script);
      const isFetched = await fetch("data:text/plain,x").then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, 0));
      return { violations: violations.sort(), isFetched, title: document.title };
    });
    expect(refused).toMatchObject({ violations: ["connect-src", "script-src-elem"], isFetched: false });
    expect(refused.title).not.toBe("planted");
  });

  it("shows the flagship first, and groups of examples with titles", async () => {
    const groups = await page
      .locator("#example optgroup")
      .evaluateAll((all) =>
        all.map((group) => [(group as HTMLOptGroupElement).label, ...Array.from(group.children, ({ textContent }) => textContent)]),
      );
    const titlesIn = (language: string) =>
      rules.filter(({ examples }) => examples.some((each) => each.language === language)).map(({ title }) => title.replaceAll("`", ""));
    expect(groups.map(([label]) => label)).toEqual(["CUDA C++", "In several files", "OpenCL C"]);
    expect(groups[0]?.[1]).toBe("a __grid_constant__ parameter is not const");
    expect(await page.locator("#example").inputValue()).toBe("cuda grid-constant-non-const");
    expect(new Set(groups[0]?.slice(1))).toEqual(new Set(titlesIn("cuda")));
    expect(groups[1]).toHaveLength(2);
    expect(new Set(groups[2]?.slice(1))).toEqual(new Set(titlesIn("opencl")));
    // Every example is in a group.
    expect(await page.locator("#example > option").count()).toBe(0);
  });

  it("has an example of every rule, with its finding and its fix", async () => {
    const titles = await page.locator("#example option").allInnerTexts();
    const severalFiles = "declarations of a kernel disagree, and nvcc accepts them";
    expect(new Set(titles)).toEqual(new Set([...rules.map(({ title }) => title.replaceAll("`", "")), severalFiles]));
    const values = await page.locator("#example option").evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
    expect(new Set(values.map((value) => value.split(" ")[1]))).toEqual(new Set(rules.map(({ id }) => id)));
    for (const value of values) {
      await page.selectOption("#example", value);
      const [, id = ""] = value.split(" ");
      // If an example needs one standard, the playground selects it.
      expect(await page.locator("#target option:checked").count(), value).toBe(1);
      await findings().filter({ hasText: id }).first().waitFor({ timeout: patience });
    }
    await page.selectOption("#example", "cuda grid-constant-non-const");
    const finding = findings().filter({ hasText: "grid-constant-non-const" });
    await finding.first().waitFor({ timeout: patience });
    await picture(page, "20-playground");
    await finding.locator("button", { hasText: "Add 'const'" }).first().click();
    await page.locator("#problems", { hasText: "No findings." }).waitFor({ timeout: patience });
    expect(await code()).toContain("const __grid_constant__");
  });

  it.each(["light", "dark"] as const)("is accessible and readable on a %s screen, wide and narrow", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.selectOption("#example", "cuda grid-constant-non-const");
    await findings().locator("summary").first().click();
    await page.evaluate(axe.source);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 720 });
      const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
      const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      // Nothing is cut off at the right.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const control of await page.locator("header select, header button, #add, article button").all()) {
        const box = await control.boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), await control.innerText()).toBeLessThanOrEqual(width);
      }
      expect(grave.map(({ id, nodes }) => [id, ...nodes.map(({ html, any }) => `${html}: ${any[0]?.message}`)])).toEqual([]);
      await picture(page, `22-playground-${colorScheme}-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.emulateMedia({ colorScheme: null });
  });

  it("says why a finding is one, and goes to its line with the keyboard", async () => {
    await page.selectOption("#example", "cuda grid-constant-non-const");
    const finding = findings().filter({ hasText: "grid-constant-non-const" }).first();
    await finding.locator("summary", { hasText: "Why, and what to do" }).click();
    await finding.locator("details", { hasText: "share one read-only object" }).waitFor({ timeout: patience });
    await finding.locator("button.message").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.className), { timeout: patience }).toContain("cm-content");
  });

  it("shows a mistake that is in two files, and goes from one to the other", async () => {
    await page.selectOption("#example", "files grid-constant-mismatch");
    const tabs = page.locator("[role=tab]");
    await expect.poll(() => tabs.allInnerTexts(), { timeout: patience }).toEqual(["integrate.cu", "kernels.cuh", "params.cuh"]);
    const finding = findings().filter({ hasText: "error in integrate.cu, line 4 · grid-constant-mismatch" });
    await finding.waitFor({ timeout: patience });
    await picture(page, "23-playground-files");
    await finding.locator("button.related", { hasText: "kernels.cuh, line 6" }).click();
    await page.locator("[role=tab][aria-selected=true]", { hasText: "kernels.cuh" }).waitFor({ timeout: patience });
    expect(await code()).toContain("GRID_CONSTANT Params params, float *out");
    // The fix is in the other file.
    await finding.locator("button", { hasText: "Add 'GRID_CONSTANT' to every declaration" }).click();
    await page.locator("#problems", { hasText: "No findings." }).waitFor({ timeout: patience });
    // Arrows go along the row of tabs.
    await page.locator("[role=tab][aria-selected=true]").focus();
    await page.keyboard.press("ArrowLeft");
    await page.locator("[role=tab][aria-selected=true]", { hasText: "integrate.cu" }).waitFor({ timeout: patience });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("integrate.cu");
    expect(await code()).toContain("integrate(const GRID_CONSTANT Params params, float *out) {");
  });

  it("reads headers that are added, and forgets those that are removed", async () => {
    await page.selectOption("#example", "opencl local-initializer");
    await findings().filter({ hasText: "local-initializer" }).first().waitFor({ timeout: patience });
    await page.click("#add");
    await page.locator("[role=tab][aria-selected=true]", { hasText: "header.h" }).waitFor({ timeout: patience });
    await page.keyboard.insertText("#define SPACE local");
    await page.locator("[role=tab]", { hasText: "kernel.cl" }).click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText('#include "header.h"\nkernel void k(global int *g) { SPACE int *l = (SPACE int *)g; }');
    await findings().filter({ hasText: "address-space-cast" }).first().waitFor({ timeout: patience });
    await page.locator("[role=tab]", { hasText: "header.h" }).click();
    await page.click("#remove");
    await expect.poll(() => page.locator("[role=tab]").allInnerTexts(), { timeout: patience }).toEqual(["kernel.cl"]);
    await page.locator("#problems", { hasText: "No findings." }).waitFor({ timeout: patience });
  });

  it("shows the licenses of the packages whose code it has, and of no others", async () => {
    const dialog = page.locator("#notices");
    await page.locator("#licenses").press("Enter");
    await dialog.locator("pre").waitFor();
    const named = [...(await dialog.innerText()).matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(["@codemirror/view", "vscode-languageserver", "web-tree-sitter", "tree-sitter-cpp"]));
    expect(named.filter((name) => name === "zod" || name === "commander")).toEqual([]);
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run("#notices"));
    expect(violations.map(({ id }) => id)).toEqual([]);
    await picture(page, "23-playground-licenses");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });

  it("can be used with the keyboard alone", async () => {
    await page.selectOption("#example", "cuda grid-constant-non-const");
    await findings().locator("button", { hasText: "Add 'const'" }).first().waitFor({ timeout: patience });
    await page.locator("#example").focus();
    const reached: string[] = [];
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.slice(0, 40) || ""));
      if (reached.at(-1)?.startsWith("Add 'const'")) break;
    }
    expect(reached.slice(0, 3)).toEqual(["language", "target", "share"]);
    expect(reached.at(-1)).toMatch(/^Add 'const'/);
    await page.keyboard.press("Enter");
    await page.locator("#problems", { hasText: "No findings." }).waitFor({ timeout: patience });
  });

  it("checks under the selected standard", async () => {
    await page.selectOption("#example", "opencl local-initializer");
    await findings().filter({ hasText: "local-initializer" }).first().waitFor({ timeout: patience });
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText("kernel void k(global int *p) { generic int *q = p; }");
    await page.selectOption("#target", "CL1.2");
    await findings().first().waitFor({ timeout: patience });
    await page.selectOption("#target", "CL2.0");
    await page.locator("#problems", { hasText: "No findings." }).waitFor({ timeout: patience });
  });

  it("allows changes before an answer arrives", async () => {
    const text = await code();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("\nkernel void later(global int *p) { local int *wrong = p; }");
    for (let count = 0; count < 40; count += 1) await page.keyboard.insertText("\n//");
    await findings().first().waitFor({ timeout: patience });
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(text);
    await page.locator("#problems", { hasText: "No findings." }).waitFor({ timeout: patience });
    expect(errors).toEqual([]);
  });

  it("shows a hover for the word under the pointer", async () => {
    const box = await page.locator(".cm-line").first().boundingBox();
    if (box === null) throw new Error("the line has no place");
    // The pointer rests elsewhere before it moves into the first word.
    await page.mouse.move(box.x + 300, box.y + 200);
    await page.mouse.move(box.x + 30, box.y + box.height / 2, { steps: 4 });
    await page.locator(".hover", { hasText: "Enqueued by the host" }).waitFor({ timeout: patience });
    await picture(page, "21-playground-hover");
  });

  it("creates a link that contains the code and shows it again", async () => {
    const text = await code();
    // The hover is above the button.
    await page.mouse.move(900, 600);
    await page.locator(".hover").waitFor({ state: "detached", timeout: patience });
    await page.click("#share");
    // A page from disk may write to the clipboard or not; either is said.
    await page.locator("#said", { hasText: /^The link is (copied|in the address bar)/ }).waitFor({ timeout: patience });
    const link = page.url();
    expect(link).toContain("#");
    const other = await page.context().newPage();
    await other.goto(link);
    await expect
      .poll(async () => (await other.locator(".cm-content").innerText()).replaceAll("\u00a0", " "), { timeout: patience })
      .toBe(text);
    expect(await other.locator("#target").inputValue()).toBe("CL2.0");
    expect(await other.locator("#said").innerText()).toBe("");
    expect(errors).toEqual([]);
  });

  it("says that a link is damaged", async () => {
    const other = await page.context().newPage();
    await other.goto(`${address}#eyJjb2RlIjoi`);
    await other.locator("#said", { hasText: "This link is damaged or incomplete" }).waitFor({ timeout: patience });
    await other.locator("#problems article").first().waitFor({ timeout: patience });
  });

  it("can neither send the code nor run other scripts", async () => {
    const refused = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.foreign = true;";
      document.body.append(script);
      const sent = await fetch("https://localhost:1/").then(
        () => "sent",
        () => "refused",
      );
      return [sent, "foreign" in window];
    });
    expect(refused).toEqual(["refused", false]);
  });
});
