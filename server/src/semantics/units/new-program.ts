/** The program that a translation unit begins with: no names, and no facts. */
import { evaluator } from "../expressions/evaluator.ts";
import { emptySink, newCounts, newInstantiations, type Program } from "../facts/context.ts";
import { createScope } from "../symbols/scope.ts";
import { builtinUnit } from "./builtin-unit.ts";
import type { ModelInput } from "./entries.ts";
import { initialSwitches } from "./extension-switches.ts";

/** Creates the program of a translation unit under one dialect. */
export function newProgram({ dialect, parseText }: Pick<ModelInput, "dialect" | "parseText">): Program {
  return {
    dialect,
    facts: emptySink(),
    program: createScope("program", undefined),
    evaluator,
    parseBuiltin: (text) => ({ items: parseText(text).items, unit: builtinUnit(text) }),
    builtins: new Map(),
    state: initialSwitches(dialect),
    counts: newCounts(),
    reading: { isPartial: false, endedAt: undefined },
    instantiations: newInstantiations(),
  };
}
