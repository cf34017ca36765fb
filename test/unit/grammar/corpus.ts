/**
 * Reads tree-sitter's corpus format (a title between lines of `=`, code, `---`, the expected tree) and compares trees as
 * text without regard to white space.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface CorpusCase {
  readonly file: string;
  readonly title: string;
  readonly code: string;
  readonly tree: string;
}

export function readCorpus(folder: string): readonly CorpusCase[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return files.sort().flatMap((file) => readCases(file, readFileSync(join(folder, file), "utf8")));
}

function readCases(file: string, text: string): readonly CorpusCase[] {
  const parts = text.split(/^=+\n(.*)\n=+\n/m).slice(1);
  const cases: CorpusCase[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [code = "", tree = ""] = (parts[at + 1] ?? "").split(/^---+\n/m);
    cases.push({ file, title: parts[at] ?? "", code: code.trim(), tree: normalize(tree) });
  }
  return cases;
}

/** The tree with one blank between words, and none beside parentheses. */
export function normalize(tree: string): string {
  return tree.replace(/\s+/g, " ").replace(/ \)/g, ")").trim();
}

/** Writes the cases back, with the trees that `treeOf` gives them. */
export function writeCorpus(folder: string, cases: readonly CorpusCase[], treeOf: (code: string) => string): void {
  const rule = "=".repeat(20);
  for (const file of new Set(cases.map((one) => one.file))) {
    const texts = cases
      .filter((one) => one.file === file)
      .map((one) => `${rule}\n${one.title}\n${rule}\n\n${one.code}\n\n---\n\n${indent(treeOf(one.code))}\n`);
    writeFileSync(join(folder, file), texts.join("\n"));
  }
}

/** The tree with one node per line, as tree-sitter's own tool writes it. A node without children stays on the line of its field. */
function indent(tree: string): string {
  let depth = 0;
  let result = "";
  for (const token of tree.match(/\(MISSING [^)]*\)|[a-z_]+: |\([A-Za-z_]+|\)/g) ?? []) {
    if (token === ")") {
      depth--;
      result += ")";
      continue;
    }
    const isField = token.endsWith(": ");
    if (!result.endsWith(": ") && result !== "") result += `\n${"  ".repeat(depth)}`;
    result += token;
    if (!isField && !token.endsWith(")")) depth++;
  }
  return result;
}
