/**
 * Types as values. A type has its own qualifiers, and typedefs are resolved, so that two types are the same if `printType` gives the
 * same text. `unknown` is a type that could not be seen, and `dependent` is one that a template argument decides; no rule reports
 * anything about either. `declarators.ts` creates types from declarators; `conversion-rules.ts` decides which can be converted.
 */
import type { AddressSpace, ImageAccess } from "../../qualifiers.ts";
import type { EnumSymbol, RecordSymbol } from "./symbols.ts";

/** The qualifiers of a type at one level. */
export interface Qualifiers {
  /**
   * Where an object of this type lives. In OpenCL every lvalue and pointee has one after defaulting; undefined means unspecified
   * (rvalues, function types, CUDA).
   */
  readonly space: AddressSpace | undefined;
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  /**
   * Set if no address space is written and the standard decides between private and generic (see `address-spaces.ts`). Makes the
   * same qualifiers with other words.
   */
  readonly implicitSpace?: ImplicitSpaceQualifiers;
}

/** Qualifiers without a written address space. The same words always give the same object. */
export type ImplicitSpaceQualifiers = (isConst: boolean, isVolatile: boolean, isRestrict: boolean) => Qualifiers;

/** No qualifier at all. */
export const unqualified: Qualifiers = { space: undefined, const: false, volatile: false, restrict: false };

interface Typed {
  readonly qualifiers: Qualifiers;
}

/** Sizes are fixed: OpenCL C defines them (§6.3.1), and CUDA's host ABI is assumed to be LP64. */
export type ArithmeticName =
  | "bool"
  | "char"
  | "signed char"
  | "unsigned char"
  | "short"
  | "unsigned short"
  | "int"
  | "unsigned int"
  | "long"
  | "unsigned long"
  | "long long"
  | "unsigned long long"
  | "__int128"
  | "unsigned __int128"
  | "half"
  | "float"
  | "double"
  | "long double"
  | "wchar_t"
  | "char16_t"
  | "char32_t"
  | "char8_t";

/** OpenCL C 3.0 §6.3.1: the types whose size is that of the device's addresses. */
export type SizeName = "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t";

/** A type with its qualifiers. */
export type Type =
  | (Typed & { readonly kind: "void" })
  /**
   * `alias` distinguishes `size_t` and the like from the integer type that they are on this target, because their size depends on
   * the device.
   */
  | (Typed & { readonly kind: "arithmetic"; readonly name: ArithmeticName; readonly alias?: SizeName })
  | (Typed & { readonly kind: "nullptr" })
  /** OpenCL's `float4`; CUDA's vectors are ordinary records in `builtins/`. */
  | (Typed & { readonly kind: "vector"; readonly element: ArithmeticName; readonly length: number })
  | PointerType
  | ReferenceType
  | ArrayType
  | FunctionType
  | (Typed & { readonly kind: "record"; readonly record: RecordSymbol })
  | (Typed & { readonly kind: "enum"; readonly enumeration: EnumSymbol })
  /**
   * `image2d_t`, `sampler_t`, `event_t`, `queue_t`, `ndrange_t`, `clk_event_t`, `reserve_id_t`, `pipe`. `access` is that of an
   * image or a pipe, absent if any is accepted; `packet` is the element type of a pipe.
   */
  | OpaqueType
  | (Typed & { readonly kind: "atomic"; readonly value: Type })
  /** A block's type: OpenCL 2.0 §6.12. */
  | (Typed & { readonly kind: "block"; readonly function: FunctionType })
  | MemberPointerType
  /** `auto` before deduction. */
  | (Typed & { readonly kind: "auto" /** `decltype(auto)`. */; readonly isDecltype?: true })
  /**
   * Depends on a template parameter; `name` if it is one, `instance` if it is a class template with such arguments. `isExpansion`: as
   * an argument of a template, it stands for any number of such types.
   */
  | (Typed & {
      readonly kind: "dependent";
      readonly name: string | undefined;
      readonly instance?: Instance;
      readonly isExpansion?: boolean;
      /** The class of a lambda in the text of a template. */
      readonly closure?: RecordSymbol;
    })
  /** `name`: the plain name, most likely a macro of the build, that nothing declares. */
  | (Typed & { readonly kind: "unknown"; readonly name?: string });

