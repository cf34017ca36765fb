/**
 * Attributes of a declaration that have numbers: `alignas`, `aligned` and `packed` (C++17 §10.6.2; GCC's type and variable attributes),
 * CUDA's attributes about launches, such as `__launch_bounds__`, and those of kernels in OpenCL and for AMD's devices.
 */
import { append, greatest } from "../../lists.ts";
import type { Attribute, Declarator, Expression, Specifiers, TypeId } from "../../syntax/ast.ts";
import { constantNumber } from "../expressions/constant-expressions.ts";
import { runtimePart } from "../expressions/non-constant-parts.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { typeOfExpression } from "../facts/evaluator.ts";
import type { StrayAttributeFact } from "../facts/facts.ts";
import { alignOf } from "../types/layout.ts";
import type { FunctionDeclaration, LaunchAttribute, SizeAttribute, VariableSymbol } from "../types/symbols.ts";
import { isFloating, isInteger, referred, type Type, unknownType } from "../types/types.ts";
import { typeOfTypeId } from "./declarators.ts";
import { typeOfName } from "./name-resolution.ts";

/** The alignment of `aligned` without an argument: the target's largest, which for gcc and clang on x86-64 is 16. */
const largestAlignment = 16;

/** The alignment in bytes of an `aligned` attribute; NaN if that is unknown. */
export function alignmentOf(context: Context, { arguments: [argument] }: Attribute): number {
  if (argument === undefined) return largestAlignment;
  // `alignas(T)` is `alignas(alignof(T))`.
  const type = argument.kind === "name" ? typeOfName(context, argument.name) : undefined;
  if (type !== undefined) return alignOf(type) ?? Number.NaN;
  return constantNumber(context, argument) ?? Number.NaN;
}

/** The attributes of one declarator, including those of its specifiers. */
export function attributesOf(specifiers: Specifiers, declarator: Declarator): readonly Attribute[] {
  const attributes = [...specifiers.attributes];
  for (let current = declarator; ; current = current.inner) {
    if ("attributes" in current) append(attributes, current.attributes);
    if (!("inner" in current)) return attributes;
  }
}

/** The layout attributes of one declarator, including those of its specifiers. */
export function layoutOfDeclaration(
  context: Context,
  specifiers: Specifiers,
  declarator: Declarator,
): Pick<VariableSymbol, "alignment" | "isPacked"> {
  const attributes = attributesOf(specifiers, declarator);
  const alignments = attributes.filter(({ name }) => name === "aligned").map((attribute) => alignmentOf(context, attribute));
  return {
    ...(alignments.length === 0 ? {} : { alignment: greatest(alignments) }),
    ...(attributes.some(({ name }) => name === "packed") ? { isPacked: true } : {}),
  };
}

const launchAttributes = ["__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__block_size__"] as const;

/** The attributes about launches among those of a function, with those values that are known. */
export function launchAttributesOf(context: Context, attributes: readonly Attribute[]): Pick<FunctionDeclaration, "launchAttributes"> {
  const all = attributes.flatMap(({ name: written, arguments: given, type, span }): readonly LaunchAttribute[] => {
    const name = launchAttributes.find((each) => each === `__${written}__`);
    if (name === undefined) return [];
    const values = given.map((argument) => elementsOf(argument).map((element) => constantNumber(context, element)));
    return [{ name, place: placeOf(context, span), values, ...unusableOf(context, given.flatMap(elementsOf), type) }];
  });
  return all.length === 0 ? {} : { launchAttributes: all };
}

const sizeAttributes: ReadonlySet<string> = new Set([
  ...["reqd_work_group_size", "work_group_size_hint", "intel_reqd_sub_group_size", "vec_type_hint"],
  ...["amdgpu_flat_work_group_size", "amdgpu_waves_per_eu", "amdgpu_num_sgpr", "amdgpu_num_vgpr"],
]);

