/**
 * `npm run playground`: builds the playground, one HTML file that contains the server, the parser and the examples of every rule,
 * and serves it; with `--build` it only builds. Any web server can serve the file, and a browser can open it from disk.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build } from "esbuild";
import { rules } from "../server/src/rules/index.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "client/playground/dist/index.html");

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  minify: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
  // The parser's runtime imports these only in Node.
  external: ["fs", "fs/promises", "module", "path", "url"],
};

/** The first example of each rule in each language. */
function examples(): readonly object[] {
  return rules.flatMap(({ id, title, examples: all }) =>
    (["cuda", "opencl"] as const).flatMap((language) => {
      const example = all.find((each) => each.language === language);
      if (example === undefined) return [];
      const code = `${example.bad.replace(/[ \t]*\/\/ <-$/gm, "").trimEnd()}\n`;
      return [{ rule: id, title, language, code, ...(example.standard === undefined ? {} : { standard: example.standard }) }];
    }),
  );
}

async function bundled(entry: string, define: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const { outputFiles = [] } = await build({ ...common, entryPoints: [entry], define });
  return Buffer.from(outputFiles[0]?.contents ?? []);
}

/** Writes the page and returns its path. */
export async function buildPlayground(): Promise<string> {
  const [template, script, server, runtime, grammar] = await Promise.all([
    readFile(join(root, "client/playground/index.html"), "utf8"),
    bundled("client/playground/main.ts", { playgroundExamples: JSON.stringify(examples()) }),
    bundled("server/src/entries/server-browser.ts"),
    readFile(createRequire(import.meta.url).resolve("web-tree-sitter/web-tree-sitter.wasm")),
    readFile(join(root, "grammars/tree-sitter-gpu.wasm")),
  ]);
  const part = (name: string, content: Buffer) =>
    `<script type="text/plain" id="part-${name}">${gzipSync(content, { level: 9 }).toString("base64")}</script>`;
  const parts = [part("server", server), part("runtime", runtime), part("grammar", grammar)];
  // The script must not contain a closing tag.
  const main = `<script>${script.toString("utf8").replaceAll("</script", "<\\/script")}</script>`;
  await mkdir(join(root, "client/playground/dist"), { recursive: true });
  await writeFile(
    page,
    template.replace("<!-- parts -->", () => [...parts, main].join("\n")),
  );
  return page;
}

if (process.argv[1] === import.meta.filename) {
  console.log(`made ${await buildPlayground()}`);
  if (!process.argv.includes("--build")) {
    const port = Number(process.env.PORT ?? 3001);
    createServer((_request, response) => {
      void readFile(page).then((html) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html));
    }).listen(port, "127.0.0.1", () => console.log(`the playground: http://localhost:${port}/\nCtrl+C ends it.`));
  }
}
