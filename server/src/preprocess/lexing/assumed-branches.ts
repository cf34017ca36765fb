/**
 * Finds the branches of conditionals around a place, so that a file can be read as if that place were active. An editor explains code in
 * an inactive branch as a build would read it that chooses the branch.
 */
import type { FileUri } from "../../source.ts";
import { createInterner } from "./interner.ts";
import { textOf, tokenize } from "./lexer.ts";
import { endOfDirective } from "./lines.ts";

/** Which branches of one file are taken, whatever their conditions say. */
export interface AssumedBranches {
  readonly uri: FileUri;
  /** By the offset of the directive that begins the branch; branches before the one that is taken are not. */
  readonly taken: ReadonlyMap<number, boolean>;
  /** Equal for all places in the same branches. */
  readonly key: string;
}

/** The branches around an offset of a text; undefined if it is outside of all conditionals. */
export function branchesAround(uri: FileUri, text: string, offset: number): AssumedBranches | undefined {
  const interner = createInterner();
  const tokens = tokenize(text, interner, false);
  const open: number[][] = [];
  for (const hash of tokens.directives) {
    const start = tokens.starts[hash] ?? 0;
    if (start > offset) break;
    const name = hash + 1 < endOfDirective(tokens, hash) ? textOf(tokens, hash + 1, interner) : "";
    if (name === "if" || name === "ifdef" || name === "ifndef") open.push([start]);
    else if (name.startsWith("el")) open[open.length - 1]?.push(start);
    else if (name === "endif") open.pop();
  }
  if (open.length === 0) return undefined;
  const taken = new Map(open.flatMap((branches) => branches.map((at, index) => [at, index === branches.length - 1] as const)));
  return { uri, taken, key: [uri, ...[...taken].map(([at, isTaken]) => `${isTaken ? "+" : "-"}${at}`)].join(" ") };
}
