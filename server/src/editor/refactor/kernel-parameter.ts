/**
 * Offers other ways for a value that CUDA host code passes to a kernel: as a template argument, if it is constant at every launch, or in
 * `__constant__` memory, if it is a variable. Every declaration and launch of the kernel has to be in the file.
 */
import { accessesTo } from "../../analyses/fact-index.ts";
import type { PlacedEdit } from "../../analyses/placed-edits.ts";
import { isEditable, launchesOf, statementOf, usesOf, withoutElement } from "../../rules/fixes/launch-edits.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { isInteger, printType, unqualifiedType } from "../../semantics/types/types.ts";
import type { SourceSpan } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { offered } from "./placed-refactoring.ts";
import { isPlaceAt, type Refactoring } from "./refactoring.ts";

/** A kernel's parameter, with its only declaration and every launch. */
interface Passed {
  readonly kernel: FunctionSymbol;
  readonly declaration: FunctionDeclaration;
  readonly index: number;
  readonly parameter: VariableSymbol;
  readonly launches: readonly CallFact[];
}

/** The refactorings of the parameter that is declared, used or passed at a span. `isNamedElsewhere` tells about other files. */
export function parameterRefactorings(
  facts: Facts,
  uri: string,
  span: SourceSpan,
  isNamedElsewhere: (name: string) => boolean,
): readonly Refactoring[] {
  const passed = passedAt(facts, uri, span);
  if (passed === undefined || isNamedElsewhere(passed.kernel.name)) return [];
  const { kernel, parameter, launches } = passed;
  const count = `${launches.length} ${launches.length === 1 ? "launch" : "launches"}`;
  return [
    ...offered(`Make '${parameter.name}' a template parameter of '${kernel.name}' (changes ${count})`, templateEdits(passed)),
    ...offered(`Move '${parameter.name}' of '${kernel.name}' to '__constant__' memory (changes ${count})`, constantEdits(passed, facts)),
  ];
}

/** The parameter at a span; undefined unless it is only read, and everything that names the kernel can be edited. */
function passedAt(facts: Facts, uri: string, span: SourceSpan): Passed | undefined {
  const isHere = (place: Place) => isPlaceAt(place, uri, span);
  for (const kernel of facts.functions) {
    const [declaration, another] = kernel.declarations;
    if (declaration?.execution.kernel !== true || another !== undefined || declaration.place.unit.uri.startsWith("builtin:")) continue;
    const launches = launchesOf(kernel, facts);
    if (launches === undefined || !isEditable(kernel, facts)) continue;
    const index = declaration.parameters.findIndex(
      ({ symbol, place }, at) =>
        isHere(place) || usesOf(symbol, facts).some(isHere) || launches.some((launch) => isHere(launch.arguments[at]?.place ?? place)),
    );
    const parameter = declaration.parameters[index]?.symbol;
    if (parameter === undefined || parameter.name === "") continue;
    const isComplete = launches.every((launch) => launch.arguments.length === declaration.parameters.length);
    return isComplete && isOnlyRead(parameter, declaration, facts) ? { kernel, declaration, index, parameter, launches } : undefined;
  }
  return undefined;
}

/** True if the facts know every use of the parameter, and each reads its value. */
function isOnlyRead(parameter: VariableSymbol, { body, place: { unit } }: FunctionDeclaration, facts: Facts): boolean {
  const named =
    body === undefined ? [] : (unit.view.text.slice(body.span.start, body.span.end).match(wordPattern(parameter.name, "g")) ?? []);
  const accesses = accessesTo(facts, parameter);
  return (
    named.length === usesOf(parameter, facts).length &&
    accesses.length === named.length &&
    accesses.every(({ mode, path, lambda }) => mode === "read" && path.steps.length === 0 && lambda === undefined)
  );
}

/** An integer that each launch passes as a constant. */
function templateEdits({ declaration, index, parameter, launches }: Passed): readonly PlacedEdit[] | undefined {
  const { type } = parameter;
  if (!isInteger(type)) return undefined;
  const removed = withoutElement(declaration.parameters, index);
  if (removed === undefined) return undefined;
  const { unit, span } = declaration.place;
  const edits: PlacedEdit[] = [
    {
      place: { unit, span: { start: span.start, end: span.start + 1 } },
      how: "before",
      text: `template <${printType(unqualifiedType(type))} ${parameter.name}>\n`,
    },
    removed,
  ];
  for (const launch of launches) {
    const argument = launch.arguments[index];
    const gone = withoutElement(launch.arguments, index);
    const name = /^[\w:]+(?=\s*<<<)/.exec(launch.place.unit.view.text.slice(launch.place.span.start))?.[0];
    if (argument?.value === undefined || gone === undefined || name === undefined) return undefined;
    const text = argument.place.unit.view.text.slice(argument.place.span.start, argument.place.span.end);
    const { start } = launch.place.span;
    const whole = /^\w+$/.test(text) ? text : `(${text})`;
    edits.push({ place: { unit: launch.place.unit, span: { start, end: start + name.length } }, how: "after", text: `<${whole}>` }, gone);
  }
  return edits;
}

/**
 * A number that each launch takes from a variable of the same type. The copy goes to the default stream, so launches into other streams
 * are left alone.
 */
function constantEdits({ kernel, declaration, index, parameter, launches }: Passed, facts: Facts): readonly PlacedEdit[] | undefined {
  const { type, name } = parameter;
  const { unit, span } = declaration.place;
  const constant = `${kernel.name}_${name}`;
  const removed = withoutElement(declaration.parameters, index);
  if (type.kind !== "arithmetic" || removed === undefined || wordPattern(constant).test(unit.view.text)) return undefined;
  const spelled = printType(unqualifiedType(type));
  const edits: PlacedEdit[] = [
    { place: { unit, span: { start: span.start, end: span.start + 1 } }, how: "before", text: `__constant__ ${spelled} ${constant};\n` },
    removed,
    ...usesOf(parameter, facts).map((place) => ({ place, text: constant })),
  ];
  for (const launch of launches) {
    const argument = launch.arguments[index];
    const gone = withoutElement(launch.arguments, index);
    const statement = statementOf(launch);
    const root = argument?.path?.root;
    if (argument === undefined || gone === undefined || statement === undefined || root === undefined) return undefined;
    const isVariable =
      argument.path?.steps.length === 0 && printType(unqualifiedType(root.type)) === spelled && !root.type.qualifiers.volatile;
    const { text } = launch.place.unit.view;
    const before = text.slice(0, statement.span.start);
    const values = launch.launchValues?.length ?? 0;
    if (!isVariable || values > 3 || launch.place.unit !== unit || !/[;{}]\s*$/.test(before) || /\belse\s*$|\)\s*$/.test(before))
      return undefined;
    const indentation = /[ \t]*$/.exec(before)?.[0] ?? "";
    const copy = `cudaMemcpyToSymbol(${constant}, &${root.name}, sizeof(${constant}));\n${indentation}`;
    edits.push(
      {
        place: { unit: launch.place.unit, span: { start: statement.span.start, end: statement.span.start + 1 } },
        how: "before",
        text: copy,
      },
      gone,
    );
  }
  return edits;
}
