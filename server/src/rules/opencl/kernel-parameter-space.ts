/**
 * Kernel parameters that a host cannot pass (pointers into private or generic memory, types whose size differs between host and
 * device, structures that contain pointers), and kernels that return a value.
 */
import { layoutProblemOf, whyNotPlainData } from "../../analyses/kernel-classes.ts";
import type { OpenCLDialect } from "../../dialect.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { innermostElement } from "../../semantics/types/predicates.ts";
import type { FunctionDeclaration, ParameterDeclaration, RecordSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { isBefore20 } from "../../tracked-dialect.ts";
import { spellsPointer } from "../fixes/pointer-qualification.ts";
import { spaceWordsOf, spellSpace, spellSpaceIn } from "../fixes/spaces.ts";
import type { PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** Reports kernel parameters that a host cannot pass, and kernels with a result. */
export const kernelParameterSpace: Rule = {
  id: "kernel-parameter-space",
  title: "a kernel has a parameter that a host cannot pass, or a result",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7.1, §6.11 (a, k, p, q), 1.2 §6.5, §6.9 (a, k, p): pointer arguments of a kernel point to global, local or constant",
  documentation: `
The host passes buffers, and a buffer lives in \`__global\` or \`__constant\` memory; \`__local\` memory is allocated for each
work-group when the kernel starts. So a pointer (or array) parameter of a kernel must say which of the three it points to. A
pointer without an address space points to *private* memory in OpenCL C 1.x and to *generic* in 2.0, and neither can come from a
host. The same happens if a macro for \`__global\` expands to nothing, or if the space precedes a pointer *typedef*: \`global ip
p\` with \`typedef int *ip\` qualifies the pointer, not its pointee.

Nor can a kernel have these parameters:

- \`bool\`, \`size_t\`, \`ptrdiff_t\`, \`intptr_t\`, \`uintptr_t\`, or a struct with such a member: their size differs between
  devices, and between device and host. Use \`int\`, \`uint\`, \`ulong\`;
- \`event_t\`, \`reserve_id_t\`, \`ndrange_t\`: no host object corresponds to them;
- a pointer to a pointer, and a struct that contains pointers, in OpenCL C 1.2 and earlier: the host does not know device
  addresses. Pass the buffers as arguments of their own.

In C++ for OpenCL a class by value must be plain old data: the host copies bytes and runs no constructor. A class that a pointer
or reference points to must have standard layout.

A kernel returns \`void\`, and is neither \`static\` nor a template nor a member of a class: the host calls it by name and reads its
buffers.`,
  limits:
    "Structures with members of unknown type are assumed to be allowed. A pointer to a type that nothing declares, such as a macro of the build, is reported only if the file uses that type with an address space elsewhere.",
  fixSafety:
    "The parameter gets the `global` space, which almost every buffer needs, and only if the author wrote the `*` here. The declaration was wrong for every host before, so the fix is safe; a use that needs another space is reported afterwards.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void scale(float *data, float by) { // <-
  data[get_global_id(0)] *= by;
}`,
      good: `kernel void scale(global float *data, float by) {
  data[get_global_id(0)] *= by;
}`,
      fixed: `kernel void scale(global float *data, float by) {
  data[get_global_id(0)] *= by;
}`,
    },
    {
      language: "opencl",
      bad: `kernel void fill(global int *out, size_t count) { // <-
  if (get_global_id(0) < count) out[get_global_id(0)] = 0;
}`,
      good: `kernel void fill(global int *out, ulong count) {
  if (get_global_id(0) < count) out[get_global_id(0)] = 0;
}`,
    },
    {
      language: "opencl",
      standard: "CL1.2",
      bad: `kernel void clear(global int *global *rows) { // <-
  rows[get_global_id(0)][0] = 0;
}`,
      good: `kernel void clear(global int *rows, int pitch) {
  rows[get_global_id(0) * pitch] = 0;
}`,
    },
  ],
  checkFile({ facts }, report) {
    const inSpace = new Set([...writtenInSpaces(facts)]);
    if (inSpace.size === 0) return;
    for (const { declarations } of facts.functions)
      for (const declaration of declarations)
        if (declaration.execution.kernel)
          for (const parameter of declaration.parameters)
            if (pointsToOneOf(parameter.symbol.type, inSpace)) report(withFix(declaration, parameter, missingSpace));
  },
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const { declarations, record } of facts.functions) {
      for (const declaration of declarations) {
        if (!declaration.execution.kernel) continue;
        if (record !== undefined) report({ place: declaration.namePlace, message: "a kernel cannot be a member function" });
        else if (declaration.isTemplate && dialect.cplusplus)
          report({ place: declaration.namePlace, message: "a kernel cannot be a template" });
        for (const finding of findingsOf(declaration, dialect, facts)) report(finding);
      }
    }
  },
};

function* findingsOf(declaration: FunctionDeclaration, dialect: OpenCLDialect, facts: Facts): Generator<RuleFinding> {
  const { result } = declaration.type;
  if (result.kind !== "void" && result.kind !== "unknown" && result.kind !== "dependent") {
    yield { place: declaration.namePlace, message: `a kernel returns void, not '${printType(unqualifiedType(result))}'` };
  }
  const isStatic = declaration.words.find(({ text }) => text === "static");
  if (isStatic !== undefined) yield { place: isStatic.place, message: "a kernel cannot be 'static': the host finds it by its name" };
  const isPortable = !["__cl_clang_non_portable_kernel_param_types", "all"].some(
    (name) => dialect.has(name) || facts.enabledExtensions.includes(name),
  );
  for (const parameter of declaration.parameters) {
    const { type } = parameter.symbol;
    const problem = problemOf(type, dialect) ?? (dialect.cplusplus && isPortable ? objectProblem(type) : undefined);
    if (problem === undefined) continue;
    yield withFix(declaration, parameter, problem);
  }
}

function withFix(declaration: FunctionDeclaration, parameter: ParameterDeclaration, problem: Problem): RuleFinding {
  const name = parameter.symbol.name === "" ? "this parameter" : `'${parameter.symbol.name}'`;
  const subject = parameter.symbol.name === "" ? "this kernel parameter" : `kernel parameter ${name}`;
  return {
    place: parameter.symbol.place,
    message: `${subject} ${problem.text}`,
    fixes: (all) => {
      const edit = problem.isSpace ? qualifyGlobal(declaration, parameter, all) : undefined;
      return edit === undefined ? [] : [{ title: `Make ${name} a pointer to global memory`, edits: [edit], safety: "safe" }];
    },
  };
}

/**
 * The undeclared names that the file uses as a type behind an address space: `T` of `global T *`. Such a name, most likely a macro of
 * the build, contains no space itself, because a type has only one.
 */
function* writtenInSpaces({ functions, variables }: Facts): Generator<string> {
  const parameters = functions.flatMap(({ declarations }) => declarations.flatMap((declaration) => declaration.parameters));
  for (const { type } of [...parameters.map(({ symbol }) => symbol), ...variables.map(({ variable }) => variable)]) {
    const target = innermostElement(type.kind === "pointer" ? type.pointee : type);
    if (target.kind === "unknown" && target.name !== undefined && isNamedSpace(target)) yield target.name;
  }
}

/** True for a space that only its word can name; the others are also those of types without a word. */
function isNamedSpace({ qualifiers: { space } }: Type): boolean {
  return space === "global" || space === "local" || space === "constant";
}

/** True for a pointer without an address space, or an array, whose target has one of these unknown types. */
function pointsToOneOf(type: Type, names: ReadonlySet<string>): boolean {
  if (type.kind !== "pointer" || type.pointee.kind !== "unknown") return false;
  const { name } = type.pointee;
  return name !== undefined && names.has(name) && type.pointee.qualifiers.space === undefined;
}

const missingSpace: Problem = { text: "needs an address space: 'global', 'local' or 'constant'", isSpace: true };

interface Problem {
  readonly text: string;
  /** An address space on the pointee would solve the problem. */
  readonly isSpace: boolean;
}

function problemOf(type: Type, dialect: OpenCLDialect): Problem | undefined {
  if (type.kind === "pointer" || type.kind === "reference") return pointerProblem(type, dialect);
  const scalar = valueProblem(type);
  if (scalar !== undefined) return { text: `cannot be ${scalar}`, isSpace: false };
  if (type.kind !== "record") return undefined;
  const inside = memberProblem(type.record, dialect, new Set());
  return inside === undefined ? undefined : { text: inside, isSpace: false };
}

/** The problem of a C++ for OpenCL object that cannot be copied byte by byte, or that has no standard layout in a buffer. */
function objectProblem(type: Type): Problem | undefined {
  if (type.kind === "pointer" || type.kind === "reference") {
    const pointee = innermostPointee(type);
    const problem = pointee.kind === "record" ? layoutProblemOf(pointee.record) : undefined;
    return problem === undefined ? undefined : { text: `leads to a class with ${problem}, which the host cannot lay out`, isSpace: false };
  }
  const extra = type.kind === "record" ? whyNotPlainData(type.record) : undefined;
  if (extra !== undefined) return { text: `cannot be a class with ${extra}`, isSpace: false };
  return type.kind === "atomic" ? { text: "cannot be an atomic object", isSpace: false } : undefined;
}

/**
 * The problem of a pointer (OpenCL C 1.2 §6.9 a): it must point to global, local or constant memory, and not to a pointer. OpenCL C
 * 2.0 lifts the second restriction.
 */
function pointerProblem(type: Type, dialect: OpenCLDialect): Problem | undefined {
  if (type.kind !== "pointer" && type.kind !== "reference") return undefined;
  const pointee = type.kind === "pointer" ? type.pointee : type.referent;
  const { space } = pointee.qualifiers;
  // A pointer to an image or a sampler is wrong in any address space.
  if (pointee.kind === "function" || (pointee.kind === "opaque" && /^(image|sampler|pipe)/.test(pointee.name))) return undefined;
  if (space === undefined && (pointee.kind === "unknown" || pointee.kind === "dependent" || pointee.kind === "auto")) return undefined;
  if (space === undefined || space === "private" || space === "generic") {
    return {
      text: `must ${type.kind === "pointer" ? "point" : "refer"} to global, local or constant, not ${space ?? "private"}`,
      isSpace: true,
    };
  }
  if (pointee.kind !== "pointer") return undefined;
  const inner = pointerProblem(pointee, dialect);
  if (inner !== undefined) return { ...inner, isSpace: false };
  return isBefore20(dialect) ? { text: "cannot be a pointer to a pointer before OpenCL C 2.0", isSpace: false } : undefined;
}

/**
 * The problem of a type without a size that host and device agree on, or of an object that exists only on the device (OpenCL C 3.0
 * §6.11 k).
 */
function valueProblem(type: Type): string | undefined {
  if (type.kind === "array") return valueProblem(type.element);
  if (type.kind === "arithmetic" && type.alias !== undefined) return `a '${type.alias}', whose size depends on the device`;
  if (type.kind === "arithmetic" && type.name === "bool") return "a 'bool', which has no fixed size";
  const isDeviceOnly = type.kind === "opaque" && (type.name === "event_t" || type.name === "reserve_id_t" || type.name === "ndrange_t");
  return isDeviceOnly ? `${type.name === "reserve_id_t" ? "a" : "an"} '${type.name}', which only the device has` : undefined;
}

/** The problem of a struct or union passed by value: that of its first invalid member. */
function memberProblem(record: RecordSymbol, dialect: OpenCLDialect, seen: Set<RecordSymbol>): string | undefined {
  if (seen.has(record)) return undefined;
  seen.add(record);
  for (const member of record.members ?? []) {
    const type = innermostElement(member.type);
    if (type.kind === "record") {
      const inner = memberProblem(type.record, dialect, seen);
      if (inner !== undefined) return inner;
      continue;
    }
    const scalar = valueProblem(type);
    if (scalar !== undefined) return `cannot have the member '${member.name}', ${scalar}`;
    // An image is represented by a pointer.
    if (member.type.kind === "opaque" && member.type.name.startsWith("image") && !dialect.cplusplus)
      return `cannot have the member '${member.name}', an image`;
    // A pointer to a function is an error of its own.
    if (type.kind !== "pointer" || type.pointee.kind === "function") continue;
    if (isBefore20(dialect)) return `cannot have the member '${member.name}', a pointer, before OpenCL C 2.0`;
    if (pointerProblem(type, dialect) !== undefined)
      return `cannot have the member '${member.name}', a pointer to ${type.pointee.qualifiers.space ?? "private"} memory`;
  }
  return undefined;
}

function innermostPointee(type: Type): Type {
  if (type.kind === "pointer") return innermostPointee(type.pointee);
  return type.kind === "reference" ? innermostPointee(type.referent) : type;
}

/** Inserts `global` before a parameter whose own declarator contains its only `*` or `[]`. */
function qualifyGlobal(declaration: FunctionDeclaration, parameter: ParameterDeclaration, facts: Facts): PlacedEdit | undefined {
  const declarator = declaration.declarator.parameters[parameter.symbol.index ?? -1]?.declarator;
  const isWrittenHere =
    (declarator?.kind === "pointer" || declarator?.kind === "array") &&
    (declarator.inner.kind === "name" || declarator.inner.kind === "abstract");
  if (!isWrittenHere || !spellsPointer(parameter.place, facts)) return undefined;
  const present = spaceWordsOf(parameter.words);
  const [only] = present;
  if (present.length > 1) return undefined;
  if (only !== undefined) return { place: only.place, text: spellSpace("global", only) };
  return { place: parameter.place, how: "before", text: `${spellSpaceIn(parameter.place.unit, "global")} ` };
}
