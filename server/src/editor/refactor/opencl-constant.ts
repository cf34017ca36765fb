/**
 * Offers other ways for a value that an OpenCL kernel reads: a constant of the program as an argument, and an argument as a constant of
 * the program, if the host always passes the same number. Only values that kernels read directly move, because a function of the program
 * would have to be passed them, too.
 */
import { accessesTo } from "../../analyses/fact-index.ts";
import { type PlacedEdit, toFileEdit } from "../../analyses/placed-edits.ts";
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import { addParameter, isEditable, usesOf, withoutElement } from "../../rules/fixes/launch-edits.ts";
import { spellSpaceIn } from "../../rules/fixes/spaces.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { bodyAt } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { printDeclared, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { type Edit, type Files, type SourceSpan, textOf } from "../../source.ts";
import { codeTokens } from "../names/tokens.ts";
import { hostCallsFor } from "./host-arguments.ts";
import { mustBeConstant } from "./host-constant.ts";
import { isPlaceAt, type Refactoring } from "./refactoring.ts";

/** The refactorings of the constant or the parameter at a span. `isNamedElsewhere` tells whether another file contains a word. */
export function openclConstantRefactorings(
  { facts, dialect }: AnalyzedUnit,
  uri: string,
  span: SourceSpan,
  files: Files,
  isNamedElsewhere: (name: string) => boolean,
): readonly Refactoring[] {
  if (dialect.language !== "opencl") return [];
  const variable = variableAt(facts, uri, span);
  if (variable === undefined || !isNamedOnlyInFacts(variable, facts, uri, files)) return [];
  if (variable.scope === "parameter") return asConstant(variable, facts, uri, files);
  return variable.scope === "program" && !isNamedElsewhere(variable.name) ? asArgument(variable, facts, isNamedElsewhere) : [];
}

/** The variable that is declared or used at a span. */
function variableAt(facts: Facts, uri: string, span: SourceSpan): VariableSymbol | undefined {
  const isHere = (place: Place) => isPlaceAt(place, uri, span);
  const used = facts.references.find(({ symbol, place }) => symbol.kind === "variable" && isHere(place))?.symbol;
  if (used?.kind === "variable") return used;
  return facts.variables.find(({ variable }) => isHere(variable.declaration))?.variable;
}

/** True if the facts know each word of the variable's name: one in a constant expression, a macro or an inactive branch they do not. */
function isNamedOnlyInFacts(variable: VariableSymbol, facts: Facts, uri: string, files: Files): boolean {
  const { owner, name, place } = variable;
  const around = owner?.declarations.find(({ isDefinition }) => isDefinition)?.place;
  const part = around === undefined ? undefined : codeAt(around).span;
  const named = codeTokens(textOf(files, uri)).filter(
    ({ kind, text, start, end }) => kind === "word" && text === name && (part === undefined || (part.start <= start && end <= part.end)),
  );
  const uses = usesOf(variable, facts);
  return (
    named.length === uses.length + 1 && codeAt(place).uri === uri && uses.every((use) => !mustBeConstant(use, facts) && !isMeasured(use))
  );
}

