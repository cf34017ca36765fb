/**
 * Declares the language's builtin functions. Their declarations are parsed when a name is first looked up, because OpenCL C alone
 * has thousands of functions and a kernel uses a dozen.
 */
import { builtinFunction } from "../builtins/index.ts";
import { type Context, outermost } from "../facts/context.ts";
import { isOverloadable } from "../symbols/candidates.ts";
import { createScope, functionsOf, ownNames, programScope } from "../symbols/scope.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { bindItems } from "./binder.ts";

/** The overloads of a builtin function in the current dialect; empty if the language has none of that name. */
export function builtinFunctions(context: Context, name: string): readonly FunctionSymbol[] {
  const { builtins, parseBuiltin } = context.program;
  const known = builtins.get(name);
  if (known !== undefined) return known;
  const text = builtinFunction(name, context.dialect);
  builtins.set(name, []);
  if (text === undefined) return [];
  const { items, unit } = parseBuiltin(text);
  const scope = createScope("program", programScope(context.scope));
  bindItems(
    {
      ...context,
      unit,
      scope,
      isEmitting: false,
      isBuiltin: true,
      ...outermost,
    },
    items,
  );
  const functions = functionsOf(ownNames(scope, name) ?? []);
  builtins.set(name, functions);
  return functions;
}

/**
 * The builtin functions that remain candidates beside the program's own functions of the same name; empty if the program replaces
 * them. In C, overloading takes clang's attribute. A call can also select them if a compiler declares the builtin functions in a
 * header.
 */
export function overloadedBuiltins(context: Context, functions: readonly FunctionSymbol[]): readonly FunctionSymbol[] {
  const { dialect } = context;
  const [first] = functions;
  if (dialect.language !== "opencl" || first === undefined) return [];
  const overloads = ({ name, qualifiedName, record, isBuiltin, declarations }: FunctionSymbol) =>
    !isBuiltin && record === undefined && qualifiedName === name && (dialect.cplusplus || declarations.some(isOverloadable));
  return functions.every(overloads) ? builtinFunctions(context, first.name) : [];
}
