/** The licenses of the packages that are bundled, as one text that is shipped with the bundles. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
/** Packages whose code is compiled into the parser's wasm, so that bundlers do not see it. */
const compiledIn = ["web-tree-sitter", "tree-sitter-cpp", "tree-sitter-c"];

/** The licenses as one text. `inputs` are the files that the bundler has read, relative to the root. */
export function noticesOf(inputs: Iterable<string>): string {
  const packages = new Set(compiledIn);
  for (const input of inputs) {
    const name = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name !== undefined) packages.add(name);
  }
  const parts = [...packages]
    .sort()
    .filter((name) => existsSync(join(root, "node_modules", name, "package.json")))
    .map(noticeOf);
  return ["gpu-qualifiers contains code of the following packages.", ...parts].join(`\n\n${"-".repeat(80)}\n\n`);
}

function noticeOf(name: string): string {
  const folder = join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string; license?: string };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? `Licence: ${license ?? "see the package"}` : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version} (${license ?? "licence below"})\n\n${text}`;
}
