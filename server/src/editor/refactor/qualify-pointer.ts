/**
 * Changes the address space that an OpenCL pointer points into, with everything that must follow: every declaration of its
 * function, the pointers that callers pass, and those that take its value, in this file and in others. It is not offered if
 * something cannot follow, such as an array on the stack, or a builtin function for one address space.
 */
import { variableOf } from "../../analyses/fact-index.ts";
import { toFileEdit } from "../../analyses/placed-edits.ts";
import { pointedSpace } from "../../analyses/pointers/pointer-flow.ts";
import type { AnalyzedUnit, ReadFile } from "../../diagnostics/analyzed-files.ts";
import { parametersOf } from "../../diagnostics/complete-fix.ts";
import type { CompileSettings } from "../../dialect.ts";
import type { QualifiedParameter } from "../../finding.ts";
import { append, enumerated } from "../../lists.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import { accepts, declarationsOf, isQualifiable, isWrittenThrough, qualifiedParameterOf } from "../../rules/fixes/pointer-qualification.ts";
import { qualifyDeclaration, spaceWordsOf } from "../../rules/fixes/spaces.ts";
import type { ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { containsSpace, overlaps } from "../../semantics/types/address-spaces.ts";
import { contains } from "../../semantics/types/places.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { type Edit, type Files, type SourceSpan, textOf } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { isKernelParameter } from "../hover/pointees.ts";
import { mayNeedItsSpace } from "./qualify-obstacles.ts";
import { countedDeclarations, distinct, isAt, type Refactoring } from "./refactoring.ts";

/** An address space that a pointer can be declared with explicitly. */
export type TargetSpace = Exclude<AddressSpace, "generic">;

const offeredSpaces: readonly TargetSpace[] = ["global", "local", "constant", "private"];
/** The change is not offered if more files than this name one of the functions. */
const mostFiles = 24;
/** The change is not offered if more variables than this have to follow. */
const mostVariables = 200;

/** The other files that may declare or call the function. */
export interface OtherFiles {
  readonly files: Files;
  read(uri: string): ReadFile;
}

/** One refactoring for each address space that the pointer at the span could point into. */
export function qualifyRefactorings(file: ReadFile, span: SourceSpan, others: OtherFiles): readonly Refactoring[] {
  const [first] = file.readings;
  if (first === undefined || first.dialect.language !== "opencl") return [];
  const pointer = pointerAt(first, file.uri, span);
  if (pointer === undefined) return [];
  const name = pointer.name === "" ? "the parameter" : `'${pointer.name}'`;
  return offeredSpaces.flatMap((space) => {
    if (isQualifiedWith(pointer, space)) return [];
    const change = editsFor(file, span, space, others);
    const [first] = change?.edits ?? [];
    if (change === undefined || first === undefined) return [];
    const { edits } = change;
    const kernels = changeOf(change.kernelArguments);
    const extent = [...(edits.length === 1 ? [] : [countedDeclarations(edits)]), ...kernels].join(", ");
    const title = `Make ${name} '${first.text.trim()}'${extent === "" ? "" : ` (${extent})`}`;
    return [{ title, edits, ...(kernels.length === 0 ? {} : { needsConfirmation: true }) }];
  });
}

/** The greatest number of kernels' arguments that a title names. */
const argumentsNamed = 2;

/** What the host has to pass differently. */
function changeOf(kernelArguments: readonly string[]): readonly string[] {
  if (kernelArguments.length === 0) return [];
  if (kernelArguments.length > argumentsNamed) return [`changes ${kernelArguments.length} arguments of kernels`];
  return [`changes ${enumerated(kernelArguments, "and")}`];
}

/** The pointer that is named at the span, or else the innermost declaration of one around it. */
function pointerAt(reading: AnalyzedUnit, uri: string, span: SourceSpan): VariableSymbol | undefined {
  const used = reading.facts.references.find(({ symbol, place }) => symbol.kind === "variable" && isAt(codeAt(place), uri, span))?.symbol;
  if (used?.kind === "variable" && used.type.kind === "pointer" && used.scope !== "member") return used;
  return declaredPointerAt(reading, uri, span);
}

/** The innermost declaration of a pointer around the span. */
function declaredPointerAt({ facts }: AnalyzedUnit, uri: string, span: SourceSpan): VariableSymbol | undefined {
  const around = facts.variables
    .map(({ variable }) => variable)
    .filter(({ type, scope, declaration: { unit, span: whole } }) => {
      if (type.kind !== "pointer" || scope === "member" || unit.uri.startsWith("builtin:")) return false;
      return isAt(codeAt({ unit, span: whole }), uri, span);
    });
  return around.sort((a, b) => length(a) - length(b))[0];
}

function isQualifiedWith({ type, words }: VariableSymbol, space: TargetSpace): boolean {
  return pointedSpace(type) === space && spaceWordsOf(words).length > 0;
}

function length({ declaration: { span } }: VariableSymbol): number {
  return span.end - span.start;
}

interface Change {
  readonly edits: readonly Edit[];
  /** The arguments of kernels that the change reaches: the host has to pass other memory for them. */
  readonly kernelArguments: readonly string[];
}

/** The change; undefined if some standard that the file is judged by, or another file, forbids the change. */
function editsFor(
  { uri, readings, settings }: ReadFile,
  span: SourceSpan,
  space: TargetSpace,
  { files, read }: OtherFiles,
): Change | undefined {
  const edits: Edit[] = [];
  const kernelArguments = new Set<string>();
  const waiting: QualifiedParameter[] = [];
  for (const reading of readings) {
    const pointer = pointerAt(reading, uri, span);
    const result = pointer === undefined ? undefined : requalified(reading, settings, [pointer], space);
    if (result === undefined) return undefined;
    append(edits, result.edits);
    append(waiting, result.parameters);
    for (const each of result.kernelArguments) kernelArguments.add(each);
  }
  const done = new Set<string>();
  for (const parameter of waiting) {
    const key = `${parameter.name} ${parameter.signature ?? ""} ${parameter.parameter}`;
    if (done.has(key)) continue;
    done.add(key);
    const word = wordPattern(parameter.name);
    const naming = files.list().filter((other) => other !== uri && word.test(textOf(files, other)));
    if (naming.length > mostFiles) return undefined;
    for (const other of naming) {
      const reading = read(other).readings[0];
      if (reading === undefined || reading.dialect.language !== "opencl") continue;
      const result = requalified(
        reading,
        settings,
        parametersOf(reading.facts, parameter).filter((each) => each !== undefined),
        space,
      );
      if (result === undefined) return undefined;
      append(edits, result.edits);
      for (const each of result.kernelArguments) kernelArguments.add(each);
      // The list grows while it is iterated.
      append(waiting, result.parameters);
    }
  }
  return { edits: distinct(edits), kernelArguments: [...kernelArguments] };
}

interface Requalified {
  readonly edits: readonly Edit[];
  /** Changed parameters that other files may know. */
  readonly parameters: readonly QualifiedParameter[];
  readonly kernelArguments: readonly string[];
}

/** Changes the pointers of one translation unit to point to `space`, including those that they lead to or come from. */
function requalified(
  reading: AnalyzedUnit,
  settings: CompileSettings,
  pointers: readonly VariableSymbol[],
  space: TargetSpace,
): Requalified | undefined {
  const { facts } = reading;
  const changed = new Set<VariableSymbol>();
  for (const pointer of pointers) for (const each of declarationsOf(pointer)) changed.add(each);
  const edits: Edit[] = [];
  const parameters: QualifiedParameter[] = [];
  const kernelArguments = new Set<string>();
  // The set grows while it is iterated.
  for (const variable of changed) {
    if (changed.size > mostVariables) return undefined;
    if (variable.type.kind !== "pointer") return undefined;
    if (isQualifiedWith(variable, space)) continue;
    if (mayNeedItsSpace(reading, settings, variable, space)) return undefined;
    const edit = editOf(facts, variable, space);
    const more = edit === undefined ? undefined : followersOf(facts, variable, space);
    if (edit === undefined || more === undefined) return undefined;
    edits.push(edit);
    for (const follower of more) for (const each of declarationsOf(follower)) changed.add(each);
    const parameter = qualifiedParameterOf(variable, space, variable.place.unit);
    if (parameter !== undefined) parameters.push(parameter);
    const argument = kernelArgumentOf(variable);
    if (argument !== undefined) kernelArguments.add(argument);
  }
  return { edits, parameters, kernelArguments: [...kernelArguments] };
}

/** `argument 0 of 'blur'`, as the host counts it. */
function kernelArgumentOf(variable: VariableSymbol): string | undefined {
  if (!isKernelParameter(variable)) return undefined;
  for (const { parameters, owner } of variable.owner?.declarations ?? []) {
    const index = parameters.findIndex(({ symbol }) => symbol === variable);
    if (index >= 0) return `argument ${index} of '${owner.name}'`;
  }
  return undefined;
}

function editOf(facts: Facts, variable: VariableSymbol, space: TargetSpace): Edit | undefined {
  // The host never passes private memory.
  if (isKernelParameter(variable) && space === "private") return undefined;
  if (!isKernelParameter(variable) && variable.scope === "parameter" && variable.owner === undefined) return undefined;
  const edit = isQualifiable(variable, facts) ? qualifyDeclaration(variable, space) : undefined;
  return edit === undefined ? undefined : toFileEdit(edit);
}

/** The pointers that must also point to `space`; undefined if one of them cannot. */
function followersOf(facts: Facts, variable: VariableSymbol, space: TargetSpace): readonly VariableSymbol[] | undefined {
  const followers: VariableSymbol[] = [];
  const old = pointedSpace(variable.type);
  const places = facts.references.filter(({ symbol }) => symbol === variable).map(({ place }) => place);
  const uses = (fact: ConversionFact) => places.some((place) => contains(fact.operandPlace, place));
  if (space === "constant" && isWrittenThrough(facts, variable, places)) return undefined;
  for (const fact of facts.conversions) {
    const target = fact.context === "cast" ? undefined : variableOf(fact.target);
    if (target === variable && !fact.isNullConstant) {
      const given = pointedSpace(fact.from);
      if (given === undefined) return undefined;
      if (!containsSpace(space, given)) {
        const source = pointerInOperand(facts, fact);
        if (source === undefined) return undefined;
        followers.push(source);
      }
    }
    if (pointedSpace(fact.from) === old && !accepts(fact, space) && uses(fact)) {
      if (target === undefined) return undefined;
      followers.push(target);
    }
  }
  for (const { place, left, right } of facts.operands) {
    if (!places.some((use) => contains(place, use))) continue;
    const isFar = [left, right].some((type) => {
      const other = pointedSpace(type);
      return other !== undefined && !overlaps(other, space);
    });
    if (!isFar) continue;
    const others = facts.references
      .filter(({ symbol, place: use }) => symbol !== variable && contains(place, use))
      .map(({ symbol }) => symbol);
    const pointing = others.filter((symbol) => symbol.kind === "variable" && pointedSpace(symbol.type) === old);
    if (pointing.length === 0 && [left, right].every((type) => pointedSpace(type) === old)) continue;
    for (const symbol of pointing) if (symbol.kind === "variable") followers.push(symbol);
    if (pointing.length === 0) return undefined;
  }
  return followers;
}

/** The pointer variable that the operand of a conversion is, or is computed from. */
function pointerInOperand({ references }: Facts, { path, from, operandPlace }: ConversionFact): VariableSymbol | undefined {
  const isPointer = (variable: VariableSymbol) => variable.type.kind === "pointer" && pointedSpace(variable.type) === pointedSpace(from);
  if (path?.root !== undefined && path.steps.length === 0) return isPointer(path.root) ? path.root : undefined;
  const [only, second] = references.filter(
    ({ symbol, place }) =>
      symbol.kind === "variable" && contains(operandPlace, place) && (symbol.type.kind === "pointer" || symbol.type.kind === "array"),
  );
  return second === undefined && only?.symbol.kind === "variable" && isPointer(only.symbol) ? only.symbol : undefined;
}