/** An image, a sampler, an event, a queue or a pipe (OpenCL C 3.0 §6.3.3). */
export interface OpaqueType extends Typed {
  readonly kind: "opaque";
  readonly name: string;
  readonly access?: ImageAccess;
  readonly packet?: Type;
}

/** The argument of a template parameter: a type (for a template template parameter, that template), or a value. */
export type TemplateValue = Type | bigint;

/** `P<int, 3>`: a class template and its arguments, including default ones. */
export interface Instance {
  readonly template: RecordSymbol;
  readonly arguments: readonly TemplateValue[];
}

/** A pointer to an object or a function. */
export interface PointerType extends Typed {
  readonly kind: "pointer";
  readonly pointee: Type;
}

/** A pointer to a member of C++. */
export interface MemberPointerType extends Typed {
  readonly kind: "member-pointer";
  /** The class of the member. */
  readonly of: Type;
  /** The type of the member. A function's qualifiers are those after its parameters. */
  readonly member: Type;
}

/** A reference of C++. */
export interface ReferenceType extends Typed {
  readonly kind: "reference";
  readonly referent: Type;
  readonly isRvalue: boolean;
}

/** An array. */
export interface ArrayType extends Typed {
  readonly kind: "array";
  /** The element carries the qualifiers, including the array's address space (C11 §6.7.3p9). */
  readonly element: Type;
  /** The number of elements; undefined if absent, variable, dependent or unknown. */
  readonly length: number | undefined;
  readonly extent: "fixed" | "absent" | "variable" | "unknown";
}

/** A function's result and parameters. */
export interface FunctionType extends Typed {
  readonly kind: "function";
  readonly result: Type;
  /** After adjustment: arrays and functions are pointers (C11 §6.7.6.3p7). */
  readonly parameters: readonly Type[];
  readonly isVariadic: boolean;
}

/** A type that could not be seen; nothing may be concluded from it. */
export const unknownType: Type = { kind: "unknown", qualifiers: unqualified };
/** `void`. */
export const voidType: Type = { kind: "void", qualifiers: unqualified };
/** A type that depends on a template's arguments. */
export const dependentType: Type = { kind: "dependent", name: undefined, qualifiers: unqualified };

/** The unqualified arithmetic type of that name. */
export function arithmetic(name: ArithmeticName): Type {
  return { kind: "arithmetic", name, qualifiers: unqualified };
}

/** An unqualified pointer to the type. */
export function pointerTo(pointee: Type): PointerType {
  return { kind: "pointer", pointee, qualifiers: unqualified };
}

/** The type with these qualifiers instead of its own; an array's element is changed too. */
export function withQualifiers<T extends Type>(type: T, qualifiers: Qualifiers): T {
  // Most types already have them, and not copying a type costs nothing.
  const areThere = areSame(type.qualifiers, qualifiers);
  if (type.kind !== "array") return areThere ? type : { ...type, qualifiers };
  const element = withQualifiers(type.element, qualifiers);
  return areThere && element === type.element ? type : { ...type, element, qualifiers };
}

/** Adds `const`, `volatile`, `restrict`, and an address space if there is none yet. */
export function addQualifiers<T extends Type>(type: T, added: Partial<Qualifiers>): T {
  const merged = mergedQualifiers(type.qualifiers, added);
  if (type.kind !== "array") return areSame(type.qualifiers, merged) ? type : { ...type, qualifiers: merged };
  return { ...type, element: addQualifiers(type.element, added), qualifiers: merged };
}

