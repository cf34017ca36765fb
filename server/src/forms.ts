/**
 * Tests of data that comes from outside of this process: messages of the protocol, stored results, files from other machines. A form
 * tests everything that the type promises, so that code behind it can trust the type. Unknown members are ignored.
 */

/** Tests whether a value has a form. */
export type Form<Value = unknown> = (value: unknown) => value is Value;

/** A string. */
export const isText: Form<string> = (value) => typeof value === "string";
/** A boolean. */
export const isFlag: Form<boolean> = (value) => typeof value === "boolean";
/** Any value. */
export const isAnything: Form = (_value): _value is unknown => true;
/** A finite number. */
export const isNumber: Form<number> = (value): value is number => typeof value === "number" && Number.isFinite(value);
/** A number of things, or an offset. */
export const isCount: Form<number> = (value): value is number =>
  isNumber(value) && Number.isInteger(value) && value >= 0 && value <= 2 ** 31 - 1;

/** An object of JSON, which is no list. */
export const isJsonObject: Form<Record<string, unknown>> = (value): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list of values that all have the form. */
export function listOf<Value>(form: Form<Value>): Form<readonly Value[]> {
  return (value): value is readonly Value[] => Array.isArray(value) && value.every(form);
}

/** A member that may be missing. */
export function optional<Value>(form: Form<Value>): Form<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || form(value);
}

/** A member that may be missing or null. */
export function nullable<Value>(form: Form<Value>): Form<Value | null | undefined> {
  return (value): value is Value | null | undefined => value === undefined || value === null || form(value);
}

/** One of these words. */
export function oneOf<const Word extends string | boolean>(...words: readonly Word[]): Form<Word> {
  return (value): value is Word => words.some((word) => word === value);
}

/** A value of one of two forms. */
export function either<One, Other>(one: Form<One>, other: Form<Other>): Form<One | Other> {
  return (value): value is One | Other => one(value) || other(value);
}

/** An object whose members have these forms. A type's form lists every member, also those that may be missing. */
export function object<Value extends object>(members: { readonly [Name in keyof Value]-?: Form<Value[Name]> }): Form<Value> {
  const forms = Object.entries(members) as readonly (readonly [string, Form])[];
  return (value): value is Value =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    forms.every(([name, form]) => form((value as Readonly<Record<string, unknown>>)[name]));
}
