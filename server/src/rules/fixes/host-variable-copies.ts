/**
 * Replaces the address of a const host variable in device code by the address of a copy: a temporary, or a local variable. A fix is
 * offered only if the address is certainly not kept longer than the copy lives.
 */
import { effectsOf, ownObject } from "../../analyses/effects.ts";
import { accessesTo, conversionsAround } from "../../analyses/fact-index.ts";
import type { HostVariableUse } from "../../analyses/host-variables.ts";
import { fileContains } from "../../preprocess/unit-row.ts";
import { destructorOf } from "../../semantics/declarations/initialization.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import { bodyAt, contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { encloses } from "../../spans.ts";
import type { Statement } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { RuleFix } from "../rule.ts";
import { usesOf, visit } from "./launch-edits.ts";

type Fix = Omit<RuleFix, "safety">;

/** Binds the reference to a temporary with the value instead, if the reference does not outlive the expression. */
export function passValueFix({ access, variable, place, problem }: HostVariableUse, facts: Facts): Fix | undefined {
  const type = access?.type;
  if (
    problem.kind !== "address" ||
    problem.how !== "bound" ||
    type?.kind !== "arithmetic" ||
    access?.initializes !== undefined ||
    access?.path.steps.length !== 0
  )
    return undefined;
  if (returnsAddress(access.within)) return undefined;
  // A cast to a reference needs the object.
  if (conversionsAround(facts, place).some(({ context }) => context === "cast")) return undefined;
  const text = place.unit.view.text.slice(place.span.start, place.span.end);
  // A longer expression than a plain name may need its reference.
  if (!/^[\w:]+$/.test(text)) return undefined;
  const value = /\s/.test(type.name) ? `static_cast<${type.name}>(${text})` : `${type.name}(${text})`;
  return { title: `Pass the value of '${variable.name}'`, edits: [{ place, text: value }] };
}

/**
 * Inserts `const auto limit_copy = limit;` before the first statement of the block that names the variable. So all fixes in a block
 * insert the same text at the same place, and it is inserted once if several are applied.
 */
export function addressCopyFix(use: HostVariableUse, facts: Facts): Fix | undefined {
  const { variable, place, access, problem } = use;
  const call = callWith(use, facts);
  const within = access === undefined ? call?.within : access.within;
  const lambda = access === undefined ? call?.lambda : access.lambda;
  if (problem.kind !== "address" || within === undefined || lambda !== undefined || !isCopied(variable)) return undefined;
  const names = usesOf(variable, facts).filter(({ unit }) => unit === place.unit);
  const statement = firstStatementAround(within, place, names);
  const name = names.find(({ span }) => encloses(place.span, span));
  const copy = `${variable.name}_copy`;
  if (statement === undefined || name === undefined || fileContains(copy, place.unit)) return undefined;
  if (call === undefined ? !isReadOnlyHere(receiverOf(use, facts), facts) : isKept(call, use, facts)) return undefined;
  const { text } = place.unit.view;
  // A qualified name is replaced as a whole.
  const start = /(?:\w+\s*::\s*)*$/.exec(text.slice(0, name.span.start))?.[0].length ?? 0;
  const whole = { unit: name.unit, span: { start: name.span.start - start, end: name.span.end } };
  const indent = /[ \t]*$/.exec(text.slice(text.lastIndexOf("\n", statement.span.start) + 1, statement.span.start))?.[0] ?? "";
  return {
    title: `Copy '${variable.name}' to a local variable`,
    edits: [
      {
        place: { unit: place.unit, span: statement.span },
        how: "before",
        text: `const auto ${copy} = ${text.slice(whole.span.start, whole.span.end)};\n${indent}`,
      },
      { place: whole, text: copy },
    ],
  };
}

/** True if device code may use the variable's value: it is a number, or a constexpr object. */
function isCopied(variable: VariableSymbol): boolean {
  const { type, initialization } = variable;
  if (initialization !== "constant" || type.qualifiers.volatile) return false;
  if (type.kind === "record") return hasWord(variable.words, "constexpr") && destructorOf(type.record) === undefined;
  return type.kind === "arithmetic" || type.kind === "enum";
}

/** The call that receives the address, or that is made on the object. */
function callWith({ access, place, variable }: HostVariableUse, { calls }: Facts): CallFact | undefined {
  const isSame = (other: Place) => other.unit === place.unit && (encloses(other.span, place.span) || encloses(place.span, other.span));
  if (access === undefined) return calls.find(({ object }) => object !== undefined && isSame(object.place));
  return calls.find(({ arguments: values }) => values.some((argument) => isSame(argument.place) && argument.path?.root === variable));
}

/** True if the function may store the address, or return it. */
function isKept(call: CallFact, { access, place }: HostVariableUse, facts: Facts): boolean {
  const { callee } = call;
  if (callee === undefined || returnsAddress(callee) || callee.isTemplate || !callee.declarations.some(({ body }) => body !== undefined))
    return true;
  const index =
    access === undefined
      ? ownObject
      : call.arguments.findIndex((argument) => encloses(argument.place.span, place.span) || encloses(place.span, argument.place.span));
  const { effects, passes } = effectsOf(facts).own(callee, index);
  return effects.length > 0 || passes.length > 0;
}

function returnsAddress(callee: FunctionSymbol | undefined): boolean {
  const kind = callee?.type.result.kind;
  return kind !== "arithmetic" && kind !== "void" && kind !== "enum";
}

/** The pointer or reference that is initialized with the address. */
function receiverOf({ place }: HostVariableUse, { conversions }: Facts): VariableSymbol | undefined {
  const target = conversions.find(({ context, operandPlace }) => context === "initialize" && contains(operandPlace, place))?.target;
  return target !== undefined && "kind" in target ? target : undefined;
}

/** True for a local pointer or reference through which values are only read. */
function isReadOnlyHere(variable: VariableSymbol | undefined, facts: Facts): boolean {
  if (variable === undefined || variable.scope !== "block" || hasWord(variable.words, "static")) return false;
  const own = accessesTo(facts, variable);
  const through = own.filter(({ mode, path }) => mode === "read" && path.steps[0]?.kind === "dereference");
  // The pointer itself is read too, on the way to its pointee.
  return own.every((access) => through.some(({ place }) => contains(place, access.place)));
}

/**
 * The first statement that contains one of the names, in the innermost block around the place; undefined if it or the statement that
 * contains the place has a label, because a jump would miss what is inserted before it.
 */
function firstStatementAround(within: FunctionSymbol, place: Place, names: readonly Place[]): Statement | undefined {
  const body = bodyAt(within, place);
  let siblings: readonly Statement[] = [];
  let isLabeled = false;
  if (body === undefined) return undefined;
  visit(body, (statement) => {
    if (!encloses(statement.span, place.span)) return;
    if (statement.kind === "labeled") isLabeled = true;
    if (statement.kind === "block" && statement.statements.some(({ span }) => encloses(span, place.span))) siblings = statement.statements;
  });
  const first = siblings.find(({ span }) => names.some((name) => encloses(span, name.span)));
  return isLabeled || first?.kind === "labeled" ? undefined : first;
}
