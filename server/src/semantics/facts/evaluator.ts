/**
 * The interface through which declarations use expressions. In C++ each can contain the other: an array bound is an expression, and
 * a lambda contains declarations. Expressions import declarations; declarations reach expressions through the evaluator in the
 * program, so that the recursion is closed in one place.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression, Name } from "../../syntax/ast.ts";
import type { FunctionSymbol, Place, RecordSymbol, VariableSymbol } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";
import type { Context } from "./context.ts";
import type { AccessPath, ConversionContext, ConversionFact } from "./facts.ts";

/** The result of an expression: a type, whether it designates an object, and which object. */
export interface Value {
  readonly type: Type;
  /** It designates an object (C11 §6.3.2.1). */
  readonly isLvalue: boolean;
  /** It designates an object from which another may be moved: a reference `T &&` without a name (C++17 §6.10p1.3). */
  readonly isExpiring?: true;
  readonly path?: AccessPath | undefined;
  /** A null pointer constant (C11 §6.3.2.3p3). */
  readonly isNull?: boolean;
  /** For a pointer that is one of two, `c ? p : q`: both of them. */
  readonly alternatives?: readonly { readonly type: Type; readonly path: AccessPath | undefined }[];
  /** For `c ? a : b` with two objects: both of them, between which the condition chooses. */
  readonly branches?: readonly { readonly value: Value; readonly expression: Expression }[];
  /** It points to memory that this function has just allocated on the host's heap. */
  readonly heap?: string;
  /** A part of a vector accessed by `->`, for which compilers ignore the vector's qualifiers. */
  readonly isOverlooked?: true;
  /** C++: it is const, and no function for the operator that is applied to it accepts that. */
  readonly isRefused?: boolean;
  /** The functions that a name may refer to. */
  readonly functions?: readonly FunctionSymbol[];
  /** For member functions that are accessed through an object: its type; `path` is then the object's. */
  readonly objectType?: Type;
}

/** The context of a conversion, and where to report it. */
export interface Conversion {
  readonly context: ConversionContext;
  readonly operand: Expression;
  /** The whole cast expression; the operand if absent. */
  readonly place?: Place;
  readonly target: ConversionFact["target"];
  readonly cast?: string;
  readonly typePlace?: Place;
  readonly typeWords?: ConversionFact["typeWords"];
  /** The variable or parameter that `return` names. */
  readonly returned?: VariableSymbol | undefined;
  /** nvcc does not judge this conversion in the text of a template, only in instances. */
  readonly isOverlooked?: boolean;
}

/** The functions for expressions that declarations use; implemented in `expressions/`. */
export interface Evaluator {
  /** The value of an expression; records facts about what happens inside of it. Unknown parts make the value unknown. */
  evaluate(context: Context, expression: Expression): Value;
  /** Converts a value to a type: reads or binds it, and records the effect on pointers. */
  convert(context: Context, value: Value, to: Type, conversion: Conversion): void;
  /** Evaluates an expression or a braced list, and converts it to the type that it initializes. */
  convertInto(context: Context, expression: Expression, to: Type, target: ConversionFact["target"], how: ConversionContext): void;
  /** Evaluates the initializer of a variable and converts it. */
  convertInitializer(context: Context, variable: VariableSymbol): void;
  /**
   * Evaluates the arguments of a constructor that creates a part of an object: a member, or a base. Without arguments, it is recorded at the
   * span.
   */
  constructPart(
    context: Context,
    type: Type,
    values: readonly Expression[],
    where: { readonly span?: ViewSpan | undefined; readonly isMember: boolean },
  ): void;
  /**
   * CUDA: the constructor that converts a value of another type to the class without being named (C++17 §16.3.1.4); undefined if that is
   * uncertain, or a conversion function does it. For code at the span, an instantiation of its body is requested.
   */
  convertingConstructor(context: Context, value: Value, record: RecordSymbol, span: ViewSpan | undefined): FunctionSymbol | undefined;
  /** The class that a class template's name without arguments stands for, by the arguments of its constructor; undefined if unknown. */
  deducedClass(context: Context, name: Name | undefined, type: Type, evaluated: () => readonly Value[]): Type | undefined;
}

/** See `Evaluator`. */
export function evaluate(context: Context, expression: Expression): Value {
  return context.program.evaluator.evaluate(context, expression);
}

/** The type of an unevaluated expression; records no facts. */
export function typeOfExpression(context: Context, expression: Expression): Type {
  return evaluate({ ...context, isEmitting: false }, expression).type;
}
