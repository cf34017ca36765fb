/** Lists the macros that a text defines, in every branch of its conditionals, with the places of their parts. */
import type { SourceSpan } from "../../source.ts";
import { createInterner } from "../lexing/interner.ts";
import { tokenize, textOf as wordOf } from "../lexing/lexer.ts";
import { endOfDirective } from "../lexing/lines.ts";
import { readDefinition } from "./macros.ts";

/** A definition as its author wrote it. */
export interface WrittenMacro {
  readonly name: string;
  readonly span: SourceSpan;
  /** The whole directive. */
  readonly line: SourceSpan;
  /** Absent for an object-like macro. */
  readonly parameters: readonly string[] | undefined;
  /** The replacement list; empty at the end of the directive if there is none. */
  readonly body: SourceSpan;
  /** The innermost branch around it. */
  readonly branch: WrittenBranch | undefined;
}

/** A branch of a conditional; branches may nest as deeply as the text is long. */
export interface WrittenBranch {
  /** A directive like `ifdef NAME`, or `else` for any branch but the first. */
  readonly condition: string;
  readonly outer: WrittenBranch | undefined;
}

const interner = createInterner();
const known = new Map<string, readonly WrittenMacro[]>();
/** How many texts are remembered, because several questions about a program come together. */
const textsKept = 32;

/** The definitions in source order. */
export function definitionsIn(text: string): readonly WrittenMacro[] {
  const present = known.get(text);
  if (present !== undefined) return present;
  const found = read(text);
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - textsKept + 1))) known.delete(oldest);
  known.set(text, found);
  return found;
}

function read(text: string): readonly WrittenMacro[] {
  if (!text.includes("define")) return [];
  const tokens = tokenize(text, interner, false);
  let branch: WrittenBranch | undefined;
  return tokens.directives.flatMap((hash): WrittenMacro[] => {
    const end = endOfDirective(tokens, hash);
    const word = hash + 1 < end ? wordOf(tokens, hash + 1, interner) : "";
    if (/^if(?:n?def)?$/.test(word))
      branch = { condition: text.slice(tokens.starts[hash + 1], tokens.ends[end - 1]).replace(/\s+/g, " "), outer: branch };
    else if (word.startsWith("el")) branch = { condition: "else", outer: branch?.outer };
    else if (word === "endif") branch = branch?.outer;
    if (hash + 2 >= end || word !== "define") return [];
    const macro = readDefinition(tokens, hash + 2, end, "", interner);
    if (macro === undefined) return [];
    const start = tokens.starts[hash + 2] ?? 0;
    const last = tokens.ends[end - 1] ?? start;
    return [
      {
        name: macro.name,
        span: { start, end: tokens.ends[hash + 2] ?? start },
        line: { start: tokens.starts[hash] ?? start, end: last },
        parameters: macro.parameters?.map((id) => interner.textOf(id)),
        body: { start: macro.from < end ? (tokens.starts[macro.from] ?? last) : last, end: last },
        branch,
      },
    ];
  });
}
