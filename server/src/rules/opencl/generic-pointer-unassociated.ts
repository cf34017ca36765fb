/** A use of a generic pointer that no code lets point to an object. */
import { groupBy } from "../../analyses/group-by.ts";
import type { Dialect } from "../../dialect.ts";
import type { AccessFact, ConversionFact } from "../../semantics/facts/facts.ts";
import { spaceUnder } from "../../semantics/types/address-spaces.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Rule } from "../rule.ts";

/** Reports where a generic pointer is dereferenced that no code associates with an object. */
export const genericPointerUnassociated: Rule = {
  id: "generic-pointer-unassociated",
  title: "a generic pointer is dereferenced that no code associates with an object",
  severity: "warning",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.9.1: the generic address space is where a pointer points that is associated with an object in a named address space at run time",
  documentation: `
Since OpenCL C 2.0 a pointer without an address space is generic: only the address that it gets shows which memory it points to. A
generic pointer that is never assigned an address may read or write any memory when it is dereferenced.

A local variable is reported at the first place where it is dereferenced, if every initializer, assignment and call gives it null and
its own address is not taken. Compilers warn of the first read of a variable without an initializer, but not of one that is
initialized with null.

**What to do**: let the pointer point to an object, or remove the access.`,
  limits:
    "Parameters, members, array elements and program-scope pointers are not followed. The order of statements, and how often they run, are not considered.",
  examples: [
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void last(global int *out, int n) {
  int *found = 0;
  for (int i = 0; i < n; i++) {
    if (out[i] == 0) break;
  }
  *found = n; // <-
}`,
      good: `kernel void last(global int *out, int n) {
  int *found = 0;
  for (int i = 0; i < n; i++) {
    if (out[i] == 0) found = &out[i];
  }
  if (found != 0) *found = n;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    const pointers = facts.variables.map(({ variable }) => variable).filter(isFollowed);
    if (pointers.length === 0) return;
    const accesses = groupBy(facts.accesses, ({ path }) => path.root);
    const given = groupBy(facts.conversions, targetOf);
    // An apparent call of an unknown function may be a macro that assigns.
    const unknown = facts.calls.filter(({ callee }) => callee === undefined);
    const passed = new Set(unknown.flatMap((call) => call.arguments).map(({ path }) => path?.root));
    for (const pointer of new Set(pointers)) {
      if (passed.has(pointer)) continue;
      const use = useOf(pointer, accesses.get(pointer) ?? [], given.get(pointer) ?? []);
      if (use === undefined || !pointsToGeneric(pointer, dialect)) continue;
      report({
        place: use.place,
        message: `'${pointer.name}' is dereferenced, but never assigned an address`,
        related: [{ message: `'${pointer.name}' is declared here`, place: pointer.place }],
      });
    }
  },
};

/** True for a local pointer, which only its own function can change, to memory that is generic under some standard. */
function isFollowed({ scope, type, isTemplated, words }: VariableSymbol): boolean {
  return (
    scope === "block" &&
    type.kind === "pointer" &&
    (type.pointee.qualifiers.implicitSpace !== undefined || type.pointee.qualifiers.space === "generic") &&
    !type.qualifiers.volatile &&
    isTemplated !== true &&
    !hasWord(words, "static", "extern")
  );
}

function pointsToGeneric({ type }: VariableSymbol, dialect: Dialect): boolean {
  return type.kind === "pointer" && spaceUnder(dialect, type.pointee.qualifiers) === "generic";
}

function targetOf({ target }: ConversionFact): VariableSymbol | undefined {
  return target !== undefined && "kind" in target ? target : undefined;
}

/** The first access through the pointer, if nothing but null is ever stored in it. */
function useOf({ initializer }: VariableSymbol, accesses: readonly AccessFact[], given: readonly ConversionFact[]): AccessFact | undefined {
  const own = accesses.filter(({ path, mode }) => path.steps.length === 0 && mode !== "read");
  if (own.some(({ mode }) => mode !== "write") || given.some(({ isNullConstant }) => !isNullConstant)) return undefined;
  // A value of unknown type is converted without a recorded fact.
  const initialized = given.filter(({ context }) => context === "initialize").length;
  if (initialized !== (initializer === undefined ? 0 : 1)) return undefined;
  const assigned = given.filter(({ context }) => context === "assign").length;
  return own.length === assigned ? accesses.find(({ path: { steps } }) => steps[0]?.kind === "dereference" && isUse(steps)) : undefined;
}

/** True if the pointer is dereferenced. `&p[i]` and `&p->x` only compute an address. */
function isUse(steps: AccessFact["path"]["steps"]): boolean {
  return !steps.some(({ kind }) => kind === "address");
}
