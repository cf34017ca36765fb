/**
 * Declares the names of a structured binding, `auto [a, b] = e;` (C++17 §11.5): each means an element of an array or a member of a
 * record, in a copy of the initializer's object or in the object itself.
 */
import type { BoundName, DeclarationItem, Expression, InitDeclarator } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { access } from "../expressions/values.ts";
import { type Context, isOpenCL, placeOf } from "../facts/context.ts";
import { evaluate, type Value } from "../facts/evaluator.ts";
import { qualify, redeclare, unknownSymbol } from "../symbols/scope.ts";
import { boundedType } from "../types/bounded-type.ts";
import type { RecordSymbol } from "../types/symbols.ts";
import { addQualifiers, containsUnknown, isOpaqueToUs, referred, type Type, unqualified, withQualifiers } from "../types/types.ts";
import { emitCopy, emitCreatedObject, emitTemporary } from "./host-calls.ts";

/** Walks the initializer, and declares each name as a variable of its element's type; as unknown if that is unknown. */
export function declareBindings(context: Context, item: DeclarationItem, init: InitDeclarator, written: Type): void {
  const names = namesOf(init);
  const expression = initializerOf(init);
  const value = expression === undefined ? undefined : evaluate(context, expression);
  if (expression !== undefined && value !== undefined) {
    access(context, value, written.kind === "reference" ? "bind" : "read", expression);
    createObject(context, value, written, expression);
  }
  const elements = value === undefined ? undefined : elementsOf(context, value, written, names.length);
  for (const [index, name] of names.entries()) {
    const isOfBlock = context.within !== undefined;
    const type = isOfBlock || !isOpenCL(context) ? elements?.[index] : undefined;
    const place = placeOf(context, name.span);
    redeclare(
      context.scope,
      name.text,
      type === undefined || containsUnknown(type)
        ? unknownSymbol(name.text)
        : {
            kind: "variable",
            name: name.text,
            qualifiedName: isOfBlock ? name.text : qualify(context.scope, name.text),
            type: boundedType(type),
            scope: isOfBlock ? "block" : "program",
            memorySpace: isOfBlock ? undefined : "host",
            ...(isOfBlock ? {} : { binds: { object: written.kind === "reference" ? value?.path?.root : undefined } }),
            words: [],
            place,
            declaration: placeOf(context, item.span),
            initializer: undefined,
            owner: context.within,
            depth: context.depth,
            ...(context.lambda === undefined ? {} : { lambda: context.lambda }),
            isSpaceExplicit: false,
            isDependent: false,
            isDefinition: true,
            sharesSpecifiers: true,
          },
    );
  }
}

/** Records what creates and destroys the object without a name. */
function createObject(context: Context, value: Value, written: Type, expression: Expression): void {
  if (written.kind === "reference") return emitTemporary(context, value, expression);
  emitCopy(context, value, expression.span);
  emitCreatedObject(context, value.type, expression.span);
}

function namesOf({ declarator }: InitDeclarator): readonly BoundName[] {
  for (let current = declarator; ; current = current.inner) {
    if (current.kind === "structured-binding") return current.names;
    if (current.kind === "name" || current.kind === "abstract") return [];
  }
}

/** The expression in `= e`, `(e)` or `{e}`. */
function initializerOf({ initializer }: InitDeclarator): Expression | undefined {
  if (initializer?.kind === "direct") return initializer.arguments.length === 1 ? initializer.arguments[0] : undefined;
  if (initializer?.kind !== "value") return undefined;
  const { value } = initializer;
  if (value.kind !== "list") return value;
  return value.elements.length === 1 ? value.elements[0]?.value : undefined;
}

/**
 * The types of the elements, each with the qualifiers of the object; undefined if they are unknown. A name of `auto &[a, b]` is
 * given a reference, because it lives where the object lives.
 */
function elementsOf(context: Context, { type, isLvalue }: Value, written: Type, count: number): readonly Type[] | undefined {
  const object = referred(type);
  if (isOpaqueToUs(object) || written.kind === "unknown") return undefined;
  const isReference = written.kind === "reference";
  if (isReference && !isLvalue && isOpenCL(context)) return undefined;
  const { const: isConst, volatile } = referred(written).qualifiers;
  const space = isReference ? object.qualifiers.space : isOpenCL(context) ? ("private" as const) : undefined;
  // An array is copied with the qualifiers of its elements, an object of a class without its own.
  const keeps = isReference || object.kind === "array";
  const added = {
    const: isConst || (keeps && object.qualifiers.const),
    volatile: volatile || (keeps && object.qualifiers.volatile),
  };
  return partsOf(object, count)?.map(({ type: part, isMutable }) => {
    if (part.kind === "reference") return part;
    const element = addQualifiers(withQualifiers(part, { ...part.qualifiers, space }), isMutable ? { volatile: added.volatile } : added);
    return isReference ? { kind: "reference", referent: element, isRvalue: false, qualifiers: unqualified } : element;
  });
}

interface Part {
  readonly type: Type;
  readonly isMutable: boolean;
}

/** The elements of an array, or the members of a record that a binding names directly; undefined if there are not exactly so many. */
function partsOf(object: Type, count: number): readonly Part[] | undefined {
  if (object.kind === "array")
    return object.length === count ? Array.from({ length: count }, () => ({ type: object.element, isMutable: false })) : undefined;
  if (object.kind !== "record" || mayBeTuple(object.record)) return undefined;
  const members = object.record.members ?? [];
  if (members.length !== count || members.some(({ name }) => name === "")) return undefined;
  return members.map(({ type, words }) => ({ type, isMutable: hasWord(words, "mutable") }));
}

/** True if the elements may be what `get` returns, or members of a base class. */
function mayBeTuple({ key, bases, functions, isIncomplete, isDependent, hasMixedAccess }: RecordSymbol): boolean {
  return (
    key !== "struct" ||
    isIncomplete ||
    isDependent ||
    hasMixedAccess === true ||
    bases.length > 0 ||
    functions.some(({ name }) => name === "get")
  );
}
