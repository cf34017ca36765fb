/** A call of a builtin function with a pointer into an address space for which the function has no overload. */
import { decay, spaceMismatch } from "../../analyses/overload-spaces.ts";
import type { Dialect } from "../../dialect.ts";
import { enumerated } from "../../lists.ts";
import type { CallFact, NoMatchFact } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { isFloating, isOpaqueToUs, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { printPointer } from "../fixes/spaces.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports calls of a builtin function that has no overload for the pointer's address space. */
export const builtinArgumentSpace: Rule = {
  id: "builtin-argument-space",
  title: "a builtin function has no overload for a pointer into this address space",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.15: the address spaces in the prototypes of vload, vstore, async copies, prefetch, atomics and math functions with pointer arguments",
  documentation: `
OpenCL's own functions are overloaded only for the address spaces in which they make sense:

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

**What to do**: pass a pointer into one of these spaces. To copy between private and global memory, use a loop or a plain assignment.`,
  limits: "Functions of vendors' extensions are unknown. The format of `printf` is checked only if it is a literal.",
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
    for (const call of facts.calls) {
      for (const finding of stringFindings(call)) report(finding);
      const finding = atomicFinding(call) ?? addressFinding(call, dialect);
      if (finding !== undefined) report(finding);
    }
  },
};

function findingOf(fact: NoMatchFact, dialect: Dialect): RuleFinding | undefined {
  if (fact.isMisfit === true) return atomicMismatch(fact);
  const mismatch = spaceMismatch(fact, dialect);
  const argument = mismatch === undefined ? undefined : fact.arguments[mismatch.index];
  if (mismatch === undefined || argument === undefined) return undefined;
  const spaces = spacesOf(mismatch.candidates, mismatch.index);
  const given = decay(argument.type);
  const own = given.kind === "pointer" ? (given.pointee.qualifiers.space ?? "private") : undefined;
  const place = fact.candidates.length === 1 ? argument.place : fact.place;
  return {
    place,
    message:
      spaces === "" || own === undefined
        ? `'${fact.name}' takes no '${printPointer(given)}' as argument ${mismatch.index + 1}`
        : `argument ${mismatch.index + 1} of '${fact.name}' points to ${own}, not ${spaces} memory`,
  };
}

/**
 * The finding for a call of the compiler's own atomic functions. `__opencl_atomic_load` and the like accept an object of an atomic
 * type, `__atomic_fetch_add` and the like of any type. Those for atomic types reject constant memory, and all but loads reject a
 * const object.
 */
function atomicFinding({ name, callee, arguments: [first], place }: CallFact): RuleFinding | undefined {
  const ofAtomicTypes = /^__(opencl|c11)_atomic_(\w+)$/.exec(name)?.[2];
  const ofAnyType = /^__(?:scoped_)?atomic_(\w+)$/.exec(name)?.[1] ?? /^__sync_(\w+)$/.exec(name)?.[1];
  const operation = ofAtomicTypes ?? ofAnyType;
  if (
    operation === undefined ||
    callee !== undefined ||
    first === undefined ||
    /^(thread_fence|signal_fence|is_lock_free|always_)/.test(operation)
  )
    return undefined;
  const type = decay(first.type);
  if (ofAtomicTypes !== undefined && isNotAtomicPointer(type)) return { place: first.place, message: notAtomic(name, type) };
  if (type.kind !== "pointer" || isOpaqueToUs(type.pointee)) return undefined;
  const { pointee } = type;
  if (pointee.kind === "atomic" && /^fetch_(and|or|xor|nand)/.test(operation) && isFloating(pointee.value))
    return { place: first.place, message: `'${name}' takes a pointer to an atomic integer, not '${printPointer(type)}'` };
  const { space, const: isConst } = pointee.qualifiers;
  if (space === "constant" && ofAtomicTypes !== undefined)
    return { place, message: `'${name}' cannot take '${printPointer(type)}': it points to constant memory` };
  return isConst && !operation.startsWith("load")
    ? { place, message: `'${name}' cannot take '${printPointer(type)}': it points to const` }
    : undefined;
}

/** True if the type is certainly not a pointer to an atomic object. */
function isNotAtomicPointer(type: Type): boolean {
  if (type.kind === "pointer") return type.pointee.kind !== "atomic" && !isOpaqueToUs(type.pointee);
  return type.kind === "arithmetic" || type.kind === "vector" || type.kind === "record" || type.kind === "atomic";
}

function notAtomic(name: string, type: Type): string {
  return `'${name}' takes a pointer to an atomic object, not '${type.kind === "pointer" ? printPointer(type) : printType(unqualifiedType(type))}'`;
}

/** The finding for a function for atomic types, all of whose overloads take a pointer to an atomic object. */
function atomicMismatch({ name, arguments: [first] }: NoMatchFact): RuleFinding | undefined {
  const type = first === undefined ? undefined : decay(first.type);
  const isOfAtomicTypes = /^atomic_(?:init|load|store|exchange|compare_exchange|fetch|flag)_?/.test(name);
  return first !== undefined && type !== undefined && isOfAtomicTypes && isNotAtomicPointer(type)
    ? { place: first.place, message: notAtomic(name, type) }
    : undefined;
}

/**
 * The finding for `to_global` and the like, which take a pointer; an array is not converted to one (OpenCL C 3.0 §6.15.10, 2.0
 * §6.13.9).
 */
function addressFinding({ name, callee, arguments: given }: CallFact, dialect: Dialect): RuleFinding | undefined {
  const [only] = given;
  if (!/^(to_(global|local|private)|get_fence)$/.test(name) || callee?.isBuiltin === false || only === undefined || given.length > 1)
    return undefined;
  if (dialect.language !== "opencl" || !dialect.genericAddressSpace) return undefined;
  const { kind } = only.type;
  if (kind === "pointer" || isOpaqueToUs(only.type) || kind === "nullptr" || kind === "block" || kind === "function") return undefined;
  return { place: only.place, message: `'${name}' takes a pointer, not '${printType(unqualifiedType(only.type))}'` };
}

/** OpenCL C 3.0 §6.15.14.2, 1.2 §6.12.13.2: `%s` prints a string literal. Compilers accept every pointer. */
function* stringFindings({ name, callee, arguments: given }: CallFact): Generator<RuleFinding> {
  const format = given[0]?.expression;
  if (name !== "printf" || callee?.isBuiltin !== true || format?.kind !== "string") return;
  // A vector is one argument; OpenCL C does not allow `*` as a width.
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
      message: `'%s' accepts only string literals, not '${printPointer(type)}'`,
      severity: "warning",
    };
  }
}

/** `global or local`: the spaces that some overload accepts at this position. */
function spacesOf(candidates: readonly FunctionSymbol[], index: number): string {
  const found = new Set<string>();
  for (const { type } of candidates) {
    const parameter = type.parameters[index];
    if (parameter?.kind === "pointer" && parameter.pointee.qualifiers.space !== undefined) found.add(parameter.pointee.qualifiers.space);
  }
  const named = [...found].flatMap((space) => (space === "generic" ? ["global", "local", "private"] : [space]));
  return enumerated([...new Set(named)], "or");
}
