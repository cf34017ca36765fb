/** The effects of parameters' default arguments. They occur again in every call that uses the default argument. */
import type { CallExpression } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { AccessFact, SideCallFact } from "../facts/facts.ts";
import { declarationsNow } from "../symbols/scope.ts";
import type { FunctionSymbol, VariableSymbol } from "../types/symbols.ts";
import { emitDefaultCalls } from "./host-calls.ts";

/** What evaluating a default argument reads and writes, and which functions of the other side it calls. */
export interface DefaultEffects {
  readonly accesses: AccessFact[];
  readonly hostCalls: SideCallFact[];
  readonly deviceCalls: SideCallFact[];
}

const effects = new WeakMap<VariableSymbol, DefaultEffects>();

/** Stores the effects of the default argument of a parameter. */
export function rememberDefaultEffects(parameter: VariableSymbol, found: DefaultEffects): void {
  effects.set(parameter, found);
}

const none: DefaultEffects = { accesses: [], hostCalls: [], deviceCalls: [] };

/** Adds the effects of the default arguments that the call omits; every call evaluates them again (C++17 §11.3.6p9). */
export function useDefaults(context: Context, e: CallExpression, chosen: FunctionSymbol): void {
  if (!context.isEmitting) return;
  for (const { parameters } of declarationsNow(context.scope, chosen)) {
    for (const { symbol } of parameters.slice(e.arguments.length)) {
      const { accesses, hostCalls, deviceCalls } = effects.get(symbol) ?? none;
      emitDefaultCalls(context, [...hostCalls, ...deviceCalls], e.span);
      for (const fact of accesses) {
        const { within: _within, lambda: _lambda, ...rest } = fact;
        context.program.facts.accesses.push({
          ...rest,
          place: placeOf(context, e.span),
          written: fact.written ?? fact.place,
          within: context.within,
          ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
        });
      }
    }
  }
}
