/**
 * Pattern matching: whether a type or a value is what a template's parameters can make of a pattern, and with which arguments. It
 * deduces the arguments of function templates, and chooses among partial specializations.
 */
import type { RecordSymbol } from "../types/symbols.ts";
import { containsUnknown, type Qualifiers, type TemplateValue, type Type, withQualifiers } from "../types/types.ts";
import { argumentKey, type Bindings, isOpen } from "./argument-keys.ts";
import { isExpansion } from "./packs.ts";

/**
 * Whether a pattern becomes the value when its parameters are bound (C++17 §17.8.2.5); adds the bindings. Undefined if that is
 * unknown. The value of a parameter that is already bound must agree.
 */
export function match(pattern: TemplateValue, value: TemplateValue, bindings: Bindings): boolean | undefined {
  if (typeof pattern === "bigint") return typeof value === "bigint" ? pattern === value : undefined;
  if (pattern.kind === "dependent" && pattern.name !== undefined)
    return bind(pattern.name, withoutQualifiersOf(pattern.qualifiers, value), bindings);
  if (typeof value === "bigint") return pattern.kind === "dependent" || pattern.kind === "unknown" ? undefined : false;
  if (pattern.kind === "dependent" && pattern.instance !== undefined) return matchInstance(pattern.instance, value, bindings);
  if (pattern.kind === "unknown" || pattern.kind === "dependent" || pattern.kind === "auto" || containsUnknown(value)) return undefined;
  if (!containsUnknown(pattern)) return argumentKey(pattern) === argumentKey(value);
  if (pattern.kind === "pointer")
    return value.kind === "pointer" && hasQualifiersOf(pattern.qualifiers, value) ? match(pattern.pointee, value.pointee, bindings) : false;
  if (pattern.kind === "reference")
    return value.kind === "reference" && value.isRvalue === pattern.isRvalue ? match(pattern.referent, value.referent, bindings) : false;
  // The length of an array may be a parameter too.
  if (pattern.kind === "array") return value.kind === "array" ? undefined : false;
  return value.kind === pattern.kind ? undefined : false;
}

/**
 * `match` for a parameter's type in a declaration of a specialization. There a forwarding reference also becomes a reference to an
 * object (C++17 §17.8.2.6p2).
 */
export function matchDeclared(pattern: Type, type: Type, bindings: Bindings): boolean | undefined {
  const isForwarding = pattern.kind === "reference" && pattern.isRvalue && pattern.referent.kind === "dependent";
  return isForwarding && type.kind === "reference" && !type.isRvalue && !pattern.referent.qualifiers.const
    ? match(pattern.referent, type, bindings)
    : match(pattern, type, bindings);
}

function matchInstance(pattern: NonNullable<RecordSymbol["instance"]>, value: Type, bindings: Bindings): boolean | undefined {
  if (value.kind !== "record") return containsUnknown(value) ? undefined : false;
  const { instance } = value.record;
  if (instance?.template !== pattern.template) return value.record.bases.length > 0 ? undefined : false;
  return matchAll(pattern.arguments, instance.arguments, bindings);
}

/** Whether a list of patterns becomes the list of values. The last pattern may be an expansion, which takes the rest. */
export function matchAll(patterns: readonly TemplateValue[], values: readonly TemplateValue[], bindings: Bindings): boolean | undefined {
  const expansion = patterns.findIndex(isExpansion);
  if (expansion >= 0 && expansion < patterns.length - 1) return undefined;
  const single = expansion < 0 ? patterns : patterns.slice(0, expansion);
  if (values.some(isExpansion)) return undefined;
  if (expansion < 0 ? values.length !== single.length : values.length < single.length) return false;
  let result: boolean | undefined = true;
  for (const [index, pattern] of single.entries()) {
    const value = values[index];
    const fits = value === undefined ? undefined : match(pattern, value, bindings);
    if (fits === false) return false;
    if (fits === undefined) result = undefined;
  }
  const last = patterns[expansion];
  const fits = last === undefined ? true : matchRest(last, values.slice(single.length), bindings);
  return fits === true ? result : fits;
}

/** Binds the packs in the pattern of an expansion to what each of the values gives them. */
function matchRest(pattern: TemplateValue, values: readonly TemplateValue[], bindings: Bindings): boolean | undefined {
  const lists = new Map<string, TemplateValue[]>();
  if (typeof pattern !== "bigint" && pattern.kind === "dependent" && pattern.name !== undefined) lists.set(pattern.name, []);
  // Without a value it is unknown which names of another pattern are packs.
  else if (values.length === 0) return undefined;
  for (const value of values) {
    const own: Bindings = new Map();
    const fits = match(pattern, value, own);
    if (fits !== true) return fits;
    for (const [name, bound] of own) {
      if (typeof bound !== "bigint" && !("kind" in bound)) return undefined;
      lists.set(name, [...(lists.get(name) ?? []), bound]);
    }
  }
  for (const [name, list] of lists) {
    const present = bindings.get(name);
    if (present === undefined) bindings.set(name, list);
    else if (typeof present === "bigint" || "kind" in present) return undefined;
    else if (present.map(argumentKey).join() !== list.map(argumentKey).join()) return false;
  }
  return true;
}

function bind(name: string, value: TemplateValue | undefined, bindings: Bindings): boolean | undefined {
  if (value === undefined) return false;
  if (isOpen(value)) return undefined;
  const present = bindings.get(name);
  if (present === undefined) {
    bindings.set(name, value);
    return true;
  }
  if (typeof present !== "bigint" && !("kind" in present)) return undefined;
  return argumentKey(present) === argumentKey(value);
}

/**
 * The value without the qualifiers of the pattern: `const T` matches `const int` with T = int. Undefined if it lacks one of them:
 * `const T` does not match `int`.
 */
function withoutQualifiersOf(own: Qualifiers, value: TemplateValue): TemplateValue | undefined {
  if (typeof value === "bigint") return value;
  if (!hasQualifiersOf(own, value)) return undefined;
  const { space, const: isConst, volatile, restrict } = value.qualifiers;
  const rest = {
    space: own.space === undefined ? space : undefined,
    const: isConst && !own.const,
    volatile: volatile && !own.volatile,
    restrict: restrict && !own.restrict,
  };
  return withQualifiers(value, rest);
}

function hasQualifiersOf(own: Qualifiers, { qualifiers }: Type): boolean {
  return (
    (!own.const || qualifiers.const) &&
    (!own.volatile || qualifiers.volatile) &&
    (own.space === undefined || own.space === qualifiers.space)
  );
}
