/**
 * A window of VS Code that the tests of a file share, because its start takes most of the time. After a test that fails, which
 * leaves a picture, the next one gets a new window: what a test changes is in the memory of its window only.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type ServedVSCode, serveVSCode } from "../../scripts/vscode-web.ts";
import { launchBrowser } from "./browser.ts";
import { keepPicture } from "./pictures.ts";

export interface SharedWindow {
  readonly page: Page;
  /** Opens a file of the folder from the list of its files, and keeps it open. */
  open(name: string): Promise<void>;
}

/** To be called where the tests are described. The window shows a folder with these files. */
export function shareWindow(
  files: Readonly<Record<string, string>>,
  viewport: { readonly width: number; readonly height: number },
  lasts: "until a failure" | "for one test" = "until a failure",
): SharedWindow {
  let browser: Browser;
  let folder: string;
  let served: ServedVSCode;
  let page: Page | undefined;

  const pageOf = (): Page => {
    if (page === undefined) throw new Error("the window is there during tests only");
    return page;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    served = await serveVSCode({ folder });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    served?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    if (page !== undefined) return;
    page = await (await browser.newContext({ viewport })).newPage();
    await page.goto(served.url, { waitUntil: "domcontentloaded" });
    await page.waitForSelector(".monaco-workbench");
  });
  afterEach(async ({ task }) => {
    const hasFailed = task.result?.state === "fail";
    if (page === undefined || (!hasFailed && lasts === "until a failure")) return;
    if (hasFailed) await keepPicture(page, `failure-${task.name.replaceAll(/\W+/g, "-")}`).catch(() => undefined);
    await page.context().close();
    page = undefined;
  });

  return {
    get page() {
      return pageOf();
    },
    async open(name) {
      const row = pageOf().locator(".explorer-folders-view .monaco-list-row", { has: pageOf().getByText(name, { exact: true }) });
      await row.first().dblclick();
      await pageOf().locator(".tab.active", { hasText: name }).waitFor();
    },
  };
}
