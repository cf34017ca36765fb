/** A new user's first minute: `npm run code`, the walkthrough and the commands that it leads to. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/ports.ts";
import { type ServedVSCode, serveVSCode } from "../../scripts/vscode-web.ts";
import { run } from "../cli/run.ts";
import { hasBrowser, launchBrowser, withoutBrowser } from "./browser.ts";
import { keepPicture, picture } from "./pictures.ts";

const root = join(import.meta.dirname, "../..");

describe.skipIf(!hasBrowser)(`the first minute in VS Code${withoutBrowser}`, () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") await keepPicture(page, "failure-first-minute").catch(() => undefined);
    await page.context().close();
  });

  describe("npm run code", () => {
    let program: ChildProcess | undefined;

    afterEach(() => {
      // The processes that tsx starts are in its process group.
      if (program?.pid !== undefined) process.kill(-program.pid, "SIGKILL");
      program = undefined;
    });

    it("opens an example with its mistakes visible", async () => {
      const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
      const env = { ...process.env, BROWSER: "none", PORT: String(await freePort()) };
      const started = spawn(process.execPath, [tsx, "scripts/code.ts"], {
        cwd: root,
        env,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      program = started;
      const url = await new Promise<string>((resolve, reject) => {
        let output = "";
        const hear = (data: Buffer) => {
          output += data.toString();
          const [, found] = /VS Code with gpu-qualifiers on .*: (http\S+)/.exec(output) ?? [];
          if (found !== undefined) resolve(found);
        };
        started.stdout.on("data", hear);
        started.stderr.on("data", hear);
        started.on("exit", () => reject(new Error(output)));
      });
      await page.goto(url, { waitUntil: "domcontentloaded" });
      await page.locator(".tab.active", { hasText: "reduce.cl" }).waitFor();
      await page.locator(".monaco-editor .squiggly-error").first().waitFor();
      await page.locator(".markers-panel .monaco-list-row", { hasText: "address-space-cast" }).first().waitFor();
      // The same errors as on the command line, also those in literals of closed files.
      const [, errors] = /: (\d+) errors/.exec(run(["check", "examples"], root).error) ?? [];
      await page.locator("#status\\.problems", { hasText: new RegExp(`^\\D*${errors}\\D`) }).waitFor();
      await picture(page, "30-npm-run-code");
    });
  });

  describe("the walkthrough", () => {
    let folder: string;
    let served: ServedVSCode | undefined;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
    });
    afterEach(() => {
      served?.dispose();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Runs a command by its title; the palette may close again while the workbench starts. */
    async function command(title: string): Promise<void> {
      const row = page.locator(".quick-input-widget .monaco-list-row", { hasText: title }).first();
      for (let attempt = 0; attempt < 10; attempt++) {
        await page.keyboard.press("F1");
        const input = page.locator(".quick-input-widget input[type=text]");
        const isThere = await input
          .fill(`>${title}`, { timeout: 3_000 })
          .then(() => row.waitFor({ timeout: 6_000 }))
          .then(
            () => true,
            () => false,
          );
        if (isThere) return row.click();
        await page.keyboard.press("Escape");
      }
      throw new Error(`no command ${title}`);
    }

    it("leads from an example to the user's own code", async () => {
      writeFileSync(join(folder, "own.cl"), "kernel void k(global int *g) { local int *l = (local int *)g; }\n");
      served = await serveVSCode({ folder });
      await page.goto(served.url, { waitUntil: "domcontentloaded" });
      await page.waitForSelector(".monaco-workbench");
      const step = (title: string) => page.locator(".getting-started-step", { hasText: title }).first();
      // The list closes when something else takes the focus while the workbench starts.
      for (let attempt = 0; attempt < 5 && !(await step("See a mistake").isVisible()); attempt++) {
        await command("Welcome: Open Walkthrough...");
        const listed = page.locator(".quick-input-widget .monaco-list-row", { hasText: "Find GPU memory mistakes" }).first();
        await listed.click({ timeout: 10_000 }).catch(() => page.keyboard.press("Escape"));
        await step("See a mistake")
          .waitFor({ timeout: 10_000 })
          .catch(() => undefined);
      }
      const pictureOf = async () =>
        page
          .locator(".getting-started-media img")
          .first()
          .evaluate((image) => (image as HTMLImageElement).naturalWidth);
      for (const title of ["See a mistake", "Fix it", "Check your own code"]) {
        await step(title).click();
        await expect.poll(pictureOf, { timeout: 20_000 }).toBeGreaterThan(0);
        // The only markup here is that of links.
        expect(await step(title).innerText()).not.toMatch(/[*_`[\]]/);
        await picture(page, `31-walkthrough-${title.toLowerCase().replaceAll(" ", "-")}`);
      }

      await step("See a mistake").click();
      await page.locator(".monaco-button", { hasText: "Open the example" }).first().click();
      await page.locator(".monaco-editor .squiggly-error").first().waitFor();
      await picture(page, "32-example");

      await command("GPU Qualifiers: Check Workspace");
      const message = page.locator(".notification-toast", { hasText: "Files checked: 1; errors: 2, warnings: 0, infos: 0." });
      await message.first().waitFor();
      await picture(page, "33-checked");
      await message.locator(".monaco-button", { hasText: "Show Problems" }).first().click();
      await page.locator(".markers-panel .monaco-list-row", { hasText: "own.cl" }).first().waitFor();

      await command("GPU Qualifiers: Show Log");
      const log = page.locator(".output-view .view-line");
      await log.filter({ hasText: "gpu-qualifiers 0." }).first().waitFor();
      await log
        .filter({ hasText: /read\s1\sfile\sof/ })
        .first()
        .waitFor();
      await picture(page, "34-log");
    });
  });
});
