/** A call of one of the language's functions with a pointer into an address space for which the function has no overload. */

import type { Dialect } from "../dialect.ts";
import { compare, containsSpace } from "../semantics/conversions.ts";
import type { CallFact, NoMatchFact } from "../semantics/facts.ts";
import type { FunctionSymbol } from "../semantics/symbols.ts";
import { type AddressSpace, type PointerType, spell, type Type, unqualifiedType } from "../semantics/types.ts";
import type { Rule, RuleFinding } from "./rule.ts";
import { spellPointer } from "./shared/spaces.ts";

export const builtinArgumentSpace: Rule = {
  id: "builtin-argument-space",
  title: "a builtin function has no overload for a pointer into this address space",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.15: the address spaces in the prototypes of vload, vstore, async copies, prefetch, atomics and math functions with pointer arguments",
  documentation: `
OpenCL's own functions are overloaded for the address spaces in which they make sense, and for no others:

| functions | pointers to |
|---|---|
| \`vloadn\`, \`vload_half\` | global, local, private, constant |
| \`vstoren\`, \`vstore_half\` | global, local, private: nothing is stored into constant memory |
| \`fract\`, \`modf\`, \`sincos\`, \`frexp\`, \`remquo\`, \`lgamma_r\` | global, local, private |
| \`async_work_group_copy\`, \`async_work_group_strided_copy\` | one to global, one to local |
| \`prefetch\` | global |
| \`atomic_add\` and the other 1.x atomics | global, local |
| \`atomic_load_explicit\` and the other 2.0 atomics | global, local; with the generic address space everything but constant |
| \`wait_group_events\` | private; generic where the standard has it |
| \`printf\` | its format, and what \`%s\` prints, is in constant memory: a literal |

**What to do**: pass a pointer of one of these spaces. To copy between private and global memory a loop or a plain
assignment is all there is.`,
  examples: [
    {
      language: "opencl",
      bad: `kernel void save(constant float *table, global float *out) {
  vstore4(vload4(0, out), 0, table); // <-
}`,
      good: `kernel void save(constant float *table, global float *out) {
  vstore4(vload4(0, table), 0, out);
}`,
    },
    {
      language: "opencl",
      bad: `kernel void load(global float *from) {
  float tile[4];
  event_t done = async_work_group_copy(tile, from, 4, 0); // <-
  wait_group_events(1, &done);
}`,
      good: `kernel void load(global float *from, local float *tile) {
  event_t done = async_work_group_copy(tile, from, 4, 0);
  wait_group_events(1, &done);
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of facts.noMatches) {
      if (!fact.candidates.every(({ isBuiltin }) => isBuiltin)) continue;
      const finding = findingOf(fact, dialect);
      if (finding !== undefined) report(finding);
    }
    for (const call of facts.calls) for (const finding of stringFindings(call)) report(finding);
  },
};

function findingOf(fact: NoMatchFact, dialect: Dialect): RuleFinding | undefined {
  const mismatch = spaceMismatch(fact, dialect);
  const argument = mismatch === undefined ? undefined : fact.arguments[mismatch.index];
  if (mismatch === undefined || argument === undefined) return undefined;
  const spaces = spacesOf(mismatch.candidates, mismatch.index);
  const place = fact.candidates.length === 1 ? argument.place : fact.place;
  return {
    place,
    message: `'${fact.name}' takes no '${spellPointer(decay(argument.type))}' as argument ${mismatch.index + 1}${spaces === "" ? "" : `, only ${spaces}`}`,
  };
}

interface SpaceMismatch {
  /** The argument whose space is wrong. */
  readonly index: number;
  /** The overloads that would fit with other spaces. */
  readonly candidates: readonly FunctionSymbol[];
}

/**
 * The argument whose space is wrong: with other spaces, and nothing else changed, the arguments would fit some overload.
 * Undefined where something else is the matter. Of several overloads those that need the fewest changes say which.
 */
export function spaceMismatch(
  { candidates, arguments: given }: Pick<NoMatchFact, "candidates" | "arguments">,
  dialect: Dialect,
): SpaceMismatch | undefined {
  let fewest: readonly number[] | undefined;
  let best: FunctionSymbol[] = [];
  for (const candidate of candidates) {
    const { type } = candidate;
    if (type.parameters.length > given.length || (type.parameters.length < given.length && !type.isVariadic)) continue;
    const wrong = mismatches(type.parameters, given, dialect);
    if (wrong === undefined || wrong.length === 0) continue;
    if (fewest === undefined || wrong.length < fewest.length) {
      fewest = wrong;
      best = [];
    }
    if (wrong.length === fewest.length && wrong[0] === fewest[0]) best.push(candidate);
  }
  const index = fewest?.[0];
  return index === undefined ? undefined : { index, candidates: best };
}

function mismatches(parameters: readonly Type[], given: NoMatchFact["arguments"], dialect: Dialect): readonly number[] | undefined {
  const wrong: number[] = [];
  for (const [index, parameter] of parameters.entries()) {
    const argument = given[index]?.type;
    if (argument === undefined) return undefined;
    const type = decay(argument);
    if (parameter.kind === "reference") {
      const fit = bindsTo(argument, parameter.referent);
      if (fit === undefined) return undefined;
      if (!fit) wrong.push(index);
      continue;
    }
    if (parameter.kind !== "pointer") {
      if (
        type.kind === "pointer" ||
        (type.kind === "vector" && parameter.kind === "vector" && spell(type) !== spell(unqualifiedType(parameter)))
      )
        return undefined;
      continue;
    }
    if (type.kind !== "pointer") {
      // A null pointer constant.
      if (type.kind !== "arithmetic") return undefined;
      continue;
    }
    const verdict = compare(type, parameter, dialect, false);
    if (verdict.kind === "ok" || (verdict.kind === "discards-qualifiers" && !verdict.isError)) continue;
    if (verdict.kind !== "changes-address-space" || verdict.isNested) return undefined;
    // In C a pointer to another type would only be warned about.
    if (dialect.cplusplus && compare(inSpace(type, parameter.pointee.qualifiers.space), parameter, dialect, false).kind === "incompatible")
      return undefined;
    wrong.push(index);
  }
  return wrong;
}

/** Whether a reference can be bound to such an object, or could be if it were in another space; undefined where not even that. */
function bindsTo(type: Type, referent: Type): boolean | undefined {
  const { space } = type.qualifiers;
  if (
    space === undefined ||
    spell(unqualifiedType(type)) !== spell(unqualifiedType(referent)) ||
    (type.qualifiers.const && !referent.qualifiers.const)
  )
    return undefined;
  return referent.qualifiers.space === undefined || containsSpace(referent.qualifiers.space, space);
}

function inSpace(pointer: PointerType, space: AddressSpace | undefined): PointerType {
  return { ...pointer, pointee: { ...pointer.pointee, qualifiers: { ...pointer.pointee.qualifiers, space } } };
}

/** OpenCL C 3.0 §6.15.14.2, 1.2 §6.12.13.2: what `%s` prints is a string literal. Compilers take every pointer. */
function* stringFindings({ name, callee, arguments: given }: CallFact): Generator<RuleFinding> {
  const format = given[0]?.expression;
  if (name !== "printf" || callee?.isBuiltin !== true || format?.kind !== "string") return;
  // A vector counts as one argument; `*` as a width is none in OpenCL C.
  const conversions = [...format.text.matchAll(/%(?:%|[-+ #0]*\d*(?:\.\d*)?(?:v\d+)?(?:hh|hl|h|l)?([a-zA-Z]))/g)]
    .map(([, conversion]) => conversion)
    .filter((conversion) => conversion !== undefined);
  for (const [index, conversion] of conversions.entries()) {
    const argument = given[index + 1];
    const type = argument === undefined ? undefined : decay(argument.type);
    if (conversion !== "s" || argument === undefined || type?.kind !== "pointer") continue;
    const { space } = type.pointee.qualifiers;
    if (space === undefined || space === "constant") continue;
    yield {
      place: argument.place,
      message: `'%s' prints a string literal, not what a '${spellPointer(type)}' points to`,
      severity: "warning",
    };
  }
}

function decay(type: Type): Type {
  return unqualifiedType(type.kind === "array" ? { kind: "pointer", pointee: type.element, qualifiers: type.qualifiers } : type);
}

/** `global or local`: the spaces that some overload has at this position. */
function spacesOf(candidates: readonly FunctionSymbol[], index: number): string {
  const found = new Set<string>();
  for (const { type } of candidates) {
    const parameter = type.parameters[index];
    if (parameter?.kind === "pointer" && parameter.pointee.qualifiers.space !== undefined) found.add(parameter.pointee.qualifiers.space);
  }
  const spaces = [...found];
  return spaces.length < 2 ? (spaces[0] ?? "") : `${spaces.slice(0, -1).join(", ")} or ${spaces[spaces.length - 1]}`;
}
