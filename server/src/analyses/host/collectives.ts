/**
 * Recognizes calls of CUB's collective operations for a block or a warp that get a function object. The library's headers are not needed:
 * what tells is the class as the author writes it, in the call, in a type definition or in a variable's declaration.
 */
import { memo } from "../../memo.ts";
import type { CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration, RecordSymbol } from "../../semantics/types/symbols.ts";
import { compiledCode, executionAt, isCompiled } from "../device-code.ts";
import { symbolAt } from "../fact-index.ts";
import { functionObject } from "./algorithms.ts";

/** A function object that device code gives to a collective operation, which calls it. */
export interface CollectiveFunctionObject {
  readonly call: CallFact;
  readonly argument: CallArgument;
  readonly record: RecordSymbol;
}

const operations = new Set(["Reduce", "InclusiveScan", "ExclusiveScan"]);

/** A class with more than one thread, so that there is something to combine. */
const collective = /^(?:const\s+)?(?:typename\s+)?(?:::)?cub::(?:Block|Warp)(?:Reduce|Scan)\s*<(?![^;]*,\s*1\s*[,>])/;

/** The function objects of collective operations in code that nvcc compiles for the device alone, outside of templates. */
export function* collectiveFunctionObjects(facts: Facts): Generator<CollectiveFunctionObject> {
  for (const call of facts.calls) {
    if (!operations.has(call.name) || call.callee !== undefined) continue;
    const [first, ...others] = call.arguments;
    const functions = others.flatMap((argument) => {
      const record = functionObject(argument.type);
      return record === undefined ? [] : [{ argument, record }];
    });
    const [found] = functions;
    // A value may be a function object itself.
    if (first === undefined || found === undefined || functions.length > 1 || functionObject(first.type) !== undefined) continue;
    if (isForDeviceAlone(call, facts) && collective.test(classOf(call, facts))) yield { call, ...found };
  }
}

function isForDeviceAlone(call: CallFact, facts: Facts): boolean {
  const { within } = call;
  if (within === undefined || within.isTemplate || within.record?.isDependent === true) return false;
  return !executionAt(call).host && isCompiled(call, compiledCode(facts));
}

/** The text that begins with the class of the object on which a member function is called; empty if that is unknown. */
function classOf({ place: { unit, span }, within }: CallFact, facts: Facts): string {
  const text = unit.view.text.slice(span.start, span.end);
  const name = /^(\w+)\s*[(.]/.exec(text)?.[1];
  if (name === undefined) return text;
  const symbol = symbolAt(facts, { unit, start: span.start });
  const declaration = symbol?.kind === "variable" ? symbol.declaration : undefined;
  const written = declaration?.unit.view.text.slice(declaration.span.start, declaration.span.end) ?? "";
  const named = declaration === undefined ? name : /^(\w+)\s/.exec(written)?.[1];
  const definition = within?.declarations.find(({ isDefinition }) => isDefinition);
  return named === undefined || definition === undefined ? written : (typesIn(definition).get(named) ?? "");
}

/** The type definitions in a function: what each name stands for, as it is written; empty for a name with two meanings. */
const typesIn = memo(({ place: { unit, span } }: FunctionDeclaration): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const [, word, text = ""] of unit.view.text.slice(span.start, span.end).matchAll(/\b(typedef|using)\b([^;{}]*);/g)) {
    const [left = "", right = ""] = word === "using" ? text.split("=") : [/\w+$/.exec(text.trim())?.[0], text];
    const name = left.trim();
    const type = right.trim();
    found.set(name, (found.get(name) ?? type) === type ? type : "");
  }
  return found;
});
