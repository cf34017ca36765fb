/** Installs a suite of `suites/` in VS Code's extension host, runs it, and reads its result. */
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { filesOfSuites } from "./suites/files.ts";

/** The name of a module in `suites/`, and of the folder that it opens. */
export type Suite = keyof typeof filesOfSuites;

export const suites = Object.keys(filesOfSuites).filter((name): name is Suite => name in filesOfSuites);

const patience = 120_000;

/**
 * Bundles suites into one script for the extension host of a browser or of Node. The script runs them one after the other and logs
 * the reason of a failure. If there are several, each has a folder with its name below the open one.
 */
export async function bundleSuites(names: readonly Suite[], outfile: string, platform: "browser" | "node"): Promise<void> {
  const contents = `
    import { enterFolder } from "./inside.ts";
    ${names.map((name) => `import { run as ${name} } from "./${name}.ts";`).join("\n")}
    export async function run() {
      for (const [name, runSuite] of Object.entries({ ${names.join(", ")} })) {
        ${names.length > 1 ? "enterFolder(name);" : ""}
        try {
          await runSuite();
        } catch (error) {
          console.error("the suite " + name + " failed: " + error.message);
          throw error;
        }
      }
    }`;
  const stdin = { contents, resolveDir: join(import.meta.dirname, "suites") };
  await build({ stdin, outfile, bundle: true, format: "cjs", platform, external: ["vscode"], logLevel: "silent" });
}

/** Opens the editor and waits for the end of the suite. The result is 0 if everything was as expected. */
export async function outcomeOf(page: Page, url: string): Promise<{ readonly code: unknown; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const outcome = new Promise<unknown>((resolve) => void page.exposeFunction("codeAutomationExit", resolve));
  await page.exposeFunction("codeAutomationLog", (_type: string, args: unknown[]) => void lines.push(args.map(String).join(" ")));
  await page.goto(url);
  const code = await Promise.race([outcome, new Promise((resolve) => setTimeout(() => resolve("no end"), patience))]);
  return { code, lines };
}
