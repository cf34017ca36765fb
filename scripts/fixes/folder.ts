/**
 * Tries the fixes and refactorings of a folder's files in a copy of the folder: each is applied alone, checked and compiled, and taken
 * back. Only files that a compiler accepts are tried, because in others nothing can be compared.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fix } from "../../server/src/finding.ts";
import { openFolder } from "../../server/src/node/open-folder.ts";
import type { Edit } from "../../server/src/source.ts";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import { countedFindings, edited, problemOfCounts } from "../../test/offers.ts";
import { acceptedWith, accepts, sourcesIn } from "../precision/recipes.ts";

/** What was tried in a folder. */
export interface Tried {
  readonly files: number;
  readonly offers: number;
  readonly wrong: number;
}

/** How much of a folder is tried. */
export interface Extent {
  /** The greatest number of files with something to try. */
  readonly files: number;
  /** The greatest number of offers of a file: some of the fixes of each rule, and some refactorings. */
  readonly each: number;
}

interface Candidate {
  readonly title: string;
  readonly line: number;
  readonly rule: string | undefined;
  readonly edits: readonly Edit[];
}

/** Tries the offers of a folder's files, and says which are wrong. */
export async function tryFolder(folder: string, parser: SyntaxParser, extent: Extent, say: (problem: string) => void): Promise<Tried> {
  const copy = join(mkdtempSync(join(tmpdir(), "fixes-")), "copy");
  try {
    execFileSync("cp", ["-rlP", folder, copy]);
    let wrong = 0;
    let files = 0;
    let offers = 0;
    for (const path of spread(sourcesIn(copy, ""))) {
      if (files >= extent.files) break;
      const found = candidatesIn(copy, path, parser, []);
      const flags = found.length === 0 ? undefined : await acceptedWith(copy, path);
      if (flags === undefined) continue;
      const chosen = sample(candidatesIn(copy, path, parser, flags), extent.each);
      if (chosen.length > 0) files += 1;
      // The count of a run that is interrupted.
      if (chosen.length > 0) console.error(`${path}: ${chosen.length} to try after ${offers} in ${files} files, ${wrong} of them wrong`);
      for (const each of chosen) {
        offers += 1;
        const problem = await problemOf(copy, path, parser, flags, each);
        if (problem === undefined) continue;
        wrong += 1;
        say(`${path}:${each.line} ${each.title} [${each.rule ?? "refactoring"}]: ${problem}`);
      }
    }
    return { files, offers, wrong };
  } finally {
    rmSync(join(copy, ".."), { recursive: true, force: true });
  }
}

/** The paths in an order in which neighbors, which are often alike, are far apart. */
function spread(paths: readonly string[]): readonly string[] {
  const step = 7;
  return Array.from({ length: step }, (_, start) => paths.filter((_path, index) => index % step === start)).flat();
}

function candidatesIn(folder: string, path: string, parser: SyntaxParser, flags: readonly string[]): readonly Candidate[] {
  const opened = openFolder(folder, parser, { flags });
  try {
    const uri = opened.uriOf(path);
    const text = opened.textOf(uri) ?? "";
    const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
    const fixes = opened
      .service()
      .check(uri)
      .diagnostics.flatMap(({ rule, severity, location, fixes: offered }) =>
        offered.flatMap((given: Fix): readonly Candidate[] => {
          const fix = opened.service().complete(uri, given);
          const line = lineOf(location.span.start);
          return fix === undefined ? [] : [{ title: fix.title, line, rule: `${rule} ${severity}`, edits: fix.edits }];
        }),
      );
    const refactorings = new Map<string, Candidate>();
    const words = [...text.matchAll(/\b[A-Za-z_]\w*/g)];
    for (const { index } of words.filter((_, at) => at % Math.ceil(words.length / mostWords) === 0)) {
      for (const { title, edits } of opened.service().refactorings(uri, { start: index, end: index }))
        refactorings.set(JSON.stringify(edits), { title, line: lineOf(index), rule: undefined, edits });
    }
    return [...fixes, ...refactorings.values()];
  } finally {
    opened.dispose();
  }
}

/** At how many words of a file refactorings are asked for. */
const mostWords = 80;

/** Some of the candidates: one of each kind first. */
function sample(candidates: readonly Candidate[], count: number): readonly Candidate[] {
  const kindOf = ({ rule, title }: Candidate) => `${rule ?? ""} ${title.replace(/'[^']*'/g, "")}`;
  const rank = new Map<string, number>();
  return candidates
    .map((candidate) => {
      const before = rank.get(kindOf(candidate)) ?? 0;
      rank.set(kindOf(candidate), before + 1);
      return { candidate, before };
    })
    .sort((a, b) => a.before - b.before)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

async function problemOf(
  folder: string,
  path: string,
  parser: SyntaxParser,
  flags: readonly string[],
  { edits, rule }: Candidate,
): Promise<string | undefined> {
  const opened = openFolder(folder, parser, { flags });
  const restored = new Map<string, string>();
  try {
    const uri = opened.uriOf(path);
    const before = countedFindings(opened.service().check(uri).diagnostics);
    for (const changed of new Set(edits.map(({ location }) => location.uri))) {
      const file = opened.pathOf(changed);
      const text = opened.textOf(changed);
      if (file === undefined || text === undefined) return undefined;
      restored.set(file, readFileSync(file, "utf8"));
      // The copy shares its files with the folder until they are replaced.
      rmSync(file);
      writeFileSync(file, edited(text, edits, changed));
    }
    opened.changed([...restored.keys()]);
    const own = problemOfCounts(before, countedFindings(opened.service().check(uri).diagnostics), rule);
    const isValid = await accepts(folder, path, flags);
    const problems = [...(own === undefined ? [] : [own]), ...(isValid ? [] : ["the compiler rejects it"])];
    return problems.length === 0 ? undefined : problems.join("; ");
  } finally {
    opened.dispose();
    for (const [file, text] of restored) {
      rmSync(file);
      writeFileSync(file, text);
    }
  }
}
