/**
 * Deduces the template arguments of a class from an initializer, as in `const Box b(1);` (C++17 §16.3.1.8). It answers where one
 * constructor accepts the arguments, and leaves deduction guides, aggregates and choices among constructors to compilers.
 */
import type { Name } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { resolveName } from "../declarations/name-resolution.ts";
import type { Context } from "../facts/context.ts";
import type { Value } from "../facts/evaluator.ts";
import { constructorsOf, takes } from "../symbols/candidates.ts";
import type { Scope } from "../symbols/scope.ts";
import type { RecordSymbol } from "../types/symbols.ts";
import { type Type, unqualifiedType } from "../types/types.ts";
import type { Bindings } from "./argument-keys.ts";
import { classTemplateParameters, hasGuide, specializeWith } from "./class-templates.ts";
import { deduceFrom, templateTextOf } from "./function-templates.ts";

/** The class that the name of a class template without arguments stands for; undefined if that is unknown, or it is no such name. */
export function deducedClass(context: Context, name: Name | undefined, type: Type, evaluated: () => readonly Value[]): Type | undefined {
  if (type.kind !== "record" || name === undefined || !isDeduced(context, name, type.record)) return undefined;
  const { record } = type;
  const values = evaluated();
  const [first] = values;
  // A copy of an object of the template has the same class (C++17 §16.3.1.8p1.4).
  if (values.length === 1 && first?.type.kind === "record" && first.type.record.instance?.template === record)
    return unqualifiedType(first.type);
  const [only, ...others] = constructorsOf(record).filter((candidate) => takes(candidate, values.length));
  const declaration = only?.declarations[0];
  if (declaration === undefined || others.length > 0 || (only !== undefined && templateTextOf(only) !== undefined)) return undefined;
  const bindings: Bindings = new Map();
  for (const [index, value] of values.entries()) {
    const parameter = declaration.parameters[index]?.symbol;
    // A forwarding reference needs a parameter of the constructor itself, so `T &&` is none here.
    if (parameter === undefined || parameter.isPack === true || (parameter.type.kind === "reference" && parameter.type.isRvalue))
      return undefined;
    if (deduceFrom(parameter.type, value, bindings) === false) return undefined;
  }
  const parameters = classTemplateParameters(record) ?? [];
  const given = parameters.map((parameter) => (parameter.isPack ? undefined : bindings.get(parameter.name ?? "")));
  const known = given.slice(0, given.findLastIndex((value) => value !== undefined) + 1);
  const complete = known.flatMap((value) => (value === undefined || (typeof value === "object" && !("kind" in value)) ? [] : [value]));
  return complete.length === known.length ? specializeWith(context, record, complete) : undefined;
}

/** True if the name is that of a class template, without arguments and outside of the class, and nothing declares a deduction guide. */
function isDeduced(context: Context, name: Name, record: RecordSymbol): boolean {
  if (classTemplateParameters(record) === undefined || hasGuide(record) || lastPart(name)?.templateArguments !== undefined) return false;
  for (let scope: Scope | undefined = context.scope; scope !== undefined; scope = scope.parent) if (scope.record === record) return false;
  const found = resolveName(context, name);
  return found.length === 1 && found[0] === record;
}
