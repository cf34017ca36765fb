/**
 * Which functions a kernel runs, as far as its file shows, and whether the bodies that the file does not show could declare memory of
 * a kind. A number is only complete if they cannot.
 */
import { memoByPair } from "../../memo.ts";
import { areInSameFile, unitsOfFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import { isStandardHeader } from "../../semantics/builtins/standard-headers.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { executionOf } from "../device-code.ts";
import { callsWithin, functionsNamed } from "../fact-index.ts";

/** A word that puts a variable into memory that a kernel's functions share. */
export type StaticMemoryWord = "__shared__" | "__constant__";

/** The functions that a kernel runs. */
export interface ReachedMemory {
  /** The kernel itself, and the functions that it calls, directly or indirectly, with bodies in the file. */
  readonly functions: ReadonlySet<FunctionSymbol>;
  /** True if no other function that the kernel calls can declare a variable with the word. */
  isWhole(word: StaticMemoryWord): boolean;
}

interface Callees {
  readonly bodies: readonly FunctionSymbol[];
  /** Where the other bodies are: in a header of the translation unit, or in another translation unit. */
  readonly others: "none" | "in headers" | "elsewhere";
}

/** The functions that the kernel runs. */
export function reachedBy(kernel: FunctionSymbol, facts: Facts): ReachedMemory {
  const unit = kernel.declarations[0]?.namePlace.unit;
  const functions = new Set([kernel]);
  let usesHeaders = false;
  let leaves = false;
  // Iterating over a set also visits elements added meanwhile.
  for (const each of functions) {
    for (const call of callsWithin(facts, each)) {
      const { bodies, others } = calleesOf(call, facts);
      for (const body of bodies) functions.add(body);
      usesHeaders ||= others === "in headers";
      leaves ||= others === "elsewhere";
    }
  }
  return { functions, isWhole: (word) => !leaves && !(usesHeaders && unit !== undefined && isInHeaders(word, unit)) };
}

function calleesOf({ callee, launch, name, place }: CallFact, facts: Facts): Callees {
  if (launch !== undefined || callee?.isBuiltin === true) return { bodies: [], others: "none" };
  const hasBody = (symbol: FunctionSymbol) => symbol.declarations.some(({ isDefinition }) => isDefinition);
  // The bodies of headers are not read with the file.
  const isHere = (symbol: FunctionSymbol) => isDefinedIn(place.unit, symbol);
  if (callee === undefined) {
    // In a template, the arguments decide which function is called.
    const named = functionsNamed(facts, name.split("::").at(-1) ?? "").filter((symbol) => executionOf(symbol).device && hasBody(symbol));
    if (named.length > 0) return { bodies: named.filter(isHere), others: named.every(isHere) ? "none" : "in headers" };
    return { bodies: [], others: /^[\w:]+$/.test(name) ? "in headers" : "elsewhere" };
  }
  if (!hasBody(callee)) return { bodies: [], others: "elsewhere" };
  return isHere(callee) ? { bodies: [callee], others: "none" } : { bodies: [], others: "in headers" };
}

/** True if the file of a unit contains the function's body. */
export function isDefinedIn(unit: Unit, { declarations }: FunctionSymbol): boolean {
  return declarations.some(({ isDefinition, namePlace }) => isDefinition && areInSameFile(namePlace.unit, unit));
}

/** True if a header of the translation unit has the word, or is missing. */
function isInHeaders(word: StaticMemoryWord, unit: Unit): boolean {
  return unitsOfFile(unit).some(({ includes }) =>
    includes.some(({ unit: header, name }) =>
      header === undefined ? !isStandardHeader(name) : unitsIn(header).some((each) => hasWord(each, word)),
    ),
  );
}

const hasWord = memoByPair(({ includes, view }: Unit, word: StaticMemoryWord): boolean => {
  const isMissing = includes.some(({ unit: header, name }) => header === undefined && !isStandardHeader(name));
  return isMissing || view.text.includes(word);
});
