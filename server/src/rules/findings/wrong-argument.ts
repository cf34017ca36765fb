/** Findings about arguments of the wrong kind for builtin functions. The rules know which arguments each function takes. */
import type { Place } from "../../semantics/types/symbols.ts";
import { isOpaqueToUs, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import type { RuleFinding } from "../rule.ts";

/** An argument of a call. */
export interface Argument {
  readonly type: Type;
  readonly place: Place;
}

/** A finding if the argument is certainly not of the kind that `wanted` describes. */
export function wrongArgument({ type, place }: Argument, isRight: (type: Type) => boolean, wanted: string): RuleFinding | undefined {
  return isOpaqueToUs(type) || isRight(type)
    ? undefined
    : { place, message: `this argument must be ${wanted}, not ${printArgument(type)}` };
}

/** The type of an argument for a message, in quotes. */
export function printArgument(type: Type): string {
  return type.kind === "block" ? "a block" : `'${printType(unqualifiedType(type))}'`;
}
