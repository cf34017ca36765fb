/**
 * Decides which functions nvcc compiles because something else that it compiles uses them. For its front end a use is a call, a name
 * that is only measured or whose address is taken, an operator, an object's beginning and end, and an object of a class with virtual
 * functions. It does not matter on which side the user runs. What `device-code.ts` follows are calls alone.
 */
import { memo } from "../memo.ts";
import type { CallFact, Facts } from "../semantics/facts/facts.ts";
import { innermostElement } from "../semantics/types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../semantics/types/symbols.ts";
import { hasWord } from "../syntax/walk.ts";
import { compiledCode, withCallees } from "./device-code.ts";

/** A use of a function, in a function or in the initializer of a variable at namespace scope. */
type Use = Pick<CallFact, "within" | "callee">;

/** The functions that are compiled as far as the file shows: those that other files can call, and everything that they use. */
export const usedFunctions = memo((facts: Facts): ReadonlySet<FunctionSymbol> => {
  const calls = usesIn(facts);
  const byInitializers = calls.flatMap(({ within, callee }) => (within === undefined && callee !== undefined ? [callee] : []));
  return withCallees([...compiledCode(facts).functions, ...byInitializers], { calls });
});

function usesIn({ calls, sharedCalls, references, variables }: Facts): readonly Use[] {
  const named = references.flatMap(({ within, symbol }): Use[] => (symbol.kind === "function" ? [{ within, callee: symbol }] : []));
  const virtual = variables.flatMap(({ variable: { type, scope, owner } }): Use[] => {
    const element = innermostElement(type);
    if (element.kind !== "record" || !element.record.isPolymorphic || (scope !== "block" && scope !== "program")) return [];
    return virtualFunctionsOf(element.record).map((callee) => ({ within: owner, callee }));
  });
  return [...calls, ...sharedCalls, ...named, ...virtual];
}

/** The functions that a virtual call on an object of the class may mean, also those that override one without the word. */
function virtualFunctionsOf(record: RecordSymbol): readonly FunctionSymbol[] {
  const all = [record, ...basesOf(record)].flatMap(({ functions }) => functions);
  const isDeclared = ({ declarations }: FunctionSymbol) => declarations.some(({ words }) => hasWord(words, "virtual"));
  const names = new Set(all.filter(isDeclared).map(({ name }) => name));
  return all.filter(
    ({ name, record: owner }) => names.has(name) && (owner === record || !record.functions.some((own) => own.name === name)),
  );
}

function basesOf({ bases }: RecordSymbol): readonly RecordSymbol[] {
  return bases.flatMap((base) => (base.kind === "record" ? [base.record, ...basesOf(base.record)] : []));
}
