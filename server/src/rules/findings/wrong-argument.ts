/** Arguments of builtin functions that are of a wrong kind, for rules that know what each function takes. */
import type { Place } from "../../semantics/types/symbols.ts";
import { isOpaqueToUs, spell, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import type { RuleFinding } from "../rule.ts";

/** An argument of a call. */
export interface Argument {
  readonly type: Type;
  readonly place: Place;
}

/** A finding where the argument is certainly not what is wanted, which `wanted` says in words. */
export function wrongArgument({ type, place }: Argument, isRight: (type: Type) => boolean, wanted: string): RuleFinding | undefined {
  return isOpaqueToUs(type) || isRight(type) ? undefined : { place, message: `this must be ${wanted}, not ${spellArgument(type)}` };
}

/** The type of an argument in a message, with its quotes. */
export function spellArgument(type: Type): string {
  return type.kind === "block" ? "a block" : `'${spell(unqualifiedType(type))}'`;
}
