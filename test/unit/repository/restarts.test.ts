/**
 * The extension restarts a server that dies: the language client decides how often, by the extension's options. Both run unchanged
 * here, with an editor that does nothing and a clock that the test moves.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";

/** The library's values of `CloseAction`. */
const doNotRestart = 1;
const restart = 2;

interface Handler {
  closed(): { readonly action: number; readonly message?: string };
}

const root = join(import.meta.dirname, "../../..");
const second = 1_000;
const minute = 60 * second;
let folder: string;
let create: () => Handler;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  const outfile = join(folder, "restarts.mjs");
  await build({
    stdin: {
      contents: `
        import { BaseLanguageClient } from "vscode-languageclient";
        import { clientOptions } from "./client/src/extension.ts";
        export function create() {
          const { errorHandler, connectionOptions } = clientOptions({ extensionUri: "" });
          return errorHandler ?? BaseLanguageClient.prototype.createDefaultErrorHandler.call({ name: "its" }, connectionOptions?.maxRestartCount);
        }`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [
      {
        name: "an editor that does nothing",
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^vscode$/ }, ({ path }) => ({ path, namespace: "editor" }));
          onLoad({ filter: /.*/, namespace: "editor" }, () => ({
            contents:
              "const nothing = new Proxy(class {}, { get: (target, name) => (name in target ? target[name] : nothing), apply: () => nothing }); module.exports = nothing;",
          }));
        },
      },
    ],
  });
  ({ create } = (await import(pathToFileURL(outfile).href)) as { create: typeof create });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));

afterEach(() => void vi.useRealTimers());

it("a server that dies is restarted five times in three minutes, and then the user is told", () => {
  const handler = create();
  for (let death = 0; death < 5; death++) {
    expect(handler.closed()).toEqual({ action: restart });
    vi.advanceTimersByTime(30 * second);
  }
  const last = handler.closed();
  expect(last.action).toBe(doNotRestart);
  expect(last.message).toMatch(/its server crashed 6 times in the last 3 minutes.*not be restarted.*output/);
});

it("a server that dies less often is always restarted", () => {
  const handler = create();
  for (let death = 0; death < 50; death++) {
    expect(handler.closed()).toEqual({ action: restart });
    vi.advanceTimersByTime(minute);
  }
});