/** The attributes about the sizes of work-groups and the like among those of a function, with those values that are known. */
export function sizeAttributesOf(context: Context, attributes: readonly Attribute[]): Pick<FunctionDeclaration, "sizeAttributes"> {
  const all = attributes.flatMap((attribute): readonly SizeAttribute[] => {
    const { name: written, arguments: given, type, span } = attribute;
    const name = withoutUnderscores(written);
    if (!sizeAttributes.has(name)) return [];
    const values = given.map((argument) => [constantNumber(context, argument)]);
    const unusable = name === "vec_type_hint" ? unhintableOf(context, attribute) : unusableOf(context, given, type);
    return [{ name, place: placeOf(context, span), values, ...unusable }];
  });
  return all.length === 0 ? {} : { sizeAttributes: all };
}

/** Records the attributes of kernels among those of something that is not a function; `type` is that of a variable. */
export function emitStrayAttributes(context: Context, attributes: readonly Attribute[], on: StrayAttributeFact["on"], type?: Type): void {
  if (!context.isEmitting) return;
  for (const { name: written, span } of attributes) {
    const name = withoutUnderscores(written);
    // An unread macro may make the declaration of a variable that of a function.
    if (sizeAttributes.has(name) && type?.kind !== "void" && type?.kind !== "unknown")
      context.program.facts.strayAttributes.push({ name, on, place: placeOf(context, span) });
  }
}

function withoutUnderscores(name: string): string {
  return name.replace(/^_+|_+$/g, "");
}

/** The type of a `vec_type_hint` that is neither a scalar, except `bool`, nor a vector. */
function unhintableOf(context: Context, { arguments: [argument], type: written }: Attribute): Pick<SizeAttribute, "unusable"> {
  const type =
    written !== undefined ? typeOfTypeId(context, written) : argument?.kind === "name" ? typeOfName(context, argument.name) : undefined;
  if (argument === undefined || type === undefined || !cannotHint(type)) return {};
  return { unusable: { place: placeOf(context, argument.span), type, is: "type" } };
}

function cannotHint(type: Type): boolean {
  const isOther =
    type.kind === "void" || type.kind === "pointer" || type.kind === "array" || type.kind === "record" || type.kind === "opaque";
  return isOther || (type.kind === "arithmetic" && type.name === "bool");
}

/**
 * The first of these numbers that is certainly not an integer constant expression, or else the argument that can only be a type. An
 * object of a class may convert to a number (C++17 §8.20p5).
 */
function unusableOf(context: Context, numbers: readonly Expression[], written: TypeId | undefined): Pick<LaunchAttribute, "unusable"> {
  for (const number of numbers) {
    const named = number.kind === "name" && number.name.parts.length === 1 ? typeOfName(context, number.name) : undefined;
    if (named !== undefined && named.kind !== "unknown")
      return { unusable: { place: placeOf(context, number.span), type: named, is: "type" } };
    const type = referred(typeOfExpression(context, number));
    const isRuntime = isInteger(type) && runtimePart(context, { kind: "value", value: number, span: number.span }) !== undefined;
    if (isRuntime || isNeverInteger(type))
      return { unusable: { place: placeOf(context, number.span), type, is: isRuntime ? "runtime" : "value" } };
  }
  const type = written === undefined ? unknownType : typeOfTypeId(context, written);
  return written === undefined || type.kind === "unknown" ? {} : { unusable: { place: placeOf(context, written.span), type, is: "type" } };
}

function isNeverInteger(type: Type): boolean {
  return isFloating(type) || type.kind === "pointer" || type.kind === "nullptr" || type.kind === "array";
}

/** The parts of a tuple, `(64, 1, 1)`. */
function elementsOf(argument: Expression): readonly Expression[] {
  if (argument.kind === "parenthesized") return elementsOf(argument.inner);
  return argument.kind === "comma" ? [...elementsOf(argument.left), ...elementsOf(argument.right)] : [argument];
}
