/** CUDA: records objects without an initializer. `const-object-uninitialized` decides which of them need one. */
import { type Context, isInstantiatedOnly } from "../facts/context.ts";
import type { DefaultedObjectFact } from "../facts/facts.ts";
import { completeClass } from "../templates/instance-members.ts";
import { innermostElement, isConst } from "../types/predicates.ts";
import type { VariableSymbol } from "../types/symbols.ts";
import { containsUnknown, type Type } from "../types/types.ts";

/** Records an object that gets no value of its own: default-initialized, or for `value`, value-initialized (C++17 §11.6p6-8). */
export function emitDefaulted(context: Context, type: Type, fact: Pick<DefaultedObjectFact, "as" | "place" | "variable">): void {
  const element = innermostElement(type);
  if (!context.isEmitting || context.isUnevaluated === true || context.dialect.language !== "cuda" || containsUnknown(type)) return;
  if (!isConst(type) && element.kind !== "reference" && element.kind !== "record") return;
  if (element.kind === "record" && element.record.isDependent) return;
  completeClass(context, element, fact.place.span);
  context.program.facts.defaultedObjects.push({ type, ...fact, ...(isInstantiatedOnly(context) ? { isOverlooked: true } : {}) });
}

/** Records a variable without an initializer. */
export function emitDefaultedVariable(context: Context, variable: VariableSymbol): void {
  const { initializer, isDefinition, scope, type, place } = variable;
  if (initializer === undefined && isDefinition && scope !== "member" && scope !== "parameter")
    emitDefaulted(context, type, { as: "variable", place, variable });
}

/** Records the members that a constructor does not mention among its initializers, by their names. */
export function emitDefaultedMembers(context: Context, mentioned: ReadonlySet<string | undefined>): void {
  const { within, definition } = context;
  const record = within?.record;
  if (record === undefined || record.isDependent || definition === undefined || within?.name !== record.tag || record.key === "union")
    return;
  // After another constructor no member is left.
  if (mentioned.has(record.tag)) return;
  for (const member of record.members ?? [])
    if (member.name !== "" && member.initializer === undefined && !mentioned.has(member.name))
      emitDefaulted(context, member.type, { as: "member", place: definition.namePlace, variable: member });
}
