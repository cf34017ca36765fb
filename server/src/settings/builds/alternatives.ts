/**
 * Finds the cases of a text of which its build certainly chooses one: tests without `#else` of macros that only the build defines, each of
 * which declares the same macro or type. They are one conditional (`#if REAL == 32 … #elif REAL == 64 … #endif`), or neighbours
 * (`#ifdef GLOBAL … #endif #ifdef LOCAL … #endif`). Which of them is taken is decided by `build-macros.ts`.
 */
import { withoutComments } from "../../embedded/join.ts";

/** A test that a macro satisfies with this value. */
export interface Alternative {
  readonly macro: string;
  readonly value: string;
}

/** Tests of which the build satisfies one. */
export interface Alternatives {
  readonly tests: readonly Alternative[];
  /** The test to choose: that of the branch which declares one of the names as `float`, the type for which code is usually written. */
  readonly chosen: Alternative;
  /** The macros and types that each branch declares, and nothing else in the text. */
  readonly declares: readonly string[];
  /** True if one of the macros is another address space in each branch: then each branch is another program. */
  readonly areSpaces: boolean;
  /** True if each name is an ordinary type in each branch, which host and device read the same way. */
  readonly areTypes: boolean;
}

/** A conditional that is open, or that has ended. */
interface Conditional {
  /** Absent if a branch tests something else. */
  tests: Alternative[] | undefined;
  /** The names that each branch so far declares, and their values. */
  readonly branches: Map<string, string>[];
  /** Conditionals of one branch in the current branch that nothing divides from the next directive. */
  row: Conditional[];
}

const directive = /^[ \t]*#[ \t]*(\w+)((?:[^\n]*\\\r?\n)*[^\n]*)$/gm;
const test = /^[ \t]*#[ \t]*(?:if|ifdef|elif)\b/gm;
const space = /^(?:__)?(?:global|local|constant|private|generic)$/;
const type = /^(?!.*\b(?:inline|static|extern)\b)(?!.*\b__)[A-Za-z][\w:\s*<>,]*$/;

/** The alternatives in a text, in its order. */
export function alternativesIn(text: string): readonly Alternatives[] {
  if ((text.match(test)?.length ?? 0) < 2) return [];
  const found: Alternatives[] = [];
  const countOf = declarationsIn(text);
  const add = ({ tests, branches }: Pick<Conditional, "tests" | "branches">) => {
    const own = tests === undefined ? undefined : alternatives(tests, branches, countOf);
    if (own !== undefined) found.push(own);
  };
  const endRow = (scope: Conditional) => {
    const { row } = scope;
    scope.row = [];
    if (row.length > 1) add({ tests: row.flatMap(({ tests = [] }) => tests), branches: row.flatMap(({ branches }) => branches) });
  };
  const whole = conditional(undefined);
  const open = [whole];
  let end = 0;
  for (const { 0: line, 1: word = "", 2: rest = "", index } of text.matchAll(directive)) {
    const current = open[open.length - 1] ?? whole;
    // What stands before a conditional of the file itself divides nothing.
    const between = current === whole && whole.row.length === 0 ? "" : withoutComments(text.slice(end, index));
    end = index + line.length;
    if (current !== whole) typesIn(between, current);
    if (between.trim() !== "" || !/^(?:if|endif)/.test(word)) endRow(current);
    const condition = withoutComments(rest).trim();
    if (word.startsWith("if")) open.push(conditional(testOf(word, condition)));
    else if (word === "define") {
      const [, name = "", value = ""] = /^(\w+)(?:\([^()]*\))?\s*(.*)$/.exec(condition) ?? [];
      current.branches[current.branches.length - 1]?.set(name, value);
    } else if (current === whole) continue;
    else if (word.startsWith("el")) {
      // A branch with an error rejects all other cases.
      if (!isRejecting(text.slice(end, end + 400))) {
        const test = word === "else" ? undefined : testOf(word.slice(2), condition);
        if (test === undefined) current.tests = undefined;
        else current.tests?.push(test);
      }
      current.branches.push(new Map());
    } else if (word === "endif") {
      endRow(current);
      open.pop();
      const outer = open[open.length - 1] ?? whole;
      if (current.tests !== undefined && current.branches.length === 1) outer.row.push(current);
      else {
        endRow(outer);
        add(current);
      }
    }
  }
  endRow(whole);
  return found;
}

