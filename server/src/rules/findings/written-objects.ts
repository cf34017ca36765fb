/** Names and declarations of written objects, for the messages about forbidden writes. */
import type { AccessFact } from "../../semantics/facts/facts.ts";
import type { Place } from "../../semantics/types/symbols.ts";

/** The spelling of the object on one line and with macros expanded, if that is short. */
export function nameObject({ unit, span }: Place): string {
  const text = unit.view.text
    .slice(span.start, span.end)
    .replace(/\s+/g, " ")
    .replace(/ ?(\.|->|\[) ?/g, "$1")
    .replace(/ \]/g, "]");
  return text.length <= 40 ? `'${text}'` : "this object";
}

/** The declaration that determined the object's qualifiers: of the last member on its path, or of the variable. */
export function declaringPlace({ path }: AccessFact): Place | undefined {
  for (const step of [...path.steps].reverse()) if (step.kind === "member" && step.member !== undefined) return step.member.place;
  return path.root?.place;
}
