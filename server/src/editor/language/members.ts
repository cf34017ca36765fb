/**
 * Completes members of structures and unions, and components of vectors. The object before the dot is read from its words, because
 * the expression is incomplete; its type comes from the declarations that are visible there.
 */
import type { Reading } from "../../diagnostics/readings.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { spell, type Type } from "../../semantics/types/types.ts";
import { componentsOf } from "../names/components.ts";
import type { CodeToken } from "../names/tokens.ts";

/** A member that may follow. */
export interface MemberEntry {
  readonly label: string;
  readonly detail: string;
}

/** What leads from one type to the next in an expression. */
type Step = { readonly kind: "index" } | { readonly kind: "member"; readonly name: string; readonly isArrow: boolean };

/**
 * The members after the `.` or `->` at the end of the tokens, whose object is a variable, a member or an element of one. `variableOf`
 * gives the visible variable of a name. Empty if the type of the object is unknown.
 */
export function membersAt(tokens: readonly CodeToken[], variableOf: (name: string) => VariableSymbol | undefined): readonly MemberEntry[] {
  const last = tokens.at(-1);
  if (last === undefined || (last.text !== "." && last.text !== "->")) return [];
  const path = pathBefore(tokens, tokens.length - 1);
  const variable = path === undefined ? undefined : variableOf(path.name);
  if (path === undefined || variable === undefined) return [];
  const type = path.steps.reduce<Type | undefined>((now, step) => (now === undefined ? undefined : typeAfter(now, step)), variable.type);
  const object = last.text === "->" && type !== undefined ? pointeeOf(type) : type;
  return object === undefined ? [] : membersOf(object);
}

/** The type of an expression that is a variable, a member or an element of one; undefined for other expressions, and if it is unknown. */
export function typeOfPath(tokens: readonly CodeToken[], variableOf: (name: string) => VariableSymbol | undefined): Type | undefined {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (text === "[") depth += 1;
    else if (text === "]") depth -= 1;
    else if (depth === 0 && kind !== "word" && text !== "." && text !== "->") return undefined;
  }
  const path = pathBefore(tokens, tokens.length);
  const type = path === undefined || path.name !== tokens[0]?.text ? undefined : variableOf(path.name)?.type;
  return path?.steps.reduce<Type | undefined>((now, step) => (now === undefined ? undefined : typeAfter(now, step)), type);
}

/** The variable at the start of the object before a token, and the steps from it to the object. */
function pathBefore(tokens: readonly CodeToken[], end: number): { readonly name: string; readonly steps: readonly Step[] } | undefined {
  const steps: Step[] = [];
  let at = end - 1;
  for (;;) {
    while (tokens[at]?.text === "]") {
      at = openBefore(tokens, at, "[", "]");
      steps.unshift({ kind: "index" });
      at -= 1;
    }
    const word = tokens[at];
    if (word === undefined || word.kind !== "word") return undefined;
    const sign = tokens[at - 1]?.text;
    if (sign !== "." && sign !== "->") return { name: word.text, steps };
    steps.unshift({ kind: "member", name: word.text, isArrow: sign === "->" });
    at -= 2;
  }
}

/** The index of the bracket that belongs to a closing one; -1 if there is none. */
function openBefore(tokens: readonly CodeToken[], from: number, open: string, close: string): number {
  let depth = 0;
  for (let at = from; at >= 0; at--) {
    if (tokens[at]?.text === close) depth += 1;
    else if (tokens[at]?.text === open) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function typeAfter(type: Type, step: Step): Type | undefined {
  if (step.kind === "index") return type.kind === "array" ? type.element : pointeeOf(type);
  const object = step.isArrow ? pointeeOf(type) : type;
  return object?.kind === "record" ? object.record.members?.find(({ name }) => name === step.name)?.type : undefined;
}

function pointeeOf(type: Type): Type | undefined {
  if (type.kind === "pointer") return type.pointee;
  return type.kind === "array" ? type.element : undefined;
}

function membersOf(type: Type): readonly MemberEntry[] {
  if (type.kind === "vector") return componentsOf(type.length).map((label) => ({ label, detail: `of '${spell(type)}'` }));
  if (type.kind !== "record") return [];
  return (type.record.members ?? []).flatMap(({ name, type: own }) =>
    name === "" ? membersOf(own) : [{ label: name, detail: spell(own) }],
  );
}

/** The variable of a name that is visible at an offset, by `isVisible`: the one that is declared last. */
export function visibleVariable(
  { facts }: Reading,
  isVisible: (variable: VariableSymbol) => boolean,
): (name: string) => VariableSymbol | undefined {
  return (name) => facts.variables.findLast(({ variable }) => variable.name === name && isVisible(variable))?.variable;
}