function conditional(test: Alternative | undefined): Conditional {
  return { tests: test === undefined ? undefined : [test], branches: [new Map()], row: [] };
}

/** Adds the types that declarations name. */
function typesIn(code: string, { branches }: Conditional): void {
  for (const [, aliased = "", named = ""] of code.matchAll(/\btypedef\s+([^;{}()[\]]{1,200}?[\s*])(\w+)\s*;/g))
    branches[branches.length - 1]?.set(named, aliased.trim());
  for (const [, named = "", aliased = ""] of code.matchAll(/\busing\s+(\w+)\s*=\s*([^;{}()[\]]{1,200});/g))
    branches[branches.length - 1]?.set(named, aliased.trim());
}

function isRejecting(next: string): boolean {
  return /^\s*#[ \t]*error\b/.test(withoutComments(next));
}

function testOf(word: string, condition: string): Alternative | undefined {
  const macro = /^(?:defined\s*\(?\s*)?([A-Za-z]\w*)\s*\)?$/.exec(condition)?.[1];
  if (macro !== undefined && word !== "ifndef") return { macro, value: "1" };
  const [, name, value] = word === "if" ? (/^\(?\s*([A-Za-z]\w*)\s*==\s*(\d+)\s*\)?$/.exec(condition) ?? []) : [];
  return name === undefined || value === undefined ? undefined : { macro: name, value };
}

function alternatives(
  tests: readonly Alternative[],
  branches: readonly ReadonlyMap<string, string>[],
  countOf: (name: string) => number,
): Alternatives | undefined {
  const [first] = tests;
  const own = branches.slice(0, tests.length);
  const isOfBuild = tests.every(({ macro }) => !isOfCompiler.test(macro));
  if (first === undefined || tests.length < 2 || !isOfBuild || new Set(tests.map(meaning)).size < tests.length) return undefined;
  // One macro of several values is undefined as 0.
  if (tests.some(({ value }) => value === "0")) return undefined;
  const declares = [...(own[0]?.keys() ?? [])].filter((name) => own.every((branch) => branch.has(name)) && countOf(name) === own.length);
  if (declares.length === 0) return undefined;
  const valuesOf = (name: string) => own.map((branch) => branch.get(name) ?? "");
  const float = own.findIndex((branch) => declares.some((name) => branch.get(name) === "float"));
  return {
    tests,
    chosen: tests[Math.max(0, float)] ?? first,
    declares,
    areSpaces: declares.some((name) => valuesOf(name).every((value) => space.test(value)) && new Set(valuesOf(name)).size > 1),
    areTypes: declares.every((name) => valuesOf(name).every((value) => type.test(value))),
  };
}

/** Macros of compilers, platforms and extensions. */
const isOfCompiler = /^(?:cl_\w+|_*(?:WIN32|WIN64|WINDOWS|MSVC|linux|unix|APPLE|LINUX|UNIX)_*|NDEBUG)$/;

function meaning({ macro, value }: Alternative): string {
  return `${macro}=${value}`;
}

/** How many directives and declarations of a text declare each name. */
function declarationsIn(text: string): (name: string) => number {
  let counts: Map<string, number> | undefined;
  return (name) => {
    if (counts === undefined) {
      counts = new Map();
      const all = /#[ \t]*define[ \t]+(\w+)|\btypedef\s[^;{}()[\]]{0,200}[\s*](\w+)\s*;|\busing\s+(\w+)\s*=/g;
      for (const [, macro, type, alias] of text.matchAll(all)) {
        const declared = macro ?? type ?? alias ?? "";
        counts.set(declared, (counts.get(declared) ?? 0) + 1);
      }
    }
    return counts.get(name) ?? 0;
  };
}
