/**
 * Generates `src/` from `grammar.js`, and records the hashes of both, so that a test notices a parser that is older than its grammar.
 * `node grammars/opencl/build.mjs` needs npm, and apt for the generator, which is newer than that of the checker's grammar: this
 * parser has ABI 15.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { generator, sha256 } from "../build.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** The grammar and what is generated from it, as lines of `sha256sum`. */
export function hashes() {
  const { packages } = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
  const files = ["grammar.js", "tree-sitter.json", "src/grammar.json", "src/node-types.json", "src/parser.c"];
  const lines = files.map((name) => `${sha256(join(here, name))}  ${name}\n`);
  return `# from tree-sitter-c ${packages["node_modules/tree-sitter-c"].version}\n${lines.join("")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
  const [command, ...first] = generator("0.26.11", "forky");
  execFileSync(command, [...first, "generate"], { cwd: here, stdio: "inherit" });
  writeFileSync(join(here, "src/hashes.txt"), hashes());
}
