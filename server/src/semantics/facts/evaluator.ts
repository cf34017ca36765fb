/**
 * What declarations ask of expressions. C++ lets each contain the other: an array bound is an expression, a lambda contains
 * declarations. Expressions import declarations; declarations reach expressions through the evaluator that the program
 * carries, so that the recursion is closed in one place.
 */
import type { Expression } from "../../syntax/ast.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";
import type { Context } from "./context.ts";
import type { AccessPath, ConversionContext, ConversionFact } from "./facts.ts";

/** What an expression gives: a type, whether it names an object, and which object. */
export interface Value {
  readonly type: Type;
  /** It names an object (C11 §6.3.2.1). */
  readonly isLvalue: boolean;
  readonly path?: AccessPath | undefined;
  /** A null pointer constant (C11 §6.3.2.3p3). */
  readonly isNull?: boolean;
  /** Of a pointer that is one of two, `c ? p : q`: what each of them is. */
  readonly alternatives?: readonly { readonly type: Type; readonly path: AccessPath | undefined }[];
  /** Of `c ? a : b` with two objects: which one is meant, the condition decides. */
  readonly branches?: readonly { readonly value: Value; readonly expression: Expression }[];
  /** It points to memory that this function of the host's heap has just given. */
  readonly heap?: string;
  /** A part of a vector that `->` names: compilers overlook that it has the qualifiers of its vector. */
  readonly isOverlooked?: true;
  /** What a name of functions may mean. */
  readonly functions?: readonly FunctionSymbol[];
  /** Of member functions that an object names: its type; `path` is the object's then. */
  readonly objectType?: Type;
}

/** How a conversion came about, and what it should be reported about. */
export interface Conversion {
  readonly context: ConversionContext;
  readonly operand: Expression;
  /** The whole cast expression; the operand where absent. */
  readonly place?: Place;
  readonly target: ConversionFact["target"];
  readonly cast?: string;
  readonly typePlace?: Place;
  readonly typeWords?: ConversionFact["typeWords"];
}

/** What declarations may have done with expressions; `expressions/` does it. */
export interface Evaluator {
  /** The value of an expression, with facts about what happens inside of it; unknown parts make it unknown. */
  evaluate(context: Context, expression: Expression): Value;
  /** Converts a value to a type: reads or binds it, and records what the conversion does to pointers. */
  convert(context: Context, value: Value, to: Type, conversion: Conversion): void;
  /** Evaluates an expression or a braced list, and converts it to the type of what it initializes. */
  convertInto(context: Context, expression: Expression, to: Type, target: ConversionFact["target"], how: ConversionContext): void;
  /** Evaluates and converts what initializes a variable. */
  convertInitializer(context: Context, variable: VariableSymbol): void;
  /** Evaluates what a constructor or a cast of this type is given. */
  construct(context: Context, type: Type, values: readonly Expression[]): void;
}

/** See `Evaluator`. */
export function evaluate(context: Context, expression: Expression): Value {
  return context.program.evaluator.evaluate(context, expression);
}

/** The type of an expression that is not evaluated: no facts. */
export function typeOfExpression(context: Context, expression: Expression): Type {
  return evaluate({ ...context, isEmitting: false }, expression).type;
}
