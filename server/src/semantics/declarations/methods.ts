/**
 * Where the object of a member function, or of a lambda, must be in C++ for OpenCL: in the address space that is written
 * behind the parameters, in any that the generic one contains where none is (C++ for OpenCL §2.3).
 */

import type { OpenCLDialect } from "../../dialect.ts";
import { type AddressSpace, addressSpaceOf } from "../../qualifiers.ts";
import type { Context } from "../facts/context.ts";
import type { CallFact } from "../facts/facts.ts";
import { containsSpace } from "../types/conversion-rules.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../types/symbols.ts";

/** The space that `this` points to; undefined for what has no object, and in languages without address spaces. */
export function objectSpace(method: FunctionSymbol | undefined, context: Context): AddressSpace | undefined {
  const { dialect } = context;
  if (method === undefined || dialect.language !== "opencl" || !hasObject(method)) return undefined;
  return writtenSpace(method) ?? defaultSpace(dialect);
}

/**
 * The member functions that can be called on this object. Where there are some, but none for the object's space, that is
 * recorded, and nothing is known about the call.
 */
export function callableOn(
  context: Context,
  functions: readonly FunctionSymbol[],
  object: CallFact["object"],
  name: string,
): readonly FunctionSymbol[] {
  const space = object?.type.qualifiers.space;
  if (object === undefined || space === undefined || !functions.every(hasObject)) return functions;
  const fitting = functions.filter((method) => {
    const needed = objectSpace(method, context);
    return needed === undefined || containsSpace(needed, space);
  });
  if (fitting.length === 0 && context.isEmitting) {
    const needed = [...new Set(functions.map((method) => objectSpace(method, context)).filter((each) => each !== undefined))];
    context.program.facts.spaces.push({ kind: "method-object", name, object: space, needed, place: object.place });
  }
  return fitting;
}

/** A lambda is called on the object that its variable is: a space behind its parameters is that object's. */
export function checkLambdaObject(context: Context, lambda: FunctionSymbol, object: VariableSymbol | undefined, place: Place): void {
  const { dialect } = context;
  if (dialect.language !== "opencl" || !context.isEmitting) return;
  const needed = writtenSpace(lambda) ?? defaultSpace(dialect);
  // One that is called where it stands is a temporary, which is in no named space.
  if (object === undefined) {
    // One without captures is called as the plain function that it converts to.
    const hasCaptures = lambda.lambda !== undefined && (lambda.lambda.captures.length > 0 || lambda.lambda.captureDefault !== undefined);
    // clang asks no temporary that is not const where it is.
    const isMutable = lambda.lambda?.words.some(({ text }) => text === "mutable") === true;
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
  return !method.declarations.some(({ words }) => words.some(({ text }) => text === "static"));
}

/** The space that stands behind its parameters. */
export function writtenSpace(method: FunctionSymbol): AddressSpace | undefined {
  for (const { declarator, words } of method.declarations) {
    // A lambda has its words where a function has those of its result.
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
