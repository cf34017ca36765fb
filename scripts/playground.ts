/**
 * `npm run playground`: builds the playground, one HTML file that contains the server, the parser and the examples of every rule,
 * and serves it; with `--build` it only builds. Any web server can serve the file, and a browser can open it from disk.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Metafile } from "esbuild";
import markdownIt from "markdown-it";
import type { Shared } from "../client/playground/shared.ts";
import { pageOfRule } from "../server/src/cli/home.ts";
import { rules } from "../server/src/rules/index.ts";
import type { RuleExample } from "../server/src/rules/rule.ts";
import { settingsSchema, severitiesOfProfile } from "../server/src/settings/settings-schema.ts";
import { noticesOf } from "./notices.ts";
import { freePort } from "./ports.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "client/playground/dist/index.html");

const common = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  format: "iife",
  platform: "browser",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
  // The parser's runtime imports these only in Node.
  external: ["fs", "fs/promises", "module", "path", "url"],
} satisfies BuildOptions;

/** The rule that a newcomer sees first. */
const flagship = "grid-constant-non-const";

/** An example of the playground, as its page gets it. */
export interface PlaygroundExample extends Shared {
  readonly id: string;
  readonly title: string;
}

/** The first example of each rule in each language, the flagship's first, and one in several files. */
export function playgroundExamples(): readonly PlaygroundExample[] {
  const isFirst = ({ id }: { readonly id: string }) => (id === flagship ? 0 : 1);
  const ofRules = [...rules]
    .sort((a, b) => isFirst(a) - isFirst(b))
    .flatMap(({ id, title, examples }) =>
      (["cuda", "opencl"] as const).flatMap((language) => {
        const example = examples.find((each) => each.language === language);
        return example === undefined ? [] : [{ id: `${language} ${id}`, title: title.replaceAll("`", ""), ...sharedExample(example) }];
      }),
    );
  const [first, ...others] = ofRules;
  return first === undefined ? [] : [first, inSeveralFiles(), ...others];
}

/** What the playground shows of a rule's example. Rules name an architecture as compilers do. */
export function sharedExample({ language, bad, standard = "" }: RuleExample): Shared {
  const text = `${bad.replace(/[ \t]*\/\/ <-$/gm, "").trimEnd()}\n`;
  return { target: standard.replace(/^sm_/, ""), files: [{ name: language === "cuda" ? "kernel.cu" : "kernel.cl", text }] };
}

/** Declarations that disagree, which no compiler sees: the example on the first page. */
function inSeveralFiles(): PlaygroundExample {
  const files = ["integrate.cu", "kernels.cuh", "params.cuh"].map((name) => ({
    name,
    text: readFileSync(join(root, "examples/cuda", name), "utf8"),
  }));
  return { id: "files grid-constant-mismatch", title: "declarations of a kernel disagree, and nvcc accepts them", target: "", files };
}

/** What each rule says about itself, as HTML. Pages of other rules are not here, so links to them are only their names. */
function texts(): Readonly<Record<string, string>> {
  const renderer = markdownIt();
  return Object.fromEntries(
    rules.map(({ id, documentation }) => [
      id,
      renderer
        .render(documentation.trim().replace(/\[([^\]]+)\]\((?!\w+:)[^)]*\)/g, "$1"))
        .replaceAll("<a href", '<a target="_blank" rel="noreferrer" href'),
    ]),
  );
}

interface Bundle {
  readonly code: Buffer;
  readonly metafile: Metafile;
}

async function bundled(entry: string, define: Readonly<Record<string, string>> = {}): Promise<Bundle> {
  const { outputFiles, metafile } = await build({ ...common, entryPoints: [entry], define });
  return { code: Buffer.from(outputFiles[0]?.contents ?? []), metafile };
}

/**
 * Writes the page and returns its path. `pages` is the address of a rule's page, in which `{rule}` stands for its id; without it they are
 * those of the project's repository, if it has an address.
 */
export async function buildPlayground(to = page, pages = pageOfRule("{rule}") ?? ""): Promise<string> {
  const [template, script, server, runtime, grammar] = await Promise.all([
    readFile(join(root, "client/playground/index.html"), "utf8"),
    bundled("client/playground/main.ts", {
      playgroundExamples: JSON.stringify(playgroundExamples()),
      playgroundTexts: JSON.stringify(texts()),
      playgroundPages: JSON.stringify(pages),
      // Every rule can be tried, those of the profile `strict`, too.
      playgroundRules: JSON.stringify(severitiesOfProfile(settingsSchema(rules), "strict")),
    }),
    bundled("server/src/entries/server-browser.ts"),
    readFile(createRequire(import.meta.url).resolve("web-tree-sitter/web-tree-sitter.wasm")),
    readFile(join(root, "grammars/tree-sitter-gpu.wasm")),
  ]);
  const part = (name: string, content: Buffer) =>
    `<script type="text/plain" id="part-${name}">${gzipSync(content, { level: 9 }).toString("base64")}</script>`;
  const notices = Buffer.from(noticesOf([script.metafile, server.metafile]));
  const parts = [part("server", server.code), part("runtime", runtime), part("grammar", grammar), part("notices", notices)];
  // The script must not contain a closing tag.
  const code = script.code.toString("utf8").replaceAll("</script", "<\\/script");
  // Nothing can be fetched or sent, and no other script can run.
  const hash = createHash("sha256").update(code).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  await mkdir(dirname(to), { recursive: true });
  await writeFile(
    to,
    template
      .replace("<!-- policy -->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
      .replace("<!-- parts -->", () => [...parts, `<script>${code}</script>`].join("\n")),
  );
  return to;
}

if (process.argv[1] === import.meta.filename) {
  console.log(`made ${await buildPlayground()}`);
  if (!process.argv.includes("--build")) {
    const wanted = Number(process.env.PORT ?? 3001);
    const port = await freePort(wanted);
    if (port !== wanted) console.log(`port ${wanted} is busy`);
    createServer((_request, response) => {
      void readFile(page).then((html) => response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html));
    }).listen(port, "127.0.0.1", () => console.log(`the playground: http://127.0.0.1:${port}/\nCtrl+C ends it.`));
  }
}
