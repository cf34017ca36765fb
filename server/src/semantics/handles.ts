/**
 * What may be done with OpenCL's handles (images, samplers, events, queues, pipes), with atomic objects and with blocks: which
 * access qualifiers a type takes, which operators it has, and what it becomes. Where such an object may be declared is decided
 * by rules.
 */
import type { Dialect } from "../dialect.ts";
import type { Span } from "../source.ts";
import type { Expression, Word } from "../syntax/ast.ts";
import { constantInteger } from "./constant-expressions.ts";
import { type Context, placeOf } from "./context.ts";
import type { ConversionContext, HandleFact } from "./facts.ts";
import type { Place, VariableSymbol } from "./symbols.ts";
import { lacks } from "./type-names.ts";
import { type ImageAccess, isInteger, isOpaqueToUs, type OpaqueType, type Type, unknownType, unqualified } from "./types.ts";
import type { Value } from "./values.ts";

const accessOfWord: Readonly<Record<string, ImageAccess>> = {
  __read_only: "read_only",
  __write_only: "write_only",
  __read_write: "read_write",
};

/** An image type by its name. */
function isImageName(name: string): boolean {
  return name.startsWith("image");
}

/**
 * The type that access qualifiers and `pipe` make of a base (OpenCL C 3.0 §6.8): without one an image is read only. A builtin's
 * image without one takes any.
 */
export function withAccess(context: Context, base: Type, words: readonly Word[]): Type {
  if (context.dialect.language !== "opencl") return base;
  const pipe = words.find(({ text }) => text === "pipe");
  const isPipe = pipe !== undefined;
  if (pipe !== undefined && missFeature(context, "pipe", pipe.span)) return unknownType;
  const type: Type = isPipe ? { kind: "opaque", name: "pipe", packet: base, qualifiers: unqualified } : base;
  const qualifying = words.filter(({ text }) => Object.hasOwn(accessOfWord, text));
  if (type.kind !== "opaque" || !(type.name === "pipe" || isImageName(type.name))) {
    if (!isOpaqueToUs(type)) for (const word of qualifying) emitWord(context, word, type, "no-image");
    return type;
  }
  let { access } = type;
  for (const word of qualifying) {
    const own = accessOfWord[word.text];
    if (access !== undefined && own !== access) emitWord(context, word, type, "second", access);
    access ??= own;
  }
  if (access === undefined && context.isBuiltin) return type;
  return { ...type, access: access ?? "read_only" };
}

/**
 * A parameter's image or pipe that can be read and written, where there is none; its type is then unknown. In a typedef such a
 * type does no harm yet.
 */
export function withoutReadWrite(context: Context, type: Type, words: readonly Word[]): Type {
  if (type.kind !== "opaque") return type;
  const word = words.find(({ text }) => text === "__read_write");
  if (word === undefined) return type;
  if (type.name === "pipe") emitWord(context, word, type, "pipe-both-ways");
  else if (type.access !== "read_write" || !missFeature(context, "read_write", word.span)) return type;
  return unknownType;
}

/** Records that the dialect lacks what is written here: a type's name, `pipe`, `block` or `read_write`. */
export function missFeature(context: Context, name: string, span: Span): boolean {
  const { dialect } = context;
  if (dialect.language !== "opencl" || !lacks(dialect, name)) return false;
  if (context.isEmitting) context.program.facts.features.push({ name, place: placeOf(context, span) });
  return true;
}

function emitWord(
  context: Context,
  { text, span }: Word,
  type: Type,
  problem: Extract<HandleFact, { kind: "access-qualifier" }>["problem"],
  first?: ImageAccess,
): void {
  if (!concerns(context)) return;
  context.program.facts.handles.push({
    kind: "access-qualifier",
    problem,
    word: { text, place: placeOf(context, span) },
    type,
    ...(first === undefined ? {} : { first }),
  });
}

function concerns({ dialect, isEmitting }: Context): boolean {
  return isEmitting && dialect.language === "opencl";
}

/** Two images or pipes may stand for each other: same type, and the same access where both say one. */
export function isSameHandle(a: OpaqueType, b: OpaqueType): boolean {
  return a.name === b.name && (a.access === undefined || b.access === undefined || a.access === b.access);
}

// ---------------------------------------------------------------- operators

const builtinOnly = (type: Type): boolean =>
  type.kind === "block" || (type.kind === "opaque" && (isImageName(type.name) || type.name === "sampler_t" || type.name === "pipe"));
const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);

/** Records an operator that an operand's type does not have (OpenCL C 3.0 §6.11 b, §6.12.5, §6.15.12). */
export function checkOperator(context: Context, operator: string, operands: readonly Value[], place: Place): void {
  if (!concerns(context)) return;
  const types = operands.map(({ type }) => type);
  if (types.some(isOpaqueToUs) || (context.dialect.cplusplus && types.some(mayOverload))) return;
  const wrong = types.find((type, index) => !has(type, operator, operands[1 - index]));
  if (wrong !== undefined) context.program.facts.handles.push({ kind: "operator", operator, type: wrong, place });
}

/** Records a condition that is neither true nor false (OpenCL C 3.0 §6.11 b). */
export function checkCondition(context: Context, { type }: Value, place: Place): void {
  if (concerns(context) && type.kind === "opaque") context.program.facts.handles.push({ kind: "condition", type, place });
}

/** Operands for which C++ looks for an operator function (C++17 §16.3.1.2p1). */
function mayOverload({ kind }: Type): boolean {
  return kind === "record" || kind === "enum";
}

