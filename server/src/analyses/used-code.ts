/**
 * Decides which functions nvcc compiles because something else that it compiles uses them. For its front end a use is a call, a name
 * that is only measured or whose address is taken, an operator, an object's beginning and end, and an object of a class with virtual
 * functions. It does not matter on which side the user runs. What `device-code.ts` follows are calls alone.
 */
import { memo } from "../memo.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import { innermostElement } from "../semantics/types/predicates.ts";
import type { FunctionSymbol, RecordSymbol } from "../semantics/types/symbols.ts";
import { hasWord } from "../syntax/walk.ts";
import { compiledCode } from "./device-code.ts";

/** The functions that are compiled as far as the file shows: those that other files can call, and everything that they use. */
export const usedFunctions = memo((facts: Facts): ReadonlySet<FunctionSymbol> => {
  const uses = usesIn(facts);
  const reached = new Set([...compiledCode(facts).functions, ...(uses.get(undefined) ?? [])]);
  // Iterating over a set also visits elements added meanwhile.
  for (const each of reached) for (const used of uses.get(each) ?? []) reached.add(used);
  return reached;
});

/** What each function uses; under `undefined` what initializers of variables at namespace scope use. */
function usesIn(facts: Facts): ReadonlyMap<FunctionSymbol | undefined, readonly FunctionSymbol[]> {
  const uses = new Map<FunctionSymbol | undefined, FunctionSymbol[]>();
  const add = (within: FunctionSymbol | undefined, used: FunctionSymbol) => {
    const known = uses.get(within);
    if (known === undefined) uses.set(within, [used]);
    else known.push(used);
  };
  for (const { within, callee } of facts.calls) if (callee !== undefined) add(within, callee);
  for (const { within, callee } of facts.sharedCalls) add(within, callee);
  for (const { within, symbol } of facts.references) if (symbol.kind === "function") add(within, symbol);
  for (const { variable } of facts.variables) {
    const element = innermostElement(variable.type);
    if (element.kind !== "record" || !element.record.isPolymorphic) continue;
    if (variable.scope !== "block" && variable.scope !== "program") continue;
    for (const each of virtualFunctionsOf(element.record)) add(variable.owner, each);
  }
  return uses;
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