/** True for the operand of `sizeof`: a pointer has another size than an array. */
function isMeasured({ unit, span }: Place): boolean {
  return /\bsizeof\s*\(?\s*$/.test(unit.view.text.slice(Math.max(0, span.start - 20), span.start));
}

// ---------------------------------------------------------------- from the program to the host

function asArgument(variable: VariableSymbol, facts: Facts, isNamedElsewhere: (name: string) => boolean): readonly Refactoring[] {
  const { name, type, declaration } = variable;
  const text = parameterText(variable);
  const statement = statementAround(declaration);
  const kernels = readersOf(variable, facts);
  if (text === undefined || statement === undefined || type.qualifiers.space !== "constant" || kernels === undefined) return [];
  // The initializer of another constant must be constant, too.
  if (accessesTo(facts, variable).some(({ initializes }) => initializes?.type.qualifiers.space === "constant")) return [];
  // A number is passed by value, so that nothing can point to it in constant memory.
  if (isNumber(type) && !accessesTo(facts, variable).every(({ mode }) => mode === "read")) return [];
  if (kernels.some((kernel) => isNamedElsewhere(kernel.name) && kernel.declarations.length > 1)) return [];
  const edits: PlacedEdit[] = [{ place: statement, text: "" }, ...kernels.flatMap((kernel) => addParameter(kernel, text))];
  const reached = kernels.map((kernel) => `argument ${kernel.declarations[0]?.parameters.length ?? 0} of '${kernel.name}'`);
  const shown = reached.length > 2 ? `an argument of ${reached.length} kernels` : reached.join(" and ");
  return confirmed(`Pass '${name}' as ${shown}, with values of the host`, edits.map(toFileEdit));
}

/** The kernels that read the variable; undefined if anything else does, or if there are none. */
function readersOf(variable: VariableSymbol, facts: Facts): readonly FunctionSymbol[] | undefined {
  const found = new Set<FunctionSymbol>();
  for (const use of usesOf(variable, facts)) {
    const reader = facts.functions.find((each) => bodyAt(each, use) !== undefined);
    if (reader?.declarations.every(({ execution }) => execution.kernel) !== true || !isEditable(reader, facts)) return undefined;
    found.add(reader);
  }
  // A kernel that another one calls has to be passed the value by its caller.
  const isCalled = facts.calls.some(({ callee }) => callee !== undefined && found.has(callee));
  return found.size === 0 || isCalled ? undefined : [...found];
}

/** How a parameter with the values of the variable is declared; undefined for arrays of arrays and for what cannot be an argument. */
function parameterText({ type, name, place: { unit } }: VariableSymbol): string | undefined {
  if (isNumber(type)) return `${printType(unqualifiedType(type))} ${name}`;
  if (type.kind !== "array" || !isNumber(type.element)) return undefined;
  return `${spellSpaceIn(unit, "constant")} ${printDeclared(unqualifiedType(type.element), `*${name}`)}`;
}

function isNumber({ kind }: Type): boolean {
  return kind === "arithmetic" || kind === "vector";
}

/** The whole declaration up to its semicolon and the end of its line; undefined if it declares something else, too. */
function statementAround({ unit, span }: Place): Place | undefined {
  const { text } = unit.view;
  const rest = /^(?:[^;{}",]|\{(?:[^{}]|\{[^{}]*\})*\})*;[ \t]*\n?/.exec(text.slice(span.end))?.[0];
  const before = text.slice(0, span.start).trimEnd().at(-1);
  const hasOthers = text.slice(span.start, span.end).includes(",");
  if (rest === undefined || hasOthers || (before !== undefined && !/[;}]/.test(before))) return undefined;
  return { unit, span: { start: span.start, end: span.end + rest.length } };
}

// ---------------------------------------------------------------- from the host to the program

/** A number that the host passes, always the same, becomes a constant. The host's later arguments move up. */
function asConstant(parameter: VariableSymbol, facts: Facts, uri: string, files: Files): readonly Refactoring[] {
  const { owner, name, type, index = -1 } = parameter;
  const [declaration, another] = owner?.declarations ?? [];
  if (owner === undefined || declaration?.execution.kernel !== true || another !== undefined || !isEditable(owner, facts)) return [];
  const isRead = accessesTo(facts, parameter).every(({ mode, path }) => mode === "read" && path.steps.length === 0);
  const removed = withoutElement(declaration.parameters, index);
  const calls = hostCallsFor(owner.name, declaration.parameters.length, uri, files);
  const value = calls === undefined ? undefined : calls.valueOf(index);
  const constant = `${owner.name}_${name}`;
  if (type.kind !== "arithmetic" || !isRead || removed === undefined || calls === undefined || value === undefined) return [];
  if (textOf(files, uri).includes(constant)) return [];
  const { unit, span } = declaration.place;
  const line = `${spellSpaceIn(unit, "constant")} ${printType(unqualifiedType(type))} ${constant} = ${value};\n`;
  const edits: PlacedEdit[] = [
    { place: { unit, span: { start: span.start, end: span.start + 1 } }, how: "before", text: line },
    removed,
    ...usesOf(parameter, facts).map((place) => ({ place, text: constant })),
  ];
  const title = `Move '${name}' of '${owner.name}' to constant memory (removes argument ${index}, which the host sets to ${value})`;
  return confirmed(title, [...edits.map(toFileEdit), ...calls.without(index)]);
}

function confirmed(title: string, edits: readonly (Edit | undefined)[]): readonly Refactoring[] {
  return edits.every((edit): edit is Edit => edit !== undefined) ? [{ title, edits, needsConfirmation: true }] : [];
}
