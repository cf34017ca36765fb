/**
 * Every file of the repository that is generated from the rules, the qualifiers and the project's address, with its expected text.
 * `generate-docs.ts` writes them, and a test compares them with the files on disk.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rules } from "../../server/src/rules/index.ts";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import { type Manifest, optionsTable, withHome, withSettings } from "./editor-settings.ts";
import { findersPage } from "./finders-page.ts";
import { cudaWordsGrammar, withModifiers } from "./highlighting.ts";
import { cudaMemoryPage, openclMemoryPage } from "./memory-pages.ts";
import { preCommitMirror } from "./pre-commit-mirror.ts";
import { filesWithAddresses, thisProject, withProject } from "./project-addresses.ts";
import { rulePage, rulesIndex, withTable } from "./rule-pages.ts";

export const root = join(import.meta.dirname, "../..");
const pages = "server/docs/rules";

/** Paths from the root, with texts. */
export function generatedFiles(parser: SyntaxParser): ReadonlyMap<string, string> {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  const options = withTable(readFileSync(join(root, "docs/editors.md"), "utf8"), optionsTable(), "options");
  if (options === undefined) throw new Error("docs/editors.md has lost the marks <!-- options:start --> and <!-- options:end -->");
  const project = thisProject();
  const addressed = filesWithAddresses.map((path) => {
    const text = path === "docs/editors.md" ? options : readFileSync(join(root, path), "utf8");
    return [path, withProject(text, project)] as const;
  });
  return new Map([
    ["package.json", `${JSON.stringify(withHome(withModifiers(withSettings(manifest))), undefined, 2)}\n`],
    ["client/cuda-words.tmLanguage.json", cudaWordsGrammar()],
    ...addressed,
    ...preCommitMirror(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8"), project.version),
    ...rules.map((rule) => [`${pages}/${rule.id}.md`, rulePage(rule, parser)] as const),
    ["server/docs/memory-cuda.md", cudaMemoryPage()],
    ["server/docs/memory-opencl.md", openclMemoryPage()],
    ["docs/rules.md", rulesIndex(rules)],
    ["docs/who-finds-what.md", findersPage(rules)],
  ]);
}

/** Pages of rules that no longer exist. */
export function strayPages(): readonly string[] {
  const known = new Set(rules.map(({ id }) => `${id}.md`));
  return readdirSync(join(root, pages))
    .filter((name) => !known.has(name))
    .map((name) => `${pages}/${name}`);
}
