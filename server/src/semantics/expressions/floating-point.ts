/**
 * OpenCL: finds uses of `half` that are not allowed without `cl_khr_fp16`, and literals of type `double` that a `float` needs.
 * Such halves can be neither declared nor computed with, only pointed to and converted by functions (OpenCL C 3.0 §6.3.1.6). Vectors of
 * halves are not checked, as in compilers. Operations on literals alone are left out, because the compiler evaluates them.
 */
import type { ViewSpan } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import { evaluate } from "../facts/evaluator.ts";
import type { AccessPath } from "../facts/facts.ts";
import type { DoubleLiteralFact, HalfFact } from "../facts/opencl-facts.ts";
import { innermostElement } from "../types/predicates.ts";
import type { RecordSymbol } from "../types/symbols.ts";
import type { ArithmeticName, Type } from "../types/types.ts";
import { typeOfNumber } from "./values.ts";

/** True for the scalar type `half`. */
export function isHalf(type: Type): boolean {
  return isArithmetic(type, "half");
}

/** True for `half` and arrays of it. */
function consistsOfHalves(type: Type): boolean {
  return type.kind === "array" ? consistsOfHalves(type.element) : isHalf(type);
}

/** Records a use of `half` while the extension is disabled. */
export function useHalf(context: Context, use: HalfFact["use"], span: ViewSpan): void {
  const { program, dialect, isEmitting } = context;
  if (!isEmitting || dialect.language !== "opencl" || program.state.isHalfEnabled) return;
  program.facts.halves.push({ use, place: placeOf(context, span), ...(program.state.isHalfSwitchedOff ? { isSwitchedOff: true } : {}) });
}

/** Checks the type of a variable, parameter or result. */
export function declareHalf(context: Context, type: Type, span: ViewSpan): void {
  if (consistsOfHalves(type)) useHalf(context, "declaration", span);
}

/** Checks the type of a kernel's parameter for a `half` inside of it. */
export function declareKernelHalf(context: Context, type: Type, span: ViewSpan): void {
  if (type.kind === "record" && containsHalf(type.record, new Set())) useHalf(context, "member", span);
}

function containsHalf(record: RecordSymbol, seen: Set<RecordSymbol>): boolean {
  if (seen.has(record)) return false;
  seen.add(record);
  return (record.members ?? []).some(({ type }) => {
    const inner = innermostElement(type);
    return isHalf(inner) || (inner.kind === "record" && containsHalf(inner.record, seen));
  });
}

/** Checks a read or write of a `half` in memory. If its declaration is already wrong, the access is not reported. */
export function accessHalf(context: Context, type: Type, path: AccessPath | undefined, use: "load" | "store", span: ViewSpan): void {
  if (!isHalf(type) || (path?.root !== undefined && consistsOfHalves(path.root.type))) return;
  useHalf(context, use, span);
}

// ---------------------------------------------------------------- literals of type double

const computing = new Set(["+", "-", "*", "/", "<", ">", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/="]);

/** Records the literals of one operand, if the other one is a `float` or a vector of it. */
export function checkDoubleLiterals(context: Context, operator: string, left: Expression, right: Expression): void {
  if (!context.isEmitting || context.dialect.language !== "opencl" || !computing.has(operator)) return;
  for (const [operand, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const literals = literalsIn(operand);
    if (literals === undefined) continue;
    const { type } = evaluate({ ...context, isEmitting: false }, other);
    if (isArithmetic(type, "float")) recordDoubles(context, literals, "operand");
    if (type.kind === "vector" && type.element === "float") recordDoubles(context, literals, "vector");
  }
}

/** Records the literals that a cast to `float`, or to a vector of it, converts. */
export function checkCastDoubles(context: Context, type: Type, operands: readonly Expression[]): void {
  if (type.kind === "vector" ? type.element !== "float" : !isArithmetic(type, "float")) return;
  for (const operand of operands) recordDoubles(context, literalsIn(operand) ?? [], "cast");
}

function recordDoubles(context: Context, literals: readonly Literal[], use: DoubleLiteralFact["use"]): void {
  const { dialect, isEmitting, program } = context;
  if (!isEmitting || dialect.language !== "opencl") return;
  for (const { text, span } of literals)
    if (isArithmetic(typeOfNumber(text, dialect), "double")) program.facts.doubleLiterals.push({ use, place: placeOf(context, span) });
}

/** The literals of an expression that consists of nothing else. */
function literalsIn(e: Expression): readonly Literal[] | undefined {
  if (e.kind === "number") return [e];
  if (e.kind === "parenthesized") return literalsIn(e.inner);
  if (e.kind === "unary") return e.operator === "-" || e.operator === "+" ? literalsIn(e.operand) : undefined;
  if (e.kind !== "binary") return undefined;
  const left = literalsIn(e.left);
  const right = left === undefined ? undefined : literalsIn(e.right);
  return left === undefined || right === undefined ? undefined : [...left, ...right];
}

type Literal = Extract<Expression, { kind: "number" }>;

function isArithmetic(type: Type, name: ArithmeticName): boolean {
  return type.kind === "arithmetic" && type.name === name;
}
