/**
 * The functions that a call could refer to, judged by their declarations alone: the constructors of a class, and functions that
 * accept a number of arguments.
 */
import type { Expression } from "../../syntax/ast.ts";
import { type FunctionDeclaration, type FunctionSymbol, isDeclaredWith, type RecordSymbol } from "../types/symbols.ts";
import { declarationsNow, type Scope } from "./scope.ts";

/** The constructors that a record declares itself. */
export function constructorsOf(record: RecordSymbol): readonly FunctionSymbol[] {
  return record.functions.filter(({ name }) => name === record.tag);
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