function mergedQualifiers(own: Qualifiers, added: Partial<Qualifiers>): Qualifiers {
  const isConst = own.const || (added.const ?? false);
  const isVolatile = own.volatile || (added.volatile ?? false);
  const isRestrict = own.restrict || (added.restrict ?? false);
  if (own.implicitSpace !== undefined) return own.implicitSpace(isConst, isVolatile, isRestrict);
  if (added.implicitSpace !== undefined && own.space === undefined) return added.implicitSpace(isConst, isVolatile, isRestrict);
  return { space: own.space ?? added.space, const: isConst, volatile: isVolatile, restrict: isRestrict };
}

function areSame(a: Qualifiers, b: Qualifiers): boolean {
  if (a.implicitSpace !== undefined || b.implicitSpace !== undefined) return a === b;
  return a === b || (a.space === b.space && a.const === b.const && a.volatile === b.volatile && a.restrict === b.restrict);
}

/** The type of a value, without top-level qualifiers (C11 §6.3.2.1p2). */
export function unqualifiedType<T extends Type>(type: T): T {
  return withQualifiers(type, unqualified);
}

/** The type without const and volatile at any level. */
export function withoutConst(type: Type): Type {
  const bare = withQualifiers(type, { ...type.qualifiers, const: false, volatile: false, restrict: false });
  if (bare.kind === "pointer") return { ...bare, pointee: withoutConst(bare.pointee) };
  return bare.kind === "reference" ? { ...bare, referent: withoutConst(bare.referent) } : bare;
}

/** The type without an address space, and a pointer's pointee without one, too. */
export function withoutSpaces(type: Type): Type {
  const bare = type.qualifiers.space === undefined ? type : withQualifiers(type, { ...type.qualifiers, space: undefined });
  return bare.kind === "pointer" ? { ...bare, pointee: withoutSpaces(bare.pointee) } : bare;
}

/** True if nothing may be concluded from the type's outermost level. */
export function isOpaqueToUs(type: Type): boolean {
  return type.kind === "unknown" || type.kind === "dependent" || type.kind === "auto";
}

/** True if any level of the type is unknown or dependent. */
export function containsUnknown(type: Type): boolean {
  return contains(type, undecided);
}

/** True if a part of the type has a name that nothing declares. What depends on a template's parameters is known as far as it can be. */
export function containsUndeclared(type: Type): boolean {
  return contains(type, undeclared);
}

const undeclared: ReadonlySet<Type["kind"]> = new Set(["unknown"] as const);
const undecided: ReadonlySet<Type["kind"]> = new Set(["unknown", "dependent", "auto"] as const);

function contains(type: Type, kinds: ReadonlySet<Type["kind"]>): boolean {
  switch (type.kind) {
    case "pointer":
      return contains(type.pointee, kinds);
    case "reference":
      return contains(type.referent, kinds);
    case "array":
      return contains(type.element, kinds);
    case "atomic":
      return contains(type.value, kinds);
    case "member-pointer":
      return contains(type.of, kinds) || contains(type.member, kinds);
    case "function":
      return contains(type.result, kinds) || type.parameters.some((parameter) => contains(parameter, kinds));
    default:
      return kinds.has(type.kind);
  }
}

/** True for integers and enumerations (C11 §6.2.5p17). */
export function isInteger(type: Type): boolean {
  if (type.kind === "enum") return true;
  return type.kind === "arithmetic" && !isFloating(type);
}

/** True for `half`, `float`, `double` and `long double`. */
export function isFloating(type: Type): boolean {
  return (
    type.kind === "arithmetic" && (type.name === "half" || type.name === "float" || type.name === "double" || type.name === "long double")
  );
}

/** The type that a reference refers to; any other type unchanged. */
export function referred(type: Type): Type {
  return type.kind === "reference" ? type.referent : type;
}

/**
 * The type in clang's spelling and one canonical form: `__global const int *__private`. Deterministic, so that equal texts mean
 * equal types.
 */
export function printType(type: Type): string {
  return printAround(type, "");
}

/** The declaration of a name with that type: `__local float tile[64]`. */
export function printDeclared(type: Type, name: string): string {
  return printAround(type, name);
}

const baseNames: Partial<Record<ArithmeticName, string>> = {};

