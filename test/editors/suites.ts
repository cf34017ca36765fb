/** Runs a suite of `suites/` in VS Code's extension host: how it gets there, and what it said. */
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { filesOfSuites } from "./suites/files.ts";

/** The name of a module in `suites/`, and of the folder that it is run on. */
export type Suite = keyof typeof filesOfSuites;

export const suites = Object.keys(filesOfSuites).filter((name): name is Suite => name in filesOfSuites);

const patience = 120_000;

/** One script for the extension host of a browser or of Node; it logs why its suite failed. */
export async function bundleSuite(suite: Suite, outfile: string, platform: "browser" | "node"): Promise<void> {
  const contents = `
    import { run as runSuite } from "./${suite}.ts";
    export async function run() {
      try {
        await runSuite();
      } catch (error) {
        console.error("the suite failed: " + error.message);
        throw error;
      }
    }`;
  const stdin = { contents, resolveDir: join(import.meta.dirname, "suites") };
  await build({ stdin, outfile, bundle: true, format: "cjs", platform, external: ["vscode"], logLevel: "silent" });
}

/** Opens the editor and waits for the suite's end: 0 when all was as it should be. */
export async function outcomeOf(page: Page, url: string): Promise<{ readonly code: unknown; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const outcome = new Promise<unknown>((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
  await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => void lines.push(args.map(String).join(" ")));
  await page.goto(url);
  const code = await Promise.race([outcome, new Promise((resolve) => setTimeout(() => resolve("no end"), patience))]);
  return { code, lines };
}
