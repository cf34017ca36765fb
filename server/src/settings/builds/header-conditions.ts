/**
 * Finds in the text of a header, or of a source, what its build certainly defines: the macro in whose conditional the whole header
 * stands, and one macro of a chain of tests of several (`#if DT_F32 == 1 … #elif DT_F16 == 1 … #endif`), every branch of which
 * defines the same macro. Which of them are defined is decided by `build-macros.ts`.
 */
import { withoutComments } from "../../embedded/join.ts";

/** A test that a macro satisfies with this value. */
export interface Alternative {
  readonly macro: string;
  readonly value: string;
}

/** The tests of a chain whose branches all define a macro. */
export interface Alternatives {
  readonly tests: readonly Alternative[];
  /** The test to choose: that of the branch which defines one of them as `float`, the type for which code is usually written. */
  readonly chosen: Alternative;
  /** The macros that the chosen branch defines. */
  readonly defines: readonly string[];
}

const directive = /^[ \t]*#[ \t]*(\w+)[ \t]*(.*)$/;

/** The macro without which a header is empty, except for its include guard; undefined if there is none. */
export function macroAroundHeader(text: string): string | undefined {
  if (!/^[ \t]*#[ \t]*(?:ifdef|if[ \t]+defined)\b/m.test(text)) return undefined;
  const lines = withoutComments(text)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^#[ \t]*pragma[ \t]+once/.test(line));
  const guard = /^#[ \t]*(?:ifndef|if[ \t]+!\s*defined\s*\(?)[ \t]*(\w+)/.exec(lines[0] ?? "")?.[1];
  const isGuarded =
    guard !== undefined && new RegExp(`^#[ \\t]*define[ \\t]+${guard}\\b`).test(lines[1] ?? "") && /^#[ \t]*endif/.test(lines.at(-1) ?? "");
  const inner = isGuarded ? lines.slice(2, -1) : lines;
  const macro = /^#[ \t]*(?:ifdef[ \t]+|if[ \t]+defined[ \t]*\(?[ \t]*)([A-Za-z]\w*)[ \t]*\)?$/.exec(inner[0] ?? "")?.[1];
  return macro !== undefined && isOneConditional(inner) ? macro : undefined;
}

/** True if the conditional that the first line begins ends in the last line and has no other branch. */
function isOneConditional(lines: readonly string[]): boolean {
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    const word = directive.exec(line)?.[1] ?? "";
    if (word.startsWith("if")) depth += 1;
    else if (word === "endif") depth -= 1;
    else if (word.startsWith("el") && depth === 1) return false;
    if (depth === 0) return index === lines.length - 1;
  }
  return false;
}

interface Open {
  /** Absent if a branch tests something else. */
  tests: Alternative[] | undefined;
  /** The macros that each branch so far defines, and their values. */
  readonly branches: Map<string, string>[];
}

/** The chains of tests of several macros in a text. */
export function alternativesIn(text: string): readonly Alternatives[] {
  if (!/^[ \t]*#[ \t]*elif/m.test(text)) return [];
  const found: Alternatives[] = [];
  const open: Open[] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const [, word = "", rest = ""] = directive.exec(line) ?? [];
    const condition = withoutComments(rest).trim();
    const current = open[open.length - 1];
    if (word.startsWith("if")) open.push({ tests: asList(testOf(word, condition)), branches: [new Map()] });
    else if (current === undefined) continue;
    else if (word === "define") {
      const [, name = "", value = ""] = /^(\w+)(?:\([^()]*\))?\s*(.*)$/.exec(condition) ?? [];
      current.branches[current.branches.length - 1]?.set(name, value);
    } else if (word.startsWith("el")) {
      // A branch with an error rejects all other cases.
      if (!isRejecting(lines, index)) {
        const test = word === "else" ? undefined : testOf(word.slice(2), condition);
        if (test === undefined) current.tests = undefined;
        else current.tests?.push(test);
      }
      current.branches.push(new Map());
    } else if (word === "endif") {
      open.pop();
      const chain = current.tests === undefined ? undefined : alternatives(current.tests, current.branches);
      if (chain !== undefined) found.push(chain);
    }
  }
  return found;
}

function isRejecting(lines: readonly string[], index: number): boolean {
  const next = lines.slice(index + 1, index + 4).find((each) => withoutComments(each).trim() !== "") ?? "";
  return /^\s*#\s*error\b/.test(next);
}

function asList(test: Alternative | undefined): Alternative[] | undefined {
  return test === undefined ? undefined : [test];
}

function testOf(word: string, condition: string): Alternative | undefined {
  const macro = /^(?:defined\s*\(?\s*)?([A-Za-z]\w*)\s*\)?$/.exec(condition)?.[1];
  if (macro !== undefined && word !== "ifndef") return { macro, value: "1" };
  const [, name, value] = word === "if" ? (/^\(?\s*([A-Za-z]\w*)\s*==\s*([1-9]\d*)\s*\)?$/.exec(condition) ?? []) : [];
  return name === undefined || value === undefined ? undefined : { macro: name, value };
}

function alternatives(tests: readonly Alternative[], branches: readonly ReadonlyMap<string, string>[]): Alternatives | undefined {
  const [first] = tests;
  const own = branches.slice(0, tests.length);
  const shared = [...(own[0]?.keys() ?? [])].filter((name) => own.every((branch) => branch.has(name)));
  // Tests of one macro for several values are chains, which `conditionsIn` finds.
  if (first === undefined || tests.length < 2 || new Set(tests.map(({ macro }) => macro)).size < tests.length || shared.length === 0)
    return undefined;
  const float = own.findIndex((branch) => [...branch.values()].includes("float"));
  const at = Math.max(0, float);
  return { tests, chosen: tests[at] ?? first, defines: [...(own[at]?.keys() ?? [])] };
}
