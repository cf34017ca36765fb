/**
 * `#pragma push_macro("N")` and `#pragma pop_macro("N")`, which all compilers know: a stack of meanings for each name. The stack of a
 * name is kept as the meaning of another name, so that headers and pieces pass it on like any macro.
 */
import type { Interner } from "../lexing/interner.ts";
import { type Environment, type Macro, specialMacro } from "./macros.ts";

/** Keeps the present meaning of a name, or that it has none. */
export function pushMacro(environment: Environment, name: string, interner: Interner): void {
  const saved = environment.get(interner.idOf(name));
  const stack = specialMacro(stackOf(name), "reserved", interner);
  const below = environment.get(stack.id);
  environment.define({ ...stack, key: `${stack.key}: ${saved?.key ?? ""}; ${below?.key ?? ""}`, pushed: { saved, below } });
}

/** Restores the meaning that was kept last, if there is one. */
export function popMacro(environment: Environment, name: string, interner: Interner): void {
  const stack = interner.idOf(stackOf(name));
  const pushed = environment.get(stack)?.pushed;
  if (pushed === undefined) return;
  setMeaning(environment, interner.idOf(name), pushed.saved);
  setMeaning(environment, stack, pushed.below);
}

/** The name is no identifier, so that no source can contain it. */
function stackOf(name: string): string {
  return `#push ${name}`;
}

function setMeaning(environment: Environment, id: number, meaning: Macro | undefined): void {
  if (meaning === undefined) environment.undefine(id);
  else environment.define(meaning);
}
