/** The edits that put a function on both sides: `__host__ __device__`, or the project's own macro for both, on each declaration. */
import { functionsNamed } from "../../analyses/fact-index.ts";
import { memo } from "../../memo.ts";
import { destructorOf } from "../../semantics/declarations/initialization.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol } from "../../semantics/types/symbols.ts";
import type { PlacedEdit, RuleFix } from "../rule.ts";

/** The fix that makes a host function callable from both sides; none for a member of an instantiated class that is declared elsewhere. */
export function makeDeviceFunction(callee: FunctionSymbol, facts: Facts): readonly RuleFix[] {
  const destructor = callee.record === undefined || callee.name !== callee.record.tag ? undefined : destructorOf(callee.record);
  // What device code creates, it destroys.
  const both = destructor === undefined || runsOnDevice(destructor) ? [callee] : [callee, destructor];
  return declareAs(both, macroForBoth(facts).name ?? "__host__ __device__", facts);
}

/** The fix that makes a function of the device callable from both sides. */
export function makeHostFunction(callee: FunctionSymbol, facts: Facts): readonly RuleFix[] {
  return declareAs([callee], "__host__", facts);
}

function declareAs(both: readonly FunctionSymbol[], text: string, facts: Facts): readonly RuleFix[] {
  const declarations = both.flatMap((each) => [...each.declarations, ...outsideOf(each, facts)]);
  const edits = declarations.map(({ place }): PlacedEdit => ({ place, how: "before", text: `${text} ` }));
  const names = both.map(({ name }) => `'${name}'`).join(" and ");
  return [{ title: `Declare ${names} as '${text}'`, edits, safety: "suggestion" }];
}

/** True if the function has `__device__`, or the compiler decides where it runs. */
function runsOnDevice({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ special, execution }) => special !== undefined || execution.device);
}

/** The definitions of a class template's member outside of the class, which are no declarations of its instantiation's member. */
function outsideOf({ record, name, declarations }: FunctionSymbol, facts: Facts): readonly FunctionDeclaration[] {
  const template = record?.instance?.template;
  if (template === undefined) return [];
  return functionsNamed(facts, name)
    .filter((each) => each.record === template && each.type.parameters.length === declarations[0]?.parameters.length)
    .flatMap((each) => each.declarations)
    .filter(({ place }) => !declarations.some((own) => own.place.unit === place.unit && own.place.span.start === place.span.start));
}

/** The macro with which the file marks most of its functions for both sides; undefined if it spells the words. */
const macroForBoth = memo((facts: Facts): { readonly name: string | undefined } => {
  const counts = new Map<string, number>();
  for (const { declarations } of facts.functions) {
    for (const declaration of declarations) {
      const name = macroOf(declaration, "__device__");
      if (name !== undefined && name === macroOf(declaration, "__host__")) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return { name: [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] };
});

function macroOf({ words }: FunctionDeclaration, text: string): string | undefined {
  const word = words.find((each) => each.text === text);
  return word?.place.unit.view.origin(word.place.span).macro?.name;
}
