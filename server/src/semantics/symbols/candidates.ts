/**
 * The functions that a call could refer to, judged by their declarations alone: the constructors of a class, and functions that
 * accept a number of arguments.
 */
import type { Expression } from "../../syntax/ast.ts";
import { type FunctionDeclaration, type FunctionSymbol, isDeclaredWith, type RecordSymbol } from "../types/symbols.ts";
import { printType } from "../types/types.ts";
import { declarationsNow, type Scope } from "./scope.ts";

/** The constructors that a record declares itself. */
export function constructorsOf(record: RecordSymbol): readonly FunctionSymbol[] {
  return record.functions.filter(({ name }) => name === record.tag);
}

/**
 * The constructors that a record makes its own by `using Base::Base;`, unless they copy or the record declares one with the same
 * parameters. One without parameters is hidden by the implicit one, too (C++17 §10.3.3p15, §16.3.1p8).
 */
export function inheritedConstructors(record: RecordSymbol, depth = 0): readonly FunctionSymbol[] {
  if (record.inherits === undefined || depth > deepest) return [];
  const own = constructorsOf(record);
  const hidden = new Set(own.map(parameterTypes));
  return record.inherits
    .flatMap((base) => [...constructorsOf(base).filter((each) => !isCopying(each, base)), ...inheritedConstructors(base, depth + 1)])
    .filter((each) => !hidden.has(parameterTypes(each)) && (own.length > 0 || each.type.parameters.length > 0));
}

const deepest = 20;

/** The types of a function's parameters, as text. Two functions of one name and scope with the same text are the same. */
export function parameterTypes({ type }: Pick<FunctionSymbol, "type">): string {
  return type.parameters.map(printType).join();
}

/** True for a constructor that takes its class's own objects first: one that copies or moves. */
export function isCopying({ type: { parameters } }: FunctionSymbol, record: RecordSymbol): boolean {
  const [first] = parameters;
  return first?.kind === "reference" && first.referent.kind === "record" && first.referent.record === record;
}

/** All constructors that may initialize an object: its class's own, and those that this inherits. */
export function initializingConstructors(record: RecordSymbol): readonly FunctionSymbol[] {
  const own = constructorsOf(record);
  return record.inherits === undefined ? own : [...own, ...inheritedConstructors(record)];
}

/**
 * True if the function can be called with this many arguments. `scope` gives the time, because a default argument may be declared
 * later.
 */
export function takes(candidate: FunctionSymbol, count: number, scope?: Scope): boolean {
  const { parameters, isVariadic } = candidate.type;
  if (count > parameters.length) return isVariadic || hasPack(candidate);
  return (
    count === parameters.length ||
    (scope === undefined ? candidate.declarations : declarationsNow(scope, candidate)).some(({ declarator, parameters: own }) =>
      declarator.parameters
        .slice(count)
        .every(({ defaultValue }, index) => defaultValue !== undefined || own[count + index]?.symbol.isPack === true),
    )
  );
}

/** True for a constructor or a conversion function that converts nothing implicitly (C++17 §10.1.2). */
export function isExplicit(constructor: FunctionSymbol): boolean {
  return isDeclaredWith(constructor, "explicit");
}

/** Clang's attribute for overloaded C functions. An unknown macro around a function's name, `NAME(f)(int *p)`, may have it too. */
export function isOverloadable({ attributes, owner: { name } }: FunctionDeclaration): boolean {
  if (name.includes(" ") && !name.startsWith("operator")) return true;
  return attributes.some(({ name }) => name === "overloadable" || name === "__overloadable__");
}

/** True if a parameter is a pack, which takes any number of arguments. */
export function hasPack(candidate: FunctionSymbol): boolean {
  return candidate.declarations.some(({ parameters }) => parameters.some(({ symbol }) => symbol.isPack === true));
}

/** True for a callee as in `std::f(x)`. The headers of the library, which have most of its candidates, are not read. */
export function isInStd(callee: Expression | undefined): boolean {
  return callee?.kind === "name" && callee.name.parts.length > 1 && callee.name.parts[0]?.text === "std";
}

/** True if some of the functions that are found in `std` are a program's own, which a using declaration adds to those of the library. */
export function addToLibrary(functions: readonly FunctionSymbol[]): boolean {
  return functions.some(({ qualifiedName }) => !qualifiedName.startsWith("std::"));
}