function printAround(type: Type, inner: string): string {
  switch (type.kind) {
    case "pointer": {
      const own = printQualifiers(type.qualifiers);
      const star = `*${own}${own && inner && !/^[)[(]/.test(inner) ? " " : ""}${inner}`;
      const needsParentheses = type.pointee.kind === "array" || type.pointee.kind === "function";
      return printAround(type.pointee, needsParentheses ? `(${star})` : star);
    }
    case "reference": {
      const mark = `${type.isRvalue ? "&&" : "&"}${inner}`;
      const needsParentheses = type.referent.kind === "array" || type.referent.kind === "function";
      return printAround(type.referent, needsParentheses ? `(${mark})` : mark);
    }
    case "member-pointer": {
      const own = printQualifiers(type.qualifiers);
      const star = `${printType(type.of)}::*${own}${own && inner ? " " : ""}${inner}`;
      const after = type.member.kind === "function" ? printQualifiers(type.member.qualifiers) : "";
      const isCompound = type.member.kind === "function" || type.member.kind === "array";
      return `${printAround(type.member, isCompound ? `(${star})` : star)}${after && " "}${after}`;
    }
    case "array":
      return printAround(type.element, `${inner}[${type.length ?? ""}]`);
    case "function": {
      const parameters = [...type.parameters.map(printType), ...(type.isVariadic ? ["..."] : [])].join(", ");
      return printAround(type.result, `${inner}(${parameters})`);
    }
    case "block":
      return printAround(type.function.result, `(^${inner})(${type.function.parameters.map(printType).join(", ")})`);
    default: {
      const words = [printQualifiers(type.qualifiers), baseName(type)].filter((word) => word !== "").join(" ");
      return inner === "" ? words : `${words} ${inner}`;
    }
  }
}

function printQualifiers(qualifiers: Qualifiers): string {
  const words: string[] = [];
  if (qualifiers.space !== undefined) words.push(printSpace(qualifiers.space));
  if (qualifiers.const) words.push("const");
  if (qualifiers.volatile) words.push("volatile");
  if (qualifiers.restrict) words.push("restrict");
  return words.join(" ");
}

/** `__global`, `__attribute__((address_space(3)))`. */
function printSpace(space: AddressSpace): string {
  return space.startsWith("address_space") ? `__attribute__((${space}))` : `__${space}`;
}

function baseName(
  type: Exclude<Type, PointerType | ReferenceType | MemberPointerType | ArrayType | FunctionType | { kind: "block" }>,
): string {
  switch (type.kind) {
    case "void":
      return "void";
    case "arithmetic":
      return baseNames[type.name] ?? type.name;
    case "nullptr":
      return "nullptr_t";
    case "vector":
      return `${vectorElement(type.element)}${type.length}`;
    case "record":
      if (type.record.closure !== undefined) return "(lambda)";
      return printInstance(type.record.instance) ?? type.record.tag ?? `(unnamed ${type.record.key})`;
    case "enum":
      return type.enumeration.tag ?? "(unnamed enum)";
    case "opaque":
      return [type.access, type.name, type.packet === undefined ? undefined : printType(type.packet)]
        .filter((part) => part !== undefined)
        .join(" ");
    case "atomic":
      return `_Atomic(${printType(type.value)})`;
    case "dependent":
      return type.name ?? printInstance(type.instance) ?? "<dependent>";
    case "auto":
      return "auto";
    case "unknown":
      return type.name ?? "<unknown>";
  }
}

function printInstance(instance: Instance | undefined): string | undefined {
  return instance === undefined ? undefined : `${instance.template.tag ?? ""}${printArguments(instance.arguments)}`;
}

/** `<int, 3>`. */
export function printArguments(values: readonly TemplateValue[]): string {
  return `<${values.map((value) => (typeof value === "bigint" ? String(value) : printType(value))).join(", ")}>`;
}

function vectorElement(element: ArithmeticName): string {
  return element.startsWith("unsigned ") ? `u${element.slice(9)}` : element;
}
