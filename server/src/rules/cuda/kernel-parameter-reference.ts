/** Kernel parameters of reference type. */
import { leavesObject } from "../../analyses/access-paths.ts";
import { callsOf } from "../../analyses/fact-index.ts";
import { gridConstantWord } from "../../analyses/grid-constants.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import { destructorOf } from "../../semantics/declarations/initialization.ts";
import type { CallArgument, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, ParameterDeclaration, RecordSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Expression } from "../../syntax/ast.ts";
import type { PlacedEdit, Rule, RuleFix } from "../rule.ts";

/** Reports kernel parameters of reference type. */
export const kernelParameterReference: Rule = {
  id: "kernel-parameter-reference",
  title: "a kernel takes a parameter by reference",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, C++ language support, functions, function parameters: __global__ function parameters cannot be pass-by-reference; a __global__ function cannot have a parameter of rvalue reference type",
  documentation: `
A launch copies the bytes of its arguments. For a reference, these are an address. If the launch passes an object of the host, it
compiles silently, and the kernel reads the host's memory, which fails on most systems, or an object that is gone by the time the
kernel runs. nvcc
rejects rvalue references only. In a template, \`T &&\` may be a reference to an lvalue as well as to an rvalue: it is not
reported.

**What to do**: take the object by value (\`const __grid_constant__\` where it is large), or a pointer to device memory.`,
  fixSafety:
    "The fix takes the object by value: safe for a reference to const whose class can be copied byte by byte, a suggestion if the kernel could write to it.",
  limits: "A forwarding reference of a template may be either kind, and is not reported.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float scale; };
__global__ void run(const Params &params, float *out) { *out = params.scale; } // <-`,
      good: `struct Params { float scale; };
__global__ void run(const Params params, float *out) { *out = params.scale; }`,
      fixed: `struct Params { float scale; };
__global__ void run(const Params params, float *out) { *out = params.scale; }`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    if (dialect.language !== "cuda") return;
    for (const kernel of facts.functions) {
      const { declarations } = kernel;
      for (const { execution, parameters } of declarations) {
        if (!execution.kernel) continue;
        for (const parameter of parameters) {
          const { symbol, place, writtenType } = parameter;
          if (writtenType.kind !== "reference" || gridConstantWord(parameter) !== undefined || isForwarding(parameter, writtenType))
            continue;
          const what = symbol.name === "" ? "the parameter" : `'${symbol.name}'`;
          const passed = symbol.index === undefined ? [] : launchedWith(kernel, symbol.index, facts);
          const given = passed.find(isHostObject)?.place;
          report({
            place,
            ...(writtenType.isRvalue && isCuda(dialect) ? { severity: "error" as const } : {}),
            message: `${what} is a reference: the kernel gets ${given === undefined ? "an address, not the object" : "the address of the host's object"}`,
            // An object of the device has no value that the host could pass.
            fixes: () => (passed.every(isHostObject) ? byValue(parameter, kernel) : []),
            related: given === undefined ? [] : [{ message: "the launch passes an object of the host here", place: given }],
          });
        }
      }
    }
  },
};

/** The fix that takes the object by value, in every declaration of the kernel. */
function byValue(
  { symbol: { index, name, type } }: ParameterDeclaration,
  { declarations, specializations, record }: FunctionSymbol,
): readonly RuleFix[] {
  const referent = type.kind === "reference" ? type.referent : undefined;
  if (index === undefined || referent === undefined || specializations.length > 0 || record !== undefined) return [];
  const isPlain =
    referent.kind === "arithmetic" || referent.kind === "enum" || referent.kind === "pointer" || referent.kind === "dependent";
  if (!isPlain && !(referent.kind === "record" && isCopiedByBytes(referent.record))) return [];
  const edits = declarations
    .map(({ parameters }) => parameters[index])
    .map((parameter) => (parameter === undefined ? undefined : withoutReference(parameter)));
  if (!edits.every((edit) => edit !== undefined)) return [];
  const isSafe = referent.qualifiers.const && referent.kind !== "dependent";
  return [{ title: `Take ${name === "" ? "the parameter" : `'${name}'`} by value`, edits, safety: isSafe ? "safe" : "suggestion" }];
}

/** The edit that removes the `&` in front of a parameter's name, and keeps a space. */
function withoutReference({ place: { unit, span }, symbol }: ParameterDeclaration): PlacedEdit | undefined {
  const end = symbol.name === "" ? span.end : symbol.place.span.start;
  const found = symbol.place.unit === unit || symbol.name === "" ? /\s*&{1,2}\s*$/.exec(unit.view.text.slice(span.start, end)) : null;
  if (found === null) return undefined;
  return { place: { unit, span: { start: span.start + found.index, end } }, text: symbol.name === "" ? "" : " " };
}

function isCopiedByBytes(record: RecordSymbol): boolean {
  const hasOwnCopy = record.functions.some(
    ({ name, declarations }) => name === record.tag && declarations.some(({ special }) => special === undefined),
  );
  return !record.isIncomplete && !record.isDependent && !record.isPolymorphic && destructorOf(record) === undefined && !hasOwnCopy;
}

/** What the launches of this file pass for a parameter. */
function launchedWith(kernel: FunctionSymbol, index: number, facts: Facts): readonly CallArgument[] {
  const launches = [kernel, ...kernel.specializations].flatMap((each) => callsOf(facts, each)).filter(({ launch }) => launch !== undefined);
  return launches.flatMap((launch) => launch.arguments[index] ?? []);
}

/** True for a variable of the host, or a temporary value. */
function isHostObject({ path, expression }: CallArgument): boolean {
  if (path?.root === undefined) return isTemporary(expression);
  const { scope, memorySpace, type } = path.root;
  const isOfHost = scope === "block" || scope === "parameter" || memorySpace === "host";
  return isOfHost && type.kind !== "reference" && !leavesObject(path);
}

function isTemporary(e: Expression): boolean {
  return e.kind === "number" || e.kind === "compound-literal" || e.kind === "construct";
}

/** True for `T &&` of a template, which may become an lvalue reference (C++17 §17.8.2.1p3). */
function isForwarding({ symbol }: ParameterDeclaration, type: Extract<Type, { kind: "reference" }>): boolean {
  return (
    type.isRvalue &&
    (type.referent.kind === "dependent" || type.referent.kind === "unknown" || type.referent.kind === "auto" || symbol.isPack === true)
  );
}
