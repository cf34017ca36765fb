/** The documentation's site: every link leads somewhere, the search finds rules, and a rule's example opens in the playground. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readShared } from "../../client/playground/shared.ts";
import { sharedExample } from "../../scripts/playground.ts";
import { buildSite } from "../../scripts/site.ts";
import { rules } from "../../server/src/rules/index.ts";
import { hasBrowser, launchBrowser, withoutBrowser } from "./browser.ts";
import { picture } from "./pictures.ts";

let folder = "";
beforeAll(async () => {
  folder = await buildSite();
});
const read = (path: string) => readFileSync(join(folder, path), "utf8");

it("has a page of each rule, and no link or picture that leads nowhere", () => {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".html") && path !== "playground.html",
  );
  expect(rules.filter(({ id }) => !pages.includes(join("rules", `${id}.html`)))).toEqual([]);
  const broken = pages.flatMap((path) =>
    [...read(path).matchAll(/(?:href|src)="(?!\w+:)([^"]*)"/g)]
      .map(([, address = ""]) => address.split("#"))
      .filter(([target = "", heading]) => {
        const file = target === "" ? path : join(dirname(path), target);
        if (!existsSync(join(folder, file))) return true;
        return heading !== undefined && file !== "playground.html" && !read(file).includes(` id="${heading}"`);
      })
      .map((address) => `${path}: ${address.join("#")}`),
  );
  expect(broken).toEqual([]);
});

it("shows no comment of its sources", () => {
  const shown = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
  expect(shown.filter((path) => read(path).includes("&lt;!--"))).toEqual([]);
});

it("leads from each rule to its own examples in the playground", async () => {
  for (const { id, examples } of rules) {
    const links = [...read(`rules/${id}.html`).matchAll(/href="\.\.\/playground\.html(#[\w-]+)"/g)].map(([, hash = ""]) => hash);
    const firsts = (["cuda", "opencl"] as const).flatMap((language) => examples.find((each) => each.language === language) ?? []);
    expect(await Promise.all(links.map(readShared)), id).toEqual(firsts.map(sharedExample));
  }
});

describe.skipIf(!hasBrowser)(`in a browser${withoutBrowser}`, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    await context.setOffline(true);
    page = await context.newPage();
  });
  afterAll(() => browser?.close());

  it("the search finds a rule, whose example is tried in the playground, which leads back", async () => {
    await page.goto(pathToFileURL(join(folder, "index.html")).href);
    await page.fill("#search", "grid constant disagre");
    await page.locator("#results li").first().waitFor();
    expect(await page.locator("#results li").first().innerText()).toMatch(/^grid-constant-mismatch\s+declarations of a kernel disagree/);
    await page.press("#search", "Enter");
    await page.waitForURL(/rules\/grid-constant-mismatch\.html$/);
    await page.click("text=Try it in CUDA C++");
    const finding = page.locator("#problems article", { hasText: "grid-constant-mismatch" }).first();
    await finding.waitFor({ timeout: 20_000 });
    await finding.locator("summary").click();
    const [opened] = await Promise.all([page.context().waitForEvent("page"), finding.locator("details > a").click()]);
    await opened.waitForURL(/rules\/grid-constant-mismatch\.html$/);
    await opened.close();
  });

  it.each(["light", "dark"] as const)("pages are accessible and readable on a %s screen, wide and narrow", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const path of ["index.html", "command-line.html", "who-finds-what.html", "rules/const-write.html"]) {
      await page.goto(pathToFileURL(join(folder, path)).href);
      await page.fill("#search", "cast");
      await page.evaluate(axe.source);
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 720 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBeLessThanOrEqual(width);
        const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run());
        const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        expect(grave.map(({ id, nodes }) => [path, id, ...nodes.map(({ html, any }) => `${html}: ${any[0]?.message}`)])).toEqual([]);
        if (path === "index.html") await picture(page, `24-site-${colorScheme}-${width}`);
      }
    }
  });
});
