/**
 * C++ for OpenCL: decides which address space the object of a member function, or of a lambda, must be in. It is the space after
 * the parameters, or by default any space that the generic space contains (C++ for OpenCL §2.3).
 */
import type { OpenCLDialect } from "../../dialect.ts";
import { type AddressSpace, addressSpaceOf } from "../../qualifiers.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { Context } from "../facts/context.ts";
import type { CallFact } from "../facts/facts.ts";
import { containsSpace } from "../types/address-spaces.ts";
import { type FunctionSymbol, isDeclaredWith, type Place } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";

/** The address space that `this` points into; undefined for functions without an object, and in languages without address spaces. */
export function objectSpace(method: FunctionSymbol | undefined, context: Context): AddressSpace | undefined {
  const { dialect } = context;
  if (method === undefined || dialect.language !== "opencl" || !hasObject(method)) return undefined;
  return writtenSpace(method) ?? defaultSpace(dialect);
}

/**
 * The member functions that can be called on this object. If no candidate accepts the object's space, this is recorded and the call
 * becomes unknown.
 */
export function callableOn(
  context: Context,
  functions: readonly FunctionSymbol[],
  object: CallFact["object"],
  name: string,
): readonly FunctionSymbol[] {
  const space = object?.type.qualifiers.space;
  if (object === undefined || space === undefined || !functions.every(hasObject)) return functions;
  const fitting = functions.filter((method) => mayCallOn(context, method, space));
  if (fitting.length === 0 && context.isEmitting) {
    const needed = [...new Set(functions.map((method) => objectSpace(method, context)).filter((each) => each !== undefined))];
    context.program.facts.spaces.push({ kind: "method-object", name, object: space, needed, place: object.place });
  }
  return fitting;
}

/** True if the member function can be called on objects in this address space. */
export function mayCallOn(context: Context, method: FunctionSymbol, space: AddressSpace | undefined): boolean {
  const needed = objectSpace(method, context);
  return needed === undefined || space === undefined || containsSpace(needed, space);
}

/** Checks the object of a lambda, and the variable that it is: an address space after the parameters is that of the object. */
export function checkLambdaObject(
  context: Context,
  lambda: FunctionSymbol,
  object: { readonly type: Type; readonly name: string | undefined },
  place: Place,
): void {
  const { dialect } = context;
  if (dialect.language !== "opencl" || !context.isEmitting) return;
  const needed = writtenSpace(lambda) ?? defaultSpace(dialect);
  // A lambda that is called in place is a temporary, which is in no named space.
  if (object.name === undefined) {
    // A lambda without captures is called as the function that it converts to.
    const hasCaptures = lambda.lambda !== undefined && (lambda.lambda.captures.length > 0 || lambda.lambda.captureDefault !== undefined);
    // clang does not check a non-const temporary.
    const isMutable = hasWord(lambda.lambda?.words ?? [], "mutable");
    if (hasCaptures && !isMutable && needed !== defaultSpace(dialect))
      context.program.facts.spaces.push({
        kind: "method-object",
        name: undefined,
        object: defaultSpace(dialect),
        needed: [needed],
        place,
      });
    return;
  }
  const space = object.type.qualifiers.space ?? "private";
  if (!containsSpace(needed, space))
    context.program.facts.spaces.push({ kind: "method-object", name: object.name, object: space, needed: [needed], place });
}

function hasObject(method: FunctionSymbol): boolean {
  if (method.record === undefined) return false;
  return !isDeclaredWith(method, "static");
}

/** The address space after the function's parameters. */
export function writtenSpace(method: FunctionSymbol): AddressSpace | undefined {
  for (const { declarator, words } of method.declarations) {
    // A lambda has its specifiers where a function has those of its result.
    for (const { text } of method.lambda === undefined ? declarator.words : words) {
      const space = addressSpaceOf(text);
      if (space !== undefined) return space;
    }
  }
  return undefined;
}

function defaultSpace(dialect: OpenCLDialect): AddressSpace {
  return dialect.genericAddressSpace ? "generic" : "private";
}
