/** The extension in the web worker of a real VS Code in a headless browser, asked through the editor's API. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { serveVSCode } from "../../scripts/vscode-web.ts";
import { hasBrowser, launchBrowser, withoutBrowser } from "./browser.ts";
import { keepPicture } from "./pictures.ts";
import { filesOfSuites } from "./suites/files.ts";
import { bundleSuites, outcomeOf, type Suite } from "./suites.ts";

const root = join(import.meta.dirname, "../..");

// Some suites share a window, whose start takes longer than a suite; each has a folder of its own in it. The others choose settings
// for the whole workspace or depend on all functions of a name.
const windows: readonly (readonly Suite[])[] = [["findings"], ["refactorings"], ["language", "hovers", "details", "folders"]];

it.skipIf(!hasBrowser).each(windows.map((names) => [names.join(", "), names] as const))(
  `VS Code in a browser passes %s${withoutBrowser}`,
  async (title, names) => {
    const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
    for (const name of names)
      for (const [path, text] of Object.entries(filesOfSuites[name])) {
        const place = join(folder, names.length > 1 ? name : ".", path);
        mkdirSync(dirname(place), { recursive: true });
        writeFileSync(place, text);
      }
    const testsPath = join(root, `.cache/editor-suite/${names.join("-")}.js`);
    await bundleSuites(names, testsPath, "browser");
    const browser = await launchBrowser();
    const served = await serveVSCode({ folder, testsPath });
    try {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      const outcome = await outcomeOf(page, served.url);
      if (outcome.code !== 0) await keepPicture(page, `failure-${title}`);
      expect(outcome.code, outcome.lines.join("\n")).toBe(0);
    } finally {
      await browser.close();
      served.dispose();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
