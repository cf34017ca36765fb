/** Applies access qualifiers and `pipe` to types (OpenCL C 3.0 §6.8), and records features that the dialect lacks. */
import { type ImageAccess, qualifierOf } from "../../qualifiers.ts";
import type { ViewSpan } from "../../source.ts";
import type { NamePart, Word } from "../../syntax/ast.ts";
import { type Context, placeOf } from "../facts/context.ts";
import type { OpaqueTypeFact } from "../facts/facts.ts";
import { isImageName } from "../types/opaque.ts";
import { lacks } from "../types/type-names.ts";
import { isOpaqueToUs, type Type, unknownType, unqualified } from "../types/types.ts";

/**
 * The type with the access qualifiers and `pipe` applied (OpenCL C 3.0 §6.8). An image without an access qualifier is read only, or
 * may have any access in a builtin function.
 */
export function withAccess(context: Context, base: Type, words: readonly Word[]): Type {
  if (context.dialect.language !== "opencl") return base;
  const pipe = words.find(({ text }) => text === "pipe");
  const isPipe = pipe !== undefined;
  if (pipe !== undefined && missFeature(context, "pipe", pipe.span)) return unknownType;
  const type: Type = isPipe ? { kind: "opaque", name: "pipe", packet: base, qualifiers: unqualified } : base;
  const qualifying = words.filter((word) => qualifierOf(word.text)?.access !== undefined && !isImplied(context, word, pipe));
  if (type.kind !== "opaque" || !(type.name === "pipe" || isImageName(type.name))) {
    if (!isOpaqueToUs(type)) for (const word of qualifying) emitWord(context, word, type, "no-image");
    return type;
  }
  if (type.name !== "pipe")
    for (const word of words) if (word.text === "const" || word.text === "volatile") emitQualified(context, word, type);
  let { access } = type;
  for (const word of qualifying) {
    const own = qualifierOf(word.text)?.access;
    if (access !== undefined && own !== access) emitWord(context, word, type, "second", access);
    access ??= own;
  }
  if (access === undefined && context.isBuiltin) return type;
  return { ...type, access: access ?? "read_only" };
}

/** True if the author wrote `pipe` without an access qualifier, so that the View inserted this one. */
function isImplied({ unit: { view } }: Context, word: Word, pipe: Word | undefined): boolean {
  if (pipe === undefined || view.text.slice(word.span.end, pipe.span.start).trim() !== "") return false;
  const [own, other] = [view.origin(word.span), view.origin(pipe.span)];
  return !own.exact && own.location.uri === other.location.uri && own.location.span.start === other.location.span.start;
}

/**
 * Makes the type of a parameter unknown, and records that, if it is an image or pipe with `read_write` and the standard lacks
 * `read_write`. In a typedef such a type is harmless.
 */
export function withoutReadWrite(context: Context, type: Type, words: readonly Word[]): Type {
  if (type.kind !== "opaque") return type;
  const word = words.find(({ text }) => text === "__read_write");
  if (word === undefined) return type;
  if (type.name === "pipe") emitWord(context, word, type, "pipe-both-ways");
  else if (type.access !== "read_write" || !missFeature(context, "read_write", word.span)) return type;
  return unknownType;
}

/** Records `const` or `volatile` on an image, which no type qualifier applies to (OpenCL C 3.0 §6.9). */
function emitQualified(context: Context, { text, span }: Word, type: Type): void {
  if (!context.isEmitting) return;
  context.program.facts.opaqueTypes.push({ kind: "qualified-image", word: { text, place: placeOf(context, span) }, type });
}

/** Records that the dialect lacks a feature at its place: a type's name, `pipe`, `block` or `read_write`. */
export function missFeature(context: Context, name: string, span: ViewSpan): boolean {
  const { dialect } = context;
  if (dialect.language !== "opencl" || !lacks(dialect, name)) return false;
  if (context.isEmitting) context.program.facts.features.push({ name, place: placeOf(context, span) });
  return true;
}

/** Records `double` or a vector of it where the standard needs a pragma that enables the extension, and none does. */
export function useDouble(context: Context, name: string, span: ViewSpan): void {
  const { state, facts } = context.program;
  if (!context.isEmitting || state.isDoubleEnabled) return;
  facts.doubles.push({ name, place: placeOf(context, span), ...(state.isDoubleSwitchedOff ? { isSwitchedOff: true } : {}) });
}

/** Records the use of a part of C++ that C++ for OpenCL (2021 §2.1) and device code of CUDA lack: exceptions, `dynamic_cast`, `typeid`. */
export function excludeFeature(context: Context, name: "throw" | "try" | "dynamic_cast" | "typeid", { start }: ViewSpan): void {
  exclude(context, name, { start, end: start + name.length });
}

/** Records an array whose length is certainly not constant: OpenCL C (3.0 §6.11.d) and device code of CUDA have none. */
export function excludeVariableLength(context: Context, name: NamePart | undefined, declarator: ViewSpan): void {
  if (context.dialect.language === "cuda") exclude(context, "variable-length array", declarator);
  else if (context.isEmitting)
    context.program.facts.variableLengths.push({ name: name?.text ?? "", place: placeOf(context, name?.span ?? declarator) });
}

function exclude(context: Context, name: string, span: ViewSpan): void {
  const { dialect, within, lambda } = context;
  if (!context.isEmitting || !dialect.cplusplus) return;
  const place = placeOf(context, span);
  const where = { ...(within === undefined ? {} : { within }), ...(lambda === undefined ? {} : { lambda }) };
  context.program.facts.features.push({ name, place, ...(dialect.language === "cuda" ? where : {}) });
}

function emitWord(
  context: Context,
  { text, span }: Word,
  type: Type,
  problem: Extract<OpaqueTypeFact, { kind: "access-qualifier" }>["problem"],
  first?: ImageAccess,
): void {
  if (!context.isEmitting || context.dialect.language !== "opencl") return;
  context.program.facts.opaqueTypes.push({
    kind: "access-qualifier",
    problem,
    word: { text, place: placeOf(context, span) },
    type,
    ...(first === undefined ? {} : { first }),
  });
}
