/**
 * Decides whether everything that happens to a pointer is known well enough to change the address space that it points into.
 * `qualify-pointer.ts` follows the conversions of the pointer; this file finds uses that no conversion shows.
 */
import {
  accessesTo,
  callsAround,
  callsWithin,
  conversionsAround,
  conversionsTo,
  operandsAround,
  referencesTo,
} from "../../analyses/fact-index.ts";
import { pointedSpace } from "../../analyses/pointers/pointer-flow.ts";
import type { DialectFacts } from "../../diagnostics/analyzed-files.ts";
import type { CompileSettings, Limits } from "../../dialect.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import { dropsConst } from "../../rules/fixes/pointer-qualification.ts";
import type { ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";

/** True if a use of the pointer may need the space that it points into now, although no conversion of its value does. */
export function mayNeedItsSpace(
  { facts, dialect }: DialectFacts,
  { limits }: CompileSettings,
  variable: VariableSymbol,
  space: AddressSpace,
): boolean {
  return (
    isSpelledElsewhere(variable) ||
    hasOtherHead(facts, variable) ||
    isInCasts(facts, variable) ||
    isNarrowed(facts, variable) ||
    isPassedOn(facts, variable) ||
    isNamedAsType(facts, variable) ||
    (dialect.language === "opencl" && dialect.cplusplus && mayBindToObject(facts, variable)) ||
    isFilledByHost(variable) ||
    // Constant memory needs no order, because nobody writes it.
    (space !== "constant" && isFenced(facts, variable)) ||
    (space === "constant" && exceedsArguments(limits, variable))
  );
}

/** True if something else than a qualifier in the declaration says where the pointer points to, or what type it has. */
function isSpelledElsewhere({ declaration: { unit, span } }: VariableSymbol): boolean {
  return /\b(?:address_space|opencl_\w+|decltype|auto)\b/.test(unit.view.text.slice(span.start, span.end));
}

/** True if the type of a function must follow that the change does not reach: a block's, another prototype's, an old definition's. */
function hasOtherHead({ functions }: Facts, { owner, scope }: VariableSymbol): boolean {
  if (scope !== "parameter" || owner === undefined) return false;
  if (owner.lambda !== undefined || owner.qualifiedName === "(lambda)") return true;
  if (owner.declarations.some(({ declarator }) => declarator.isOldStyle === true)) return true;
  return owner.record === undefined && functions.some((other) => other !== owner && other.name === owner.name);
}

/**
 * True if a cast names a type that the pointer's value has, or comes from: it keeps the space that it names, and integers, pointers
 * of another depth and results of functions do not tell where they point to.
 */
function isInCasts(facts: Facts, variable: VariableSymbol): boolean {
  const isChange = ({ from, to, isNullConstant }: ConversionFact): boolean => !isNullConstant && depth(from) !== depth(to);
  if (usesOf(facts, variable).some(isChange)) return true;
  const received = conversionsTo(facts, variable);
  // A class that converts to a pointer gives one into its own space.
  if (variable.initializer !== undefined && received.length === 0) return true;
  const sources = received.filter(({ isNullConstant }) => !isNullConstant);
  if (sources.some((fact) => isChange(fact) || dropsConst(fact))) return true;
  const isWithin = (place: Place) => sources.some(({ operandPlace }) => contains(operandPlace, place));
  return (
    facts.conversions.some(({ context, place, to }) => context === "cast" && depth(to) > 0 && isWithin(place)) ||
    facts.calls.some(({ place }) => isWithin(place))
  );
}

/** True if the pointer becomes a generic one, in a file that asks generic pointers where they point to. */
function isNarrowed(facts: Facts, variable: VariableSymbol): boolean {
  const isGeneric = (type: Type) => pointedSpace(type) === "generic";
  if (!isGeneric(variable.type) && !usesOf(facts, variable).some(({ to }) => isGeneric(to))) return false;
  return (
    facts.calls.some(({ name }) => asksForSpace.test(name)) ||
    facts.conversions.some(({ context, from, to }) => context === "cast" && isGeneric(from) && !isGeneric(to))
  );
}

const asksForSpace = /^(?:to_(?:global|local|private)|__?to_\w+|get_fence|__builtin_\w+|__opencl_\w+)$/;

/** True if a call takes the pointer whose parameters are unknown, depend on the argument, or are not in the text. */
function isPassedOn(facts: Facts, variable: VariableSymbol): boolean {
  return referencesTo(facts, variable).some(({ place }) =>
    callsAround(facts, place).some(({ callee }) => callee === undefined || callee.isTemplate || callee.type.isVariadic || isBlock(callee)),
  );
}

function isBlock({ qualifiedName }: FunctionSymbol): boolean {
  return qualifiedName === "(lambda)";
}

/** True if `typeof` or `decltype` makes another type of the pointer's. */
function isNamedAsType(facts: Facts, variable: VariableSymbol): boolean {
  return referencesTo(facts, variable).some(({ place: { unit, span } }) =>
    /\b(?:decltype|typeof|sizeof)\s*\([^()]*$/.test(unit.view.text.slice(Math.max(0, span.start - 80), span.start)),
  );
}

/** C++ for OpenCL: true if references, member functions or templates may depend on the object that the pointer leads to. */
function mayBindToObject(facts: Facts, variable: VariableSymbol): boolean {
  const { type } = variable;
  const isPlain = type.kind === "pointer" && (type.pointee.kind === "arithmetic" || type.pointee.kind === "vector");
  return (
    !isPlain ||
    accessesTo(facts, variable).some(({ mode, path }) => path.steps.length > 0 && (mode === "bind" || mode === "address")) ||
    usesOf(facts, variable).some(({ to, from }) => to.kind !== "pointer" || from.kind !== "pointer") ||
    operandsAroundAny(facts, variable)
  );
}

function operandsAroundAny(facts: Facts, variable: VariableSymbol): boolean {
  return referencesTo(facts, variable).some(({ place }) =>
    operandsAround(facts, place).some(({ left, right }) => left.kind === "record" || right.kind === "record"),
  );
}

/** True if the kernel has as many constant arguments as the device takes. */
function exceedsArguments({ constantArguments }: Limits, { owner, scope }: VariableSymbol): boolean {
  const [first] = owner?.declarations ?? [];
  if (scope !== "parameter" || first?.execution.kernel !== true) return false;
  const present = first.parameters.filter(({ symbol }) => pointedSpace(symbol.type) === "constant").length;
  return present >= constantArguments;
}

/** True if the host would have to write pointers into what a kernel's argument points to. */
function isFilledByHost({ owner, scope, type }: VariableSymbol): boolean {
  const isOfKernel = scope === "parameter" && owner?.declarations.some(({ execution }) => execution.kernel) === true;
  return isOfKernel && type.kind === "pointer" && hasPointer(type.pointee);
}

/** True if a fence in the function orders the memory that the pointer leads to now: behind it, another memory would be out of order. */
function isFenced(facts: Facts, { owner, type }: VariableSymbol): boolean {
  const space = pointedSpace(type);
  if (space !== "local" && space !== "global") return false;
  return owner !== undefined && callsWithin(facts, owner).some(({ name }) => /^(?:work_group_)?barrier$|fence$/.test(name));
}

function hasPointer(type: Type): boolean {
  if (type.kind === "record") return type.record.members?.some((member) => hasPointer(member.type)) === true;
  return type.kind === "array" ? hasPointer(type.element) : type.kind === "pointer";
}

function usesOf(facts: Facts, variable: VariableSymbol): readonly ConversionFact[] {
  return referencesTo(facts, variable).flatMap(({ place }) => conversionsAround(facts, place));
}

/** How many pointers lead to an object of the type. */
function depth(type: Type): number {
  if (type.kind === "pointer") return 1 + depth(type.pointee);
  return type.kind === "array" ? 1 + depth(type.element) : 0;
}