/** Nor may what is called in a branch of `?:` be a block (OpenCL C 3.0 §6.12.5). */
export function checkBranch(context: Context, callee: Type, place: Place): void {
  if (concerns(context) && !context.dialect.cplusplus && callee.kind === "block")
    context.program.facts.handles.push({ kind: "operator", operator: "?:", type: callee, place });
}

function has(type: Type, operator: string, other: Value | undefined): boolean {
  // Blocks, images, samplers and pipes go to functions, nowhere else; of an atomic object only the address is taken.
  if (builtinOnly(type)) return operator === "?:" && type.kind !== "block";
  if (type.kind === "atomic") return (operator === "&" && other === undefined) || operator === "?:";
  if (type.kind !== "opaque") return true;
  if (other === undefined) return operator === "&";
  if (operator === "=" || operator === "," || operator === "?:") return true;
  const isComparable = type.name === "queue_t" || type.name === "clk_event_t";
  return (
    comparisons.has(operator) && isComparable && (other.isNull === true || (other.type.kind === "opaque" && other.type.name === type.name))
  );
}

/** Records a variable that a block copies but cannot (OpenCL C 3.0 §6.12.5): another block; or whose copy's address is taken. True where it does. */
export function checkCapture(context: Context, variable: VariableSymbol, isAddress: boolean, place: Place): boolean {
  if (!concerns(context) || !isCaptured(context, variable)) return false;
  const what = isAddress ? "address" : variable.type.kind === "block" ? "block" : undefined;
  if (what !== undefined) context.program.facts.handles.push({ kind: "capture", what, variable, place });
  return what !== undefined;
}

/** A variable of the function, or of the block, that encloses this block: what each work-item and each work-group has is copied. */
function isCaptured({ lambda }: Context, { scope, words, lambda: own, owner, type }: VariableSymbol): boolean {
  if (lambda === undefined || own === lambda || owner === lambda || (scope !== "block" && scope !== "parameter")) return false;
  const { space } = type.qualifiers;
  return (space === "private" || space === "local") && !words.some(({ text }) => text === "static" || text === "extern");
}

/** True for a variable of which a block, and not a lambda, has a copy: that one is const (OpenCL C 3.0 §6.12.5). */
export function isConstCopy(context: Context, variable: VariableSymbol): boolean {
  return context.dialect.language === "opencl" && context.lambda?.lambda === undefined && isCaptured(context, variable);
}

// ---------------------------------------------------------------- conversions

/** Records a value that cannot become the other type. What assigning an object without assignment does is the operator's business. */
export function checkHandleConversion(context: Context, value: Value, to: Type, how: ConversionContext, operand: Expression): void {
  const from = value.type;
  if (!concerns(context) || (from.kind !== "opaque" && to.kind !== "opaque") || isOpaqueToUs(from) || isOpaqueToUs(to)) return;
  // A class may have a constructor or a conversion function for it.
  if (context.dialect.cplusplus && (mayOverload(from) || mayOverload(to))) return;
  if (how === "assign" && (builtinOnly(from) || builtinOnly(to))) return;
  const isPossible =
    to.kind === "opaque" && to.name === "sampler_t" && isInteger(from)
      ? becomesSampler(context, value, how, operand)
      : becomes(value, to, how, context.dialect);
  if (!isPossible)
    context.program.facts.handles.push({
      kind: "conversion",
      context: how,
      from,
      to,
      place: placeOf(context, operand.span),
      ...variableOf(value),
    });
}

/** The variable that a value is, where it is one. */
export function variableOf({ path }: Value): { readonly variable?: VariableSymbol } {
  return path?.root === undefined || path.steps.length > 0 ? {} : { variable: path.root };
}

function becomes(value: Value, to: Type, how: ConversionContext, dialect: Dialect): boolean {
  const { cplusplus } = dialect;
  // A cast of C++ initialises a value (C++17 §8.2.9p4).
  if (cplusplus && how === "cast" && to.kind === "opaque") return becomes(value, to, "initialize", dialect);
  const from = value.type;
  if (to.kind === "void") return how === "cast";
  if (to.kind !== "opaque") return false;
  // What is in constant memory for good is made of an integer, and not of another such object.
  const isFixed =
    to.name === "sampler_t" && how === "initialize" && [to, value.path?.root?.type].every((type) => type?.qualifiers.space === "constant");
  if (isFixed && !cplusplus) return false;
  if (from.kind === "opaque") return isSameHandle(from, to) && (how !== "cast" || to.name === "ndrange_t");
  // OpenCL C 3.0 §6.15.11: an event argument may be zero.
  if (to.name === "sampler_t") return false;
  if (value.isNull !== true) return false;
  if (to.name === "event_t") return how !== "assign" || cplusplus;
  return to.name === "queue_t" && how !== "cast";
}

/** OpenCL C 3.0 §6.15.15.1: samplers are integer constants of 32 bits; compilers of C take variables too. */
function becomesSampler(context: Context, { type, path }: Value, how: ConversionContext, operand: Expression): boolean {
  const { cplusplus } = context.dialect;
  if (how !== "initialize" && how !== "pass" && !(cplusplus && how === "cast")) return false;
  if (cplusplus && path?.root?.type.qualifiers.const === false) return false;
  if (how === "pass" || constantInteger(context, operand) === undefined) return true;
  return type.kind !== "arithmetic" || !/long$/.test(type.name);
}
