/**
 * Finds which of OpenCL C's overloaded builtin functions matches a call exactly, and calls that are ambiguous because a pointer
 * argument loses const. Clang gives the same rank to a conversion that drops a qualifier and to one to another pointer type, so the
 * other arguments have to decide.
 */
import { spend } from "../../budget.ts";
import type { CallExpression } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { compare } from "../types/conversion-rules.ts";
import type { FunctionSymbol } from "../types/symbols.ts";
import { isFloating, isInteger, printType, type Type, unqualifiedType } from "../types/types.ts";
import { decayed } from "./values.ts";

/** Clang's ranks of the conversions that builtin functions need. */
const exact = 0;
const promotion = 1;
const conversion = 2;
const misfit = 3;

/** The parameters of `candidate` that would lose the qualifiers of their pointee, if that makes the call ambiguous. */
export function ambiguousParameters(
  context: Context,
  candidate: FunctionSymbol,
  candidates: readonly FunctionSymbol[],
  values: readonly Value[],
): readonly Type[] {
  const own = ranksOf(context, candidate, values);
  if (own === undefined || !own.includes(misfit)) return [];
  const others = candidates.flatMap((other) => {
    const ranks = other === candidate || !isInSameSpaces(candidate, other) ? undefined : ranksOf(context, other, values);
    return ranks === undefined ? [] : [ranks];
  });
  if (others.some((ranks) => isBetter(ranks, own)) || others.every((ranks) => isBetter(own, ranks))) return [];
  return candidate.type.parameters.filter((_, index) => own[index] === misfit);
}

/** True if each rank is at least as good, and one is better. */
function isBetter(one: readonly number[], other: readonly number[]): boolean {
  return one.every((rank, index) => rank <= (other[index] ?? misfit)) && one.some((rank, index) => rank < (other[index] ?? misfit));
}

function isInSameSpaces(a: FunctionSymbol, b: FunctionSymbol): boolean {
  const spaces = ({ type }: FunctionSymbol) =>
    type.parameters.map((parameter) => (parameter.kind === "pointer" ? parameter.pointee.qualifiers.space : ""));
  return spaces(a).join() === spaces(b).join();
}

function ranksOf(context: Context, { type }: FunctionSymbol, values: readonly Value[]): readonly number[] | undefined {
  const ranks: number[] = [];
  for (const [index, value] of values.entries()) {
    const parameter = type.parameters[index];
    const rank = parameter === undefined ? undefined : rankOf(context, value, parameter);
    if (rank === undefined) return undefined;
    ranks.push(rank);
  }
  return ranks;
}

function rankOf({ dialect }: Context, value: Value, parameter: Type): number | undefined {
  const from = unqualifiedType(decayed(value).type);
  const to = unqualifiedType(parameter);
  if (printType(from) === printType(to)) return exact;
  if (to.kind === "pointer") {
    if (from.kind !== "pointer" || value.isNull === true) return undefined;
    const verdict = compare(from, to, dialect, false);
    if (verdict.kind === "ok") return exact;
    return (verdict.kind === "discards-qualifiers" && !verdict.isError) || verdict.kind === "incompatible" ? misfit : undefined;
  }
  if (from.kind !== "arithmetic" || to.kind !== "arithmetic") return undefined;
  if (isInteger(from) && printType(to) === "int")
    return /^(?:bool|(?:unsigned )?(?:char|short)|u?(?:char|short))$/.test(printType(from)) ? promotion : conversion;
  return isFloating(from) && printType(from) !== "double" && printType(to) === "double" ? promotion : conversion;
}

/** Records that every overload would drop const from a pointer: `atomic_inc(p)` with a pointer to const. */
export function emitAmbiguity(
  context: Context,
  candidate: FunctionSymbol,
  lost: readonly Type[],
  values: readonly Value[],
  e: Pick<CallExpression, "arguments" | "span">,
  name: string,
): void {
  const typed = values.map((value, index) => {
    const parameter = candidate.type.parameters[index];
    return {
      type: decayed(value).type,
      place: placeOf(context, e.arguments[index]?.span ?? e.span),
      ...(parameter !== undefined && lost.includes(parameter) ? { rejectedBy: parameter } : {}),
    };
  });
  const place = placeOf(context, e.span);
  context.program.facts.noMatches.push({ name, candidates: [candidate], arguments: typed, place });
}

/**
 * The only builtin function with exactly these types; undefined if the functions must be ranked. Unrolled kernels call builtins with
 * dozens of overloads thousands of times, and comparing types is much cheaper than ranking all overloads.
 */
export function exactBuiltin(named: readonly FunctionSymbol[], values: readonly Value[]): FunctionSymbol | undefined {
  if (named.length < 2 || values.length === 0 || !spend(1 + (named.length >> 3))) return undefined;
  const types = values.map((value) => decayed(value).type);
  if (!types.every(({ kind }) => kind === "arithmetic" || kind === "vector")) return undefined;
  let found: FunctionSymbol | undefined;
  for (const candidate of named) {
    const { parameters, isVariadic } = candidate.type;
    if (!candidate.isBuiltin || candidate.isTemplate || isVariadic) return undefined;
    if (parameters.length !== types.length || !parameters.every((parameter, index) => isSame(parameter, types[index]))) continue;
    if (found !== undefined) return undefined;
    found = candidate;
  }
  return found;
}

/** True for the same number or vector, whatever its qualifiers. */
function isSame(one: Type, other: Type | undefined): boolean {
  if (one.kind === "arithmetic") return other?.kind === "arithmetic" && one.name === other.name && one.alias === other.alias;
  return one.kind === "vector" && other?.kind === "vector" && one.element === other.element && one.length === other.length;
}
