/** What the rules about forbidden writes share: which accesses write, and how a message names the object. */
import type { AccessFact } from "../../semantics/facts/facts.ts";
import type { Place } from "../../semantics/types/symbols.ts";

/** The object as it is written in the code, where that is short; macros are expanded. */
export function nameObject({ unit, span }: Place): string {
  const text = unit.view.text.slice(span.start, span.end).replace(/\s+/g, " ");
  return text.length <= 40 ? `'${text}'` : "this object";
}

/** The declaration that decided the object's qualifiers: of the last member on the way, or of the variable. */
export function declaringPlace({ path }: AccessFact): Place | undefined {
  for (const step of [...path.steps].reverse()) if (step.kind === "member" && step.member !== undefined) return step.member.place;
  return path.root?.place;
}
