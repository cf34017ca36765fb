/** The wording of conversions of pointers or references in messages. */
import type { ConversionFact } from "../../semantics/facts/facts.ts";
import { printType, type Qualifiers, type Type } from "../../semantics/types/types.ts";
import { printPointer } from "../fixes/spaces.ts";

/** The wording of implicit conversions in all rules: `passing 'A' to a parameter of type 'B'`. */
export function describeConversion(fact: ConversionFact): string {
  // An object that a reference binds to keeps its qualifiers.
  const isObject = fact.to.kind === "reference" && fact.from.kind !== "pointer" && fact.from.kind !== "array";
  const from =
    isObject || (fact.to.kind === "reference" && fact.from.qualifiers.space === undefined) ? printType(fact.from) : printPointer(fact.from);
  const to = printPointer(fact.to);
  switch (fact.context) {
    case "initialize":
      return `initializing '${to}' with '${from}'`;
    case "assign":
      return `assigning '${from}' to '${to}'`;
    case "pass":
      return `passing '${from}' to '${to}'`;
    case "return":
      return `returning '${from}' as '${to}'`;
    case "cast":
      return `casting '${from}' to '${to}'`;
  }
}

/**
 * `at the second pointer level`: the outermost level, below the first, at which the two types differ in this way. Undefined if
 * there is none.
 */
export function levelOf({ from, to }: ConversionFact, differ: (a: Qualifiers, b: Qualifiers) => boolean): string | undefined {
  let [a, b] = [pointee(from), pointee(to)];
  for (const ordinal of ["first", "second", "third", "fourth", "fifth"]) {
    if (a === undefined || b === undefined) return undefined;
    if (ordinal !== "first" && differ(a.qualifiers, b.qualifiers)) return `at the ${ordinal} pointer level`;
    [a, b] = [pointee(a), pointee(b)];
  }
  return undefined;
}

/**
 * For a conversion that drops nothing, such as `int **` to `const int **`: the qualifiers that it adds below a level that stays the
 * same.
 */
export function addedQualifiers({ from, to }: ConversionFact): string {
  const added = new Set<string>();
  const [own, wanted] = [from, to].map((type) => (type.kind === "reference" ? type.referent : type));
  for (let [a, b] = [pointee(own), pointee(wanted)]; a !== undefined && b !== undefined; [a, b] = [pointee(a), pointee(b)])
    for (const word of ["const", "volatile"] as const) if (b.qualifiers[word] && !a.qualifiers[word]) added.add(word);
  if (added.size === 0) return "changes the qualifiers";
  return `adds ${[...added].join(" and ")}${to.kind === "reference" ? ", which needs a reference to a const pointer" : ""}`;
}

function pointee(type: Type | undefined): Type | undefined {
  return type?.kind === "pointer" ? type.pointee : type?.kind === "array" ? type.element : undefined;
}
