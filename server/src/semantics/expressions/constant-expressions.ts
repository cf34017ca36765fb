/**
 * Constant expressions in context: array bounds, enumerators, alignments, conditions of `if constexpr`. This file resolves names,
 * types and sizes; `constants.ts` does the arithmetic.
 */
import { memoInCircles } from "../../memo.ts";
import type { Expression, Name, TypeId } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { type ConstantScope, type ConstantValue, convertTo, evaluateConstant } from "../constants/constants.ts";
import { fits } from "../constants/literals.ts";
import { typeOfTypeId } from "../declarations/declarators.ts";
import { resolveName, typeOfName } from "../declarations/name-resolution.ts";
import type { Context } from "../facts/context.ts";
import { typeOfExpression } from "../facts/evaluator.ts";
import { packLength } from "../templates/packs.ts";
import { alignOf, sizeOf } from "../types/layout.ts";
import type { EnumeratorSymbol, VariableSymbol } from "../types/symbols.ts";
import { isFloating, isInteger, type Type } from "../types/types.ts";

/** How many nested initializers of named constants are followed. */
const deepest = 32;

/** The value of an integer constant expression; undefined for any other, and if it is unknown. */
export function constantInteger(context: Context, expression: Expression | undefined): bigint | undefined {
  const value = expression === undefined ? undefined : constantValue(context, expression)?.value;
  return typeof value === "bigint" ? value : undefined;
}

/** Like `constantInteger`, as a number. */
export function constantNumber(context: Context, expression: Expression): number | undefined {
  const value = constantInteger(context, expression);
  return value === undefined ? undefined : Number(value);
}

/** The value of an integer or floating-point constant expression, with its type. */
function constantValue(context: Context, expression: Expression): ConstantValue | undefined {
  return evaluateConstant(expression, scopeOf(context, 0));
}

function scopeOf(context: Context, depth: number): ConstantScope {
  return {
    language: context.dialect.language,
    isCplusplus: context.dialect.cplusplus,
    nameValue: (name) => (depth > deepest ? undefined : valueOfName(context, name, depth)),
    sizeOf: (operand) => (operand.kind === "pack-expansion" ? packLength(context, operand.pattern) : sizeOf(operandType(context, operand))),
    alignOf: (operand) => alignOf(operandType(context, operand)),
    typeOf: (type) => typeOfTypeId(context, type),
    typeOfName: (name) => typeOfName(context, name),
  };
}

function valueOfName(context: Context, name: Name, depth: number): ConstantValue | undefined {
  const symbols = resolveName(context, name);
  const symbol = symbols.length === 1 ? symbols[0] : undefined;
  if (symbol?.kind === "enumerator") return valueOfEnumerator(symbol);
  if (symbol?.kind === "template-parameter")
    return symbol.value === undefined || symbol.type === undefined
      ? undefined
      : convertTo(symbol.type, { value: symbol.value, type: "long long" });
  return symbol?.kind === "variable" ? valueOfVariable(context, symbol, depth) : undefined;
}

/** The context in which a constant was declared, for looking up the names in its initializer. */
const homes = new WeakMap<VariableSymbol, Context>();

/** Stores the context of a variable's declaration. Its value may be needed later, and names in its initializer are looked up there. */
export function rememberConstant(context: Context, variable: VariableSymbol): void {
  if (constantInitializer(context, variable) !== undefined) homes.set(variable, { ...context, isEmitting: false });
}

function valueOfVariable(context: Context, variable: VariableSymbol, depth: number): ConstantValue | undefined {
  const initializer = constantInitializer(context, variable);
  return initializer === undefined ? undefined : initialValueOf(variable, initializer, context, depth);
}

/**
 * The value of a variable, evaluated once. Otherwise `const int b = a + a, c = b + b, …` would double the work at every step. A variable
 * has no value while it is being evaluated: `const int a = a + a;`.
 */
const initialValueOf = memoInCircles((variable: VariableSymbol, initializer: Expression, context: Context, depth: number) =>
  convertTo(variable.type, evaluateConstant(initializer, scopeOf(homes.get(variable) ?? context, depth + 1))),
);

/** The value of an enumerator. In C it is an int if possible (C11 §6.7.2.2p3), in C++ after promotion (C++17 §7.6p3). */
function valueOfEnumerator({ value, enumeration }: EnumeratorSymbol): ConstantValue | undefined {
  if (value === undefined) return undefined;
  if (enumeration.underlying !== undefined) return convertTo(enumeration.underlying, { value, type: "long" });
  return { value, type: fits(value, "int") ? "int" : fits(value, "unsigned int") ? "unsigned int" : "long" };
}

/**
 * The initializer of a variable that a constant expression may use: in C++ a const integral variable with a constant initializer,
 * or a constexpr one of any arithmetic type (C++17 §8.20p2.7). In C there is none.
 */
function constantInitializer(context: Context, variable: VariableSymbol): Expression | undefined {
  const { type, initializer } = variable;
  if (!context.dialect.cplusplus || !type.qualifiers.const || type.qualifiers.volatile) return undefined;
  if (!isInteger(type) && !(isFloating(type) && hasWord(variable.words, "constexpr"))) return undefined;
  const value =
    initializer?.kind === "value"
      ? initializer.value
      : initializer?.kind === "direct" && initializer.arguments.length === 1
        ? initializer.arguments[0]
        : undefined;
  if (value?.kind !== "list") return value;
  return value.elements.length === 1 ? value.elements[0]?.value : undefined;
}

/** The type that `sizeof` measures: for a reference, that of the object. */
export function operandType(context: Context, operand: Expression | TypeId): Type {
  const name = operand.kind === "parenthesized" && operand.inner.kind === "name" ? operand.inner.name : undefined;
  // `sizeof(N)` parses with N as an object, `sizeof(S::N)` with it as a type.
  const named = name === undefined ? undefined : typeOfName(context, name);
  const read = operand.kind === "type-id" ? (objectOf(context, operand) ?? operand) : operand;
  const type = named ?? (read.kind === "type-id" ? typeOfTypeId(context, read) : typeOfExpression(context, read));
  return type.kind === "reference" ? type.referent : type;
}

/** The object whose qualified name was parsed as a type's. */
function objectOf(context: Context, { specifiers, declarator, span }: TypeId): Expression | undefined {
  if (declarator.kind !== "abstract" || specifiers.words.length > 0 || specifiers.type?.kind !== "named") return undefined;
  const { name } = specifiers.type;
  return typeOfName(context, name) === undefined && resolveName(context, name).length > 0 ? { kind: "name", name, span } : undefined;
}
