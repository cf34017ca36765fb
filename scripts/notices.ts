/** The licenses of the packages whose code is in the bundles, as one text that is shipped with them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

const root = join(import.meta.dirname, "..");
/** Its wasm is copied beside the bundles, so that bundlers do not see it. */
const copied = ["web-tree-sitter"];
/** What the parser's wasm was built from: packages of the grammar, which the build does not install. */
const compiledIn = ["tree-sitter-c", "tree-sitter-cpp"];

/** The licenses as one text. A file that the bundler has read, and of which it has kept nothing, needs none. */
export function noticesOf(builds: readonly Metafile[]): string {
  const packages = new Set(copied);
  const outputs = builds.flatMap((built) => Object.values(built.outputs));
  const kept = outputs.flatMap(({ inputs }) => Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0));
  for (const [input] of kept) {
    const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name !== undefined) packages.add(name);
  }
  const bundled = [...packages].filter((name) => existsSync(join(root, "node_modules", name, "package.json")));
  const parts = [...bundled.map(noticeOf), ...compiledIn.map(noticeOfGrammar)].sort();
  return ["gpu-qualifiers contains code of the following packages.", ...parts].join(`\n\n${"-".repeat(80)}\n\n`);
}

function noticeOf(name: string): string {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string; license?: string };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? `Licence: ${license ?? "see the package"}` : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version} (${license ?? "licence below"})\n\n${text}`;
}

/** The committed license of a package that the committed parser was built from, with the version in the grammar's own lock file. */
function noticeOfGrammar(name: string): string {
  const lock = JSON.parse(readFileSync(join(root, "grammars/package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  const version = lock.packages[`node_modules/${name}`]?.version ?? "";
  return `${name} ${version} (MIT)\n\n${readFileSync(join(root, "grammars/licenses", `${name}.txt`), "utf8").trim()}`;
}
