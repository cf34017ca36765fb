/** Creates a translation unit's Summary from its facts: the part of it that rules about several files can see. */
import { annotationMacrosAt } from "../analyses/annotation-macros.ts";
import { effectsOf } from "../analyses/effects.ts";
import {
  type AnnotationSlots,
  annotationSlots,
  annotationStyleOf,
  gridConstantWord,
  isSpelledAlone,
  isTensorMap,
} from "../analyses/grid-constants.ts";
import { dropWord, toEdit } from "../analyses/placed-edits.ts";
import { narrowedParameters } from "../analyses/pointers/narrowed-parameters.ts";
import { modifiedParameters } from "../analyses/writes/modified-parameters.ts";
import type { Dialect } from "../dialect.ts";
import { append } from "../lists.ts";
import { fileOf } from "../preprocess/row.ts";
import { signatureOf } from "../semantics/declarations/function-signatures.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, ParameterDeclaration, SpecifierWord } from "../semantics/types/symbols.ts";
import { containsUnknown } from "../semantics/types/types.ts";
import type { FileUri, InUnits, UnitLocation } from "../source.ts";
import type { Steps } from "../steps.ts";
import type { Question } from "./passed-objects.ts";
import { summarizeConstantMemory, summarizeDeviceFunction, summarizeVariable } from "./summarize-device.ts";
import { summarizeFunction, summarizeQuestion } from "./summarize-effects.ts";
import { summarizePrototypes } from "./summarize-prototypes.ts";
import type { KernelParameterSummary, KernelSummary, Summary } from "./summary.ts";

/** A rule that asks about the effects of other files' functions on this file's objects. */
export interface QuestioningRule {
  readonly id: string;
  readonly languages: readonly string[];
  asks?(context: { readonly facts: Facts; readonly dialect: Dialect }): readonly Question[];
}

/** The inputs of a Summary. */
export interface Summarized {
  readonly uri: string;
  /** The files of the translation unit. */
  readonly files: readonly string[];
  readonly facts: Facts;
  readonly dialect: Dialect;
  textOf(uri: string): string;
}

/** Creates the summary of one file, with places in units, in steps. The rules in `questioning` may have questions about other files. */
export function* summarize(
  { uri, files, facts, dialect, textOf }: Summarized,
  questioning: readonly QuestioningRule[],
): Steps<InUnits<Summary>> {
  const isCuda = dialect.language === "cuda";
  const ofFunctions = <Result>(of: (symbol: FunctionSymbol) => readonly Result[]) => inSteps(facts.functions, of);
  const kernels = isCuda
    ? yield* ofFunctions(({ declarations }) =>
        declarations.filter(({ execution }) => execution.kernel).map((each) => summarizeKernel(each, facts, textOf)),
      )
    : [];
  const effects = effectsOf(facts);
  const narrowed = narrowedParameters(facts);
  yield;
  const functions = yield* ofFunctions((each) => {
    const own = summarizeFunction(uri, each, effects, narrowed, dialect.cplusplus);
    return own === undefined ? [] : [own];
  });
  const applicable = questioning.filter(({ languages }) => languages.includes(dialect.language));
  const questions = yield* inSteps(applicable, (rule) =>
    (rule.asks?.({ facts, dialect }) ?? []).flatMap((question) => summarizeQuestion(rule.id, question, dialect.cplusplus)),
  );
  const deviceFunctions = isCuda
    ? yield* ofFunctions(({ declarations }) => declarations.flatMap((each) => summarizeDeviceFunction(each, facts)))
    : [];
  const variables = isCuda ? yield* inSteps(facts.variables, ({ variable }) => summarizeVariable(variable)) : [];
  const prototypes = isCuda || dialect.cplusplus ? [] : yield* ofFunctions((each) => summarizePrototypes(each, files, facts));
  return {
    uri,
    files,
    kernels,
    functions,
    ...(prototypes.length === 0 ? {} : { prototypes }),
    questions: questions.filter(({ argument }) => fileOf(argument.uri) === uri),
    ...(deviceFunctions.length === 0 ? {} : { deviceFunctions }),
    ...(variables.length === 0 ? {} : { variables }),
    ...(isCuda && dialect.relocatableDeviceCode ? { constantMemory: summarizeConstantMemory(facts) } : {}),
  };
}

/** How many functions or variables are summarized in one step, which takes some ten milliseconds. */
const summarizedInStep = 512;

function* inSteps<Element, Result>(list: readonly Element[], of: (element: Element) => readonly Result[]): Steps<readonly Result[]> {
  const found: Result[] = [];
  for (const [index, element] of list.entries()) {
    if (index % summarizedInStep === summarizedInStep - 1) yield;
    append(found, of(element));
  }
  return found;
}

function summarizeKernel(declaration: FunctionDeclaration, facts: Facts, textOf: (uri: FileUri) => string): InUnits<KernelSummary> {
  const { owner } = declaration;
  const isKnown = declaration.parameters.every(({ symbol }) => !containsUnknown(symbol.type));
  return {
    qualifiedName: owner.qualifiedName,
    signature: isKnown ? signatureOf(declaration.parameters) : undefined,
    isInternal: owner.isInternal,
    isDefinition: declaration.isDefinition,
    isTemplate: declaration.isTemplate,
    role: declaration.role,
    location: declaration.namePlace.unit.view.origin(declaration.namePlace.span).location,
    ...launchBoundsOf(declaration),
    entity: entityOf(declaration),
    parameters: declaration.parameters.map((parameter) => summarizeParameter(parameter, facts, textOf)),
  };
}

function launchBoundsOf({ launchAttributes = [] }: FunctionDeclaration): InUnits<Pick<KernelSummary, "launchBounds">> {
  const bounds = launchAttributes.find(({ name }) => name === "__launch_bounds__");
  const values = (bounds?.values ?? []).flatMap(([value]) => value ?? []);
  if (bounds === undefined || values.length === 0 || values.length !== bounds.values.length) return {};
  return { launchBounds: { values, location: bounds.place.unit.view.origin(bounds.place.span).location } };
}

function entityOf({ owner, namePlace }: FunctionDeclaration): UnitLocation {
  const { unit, span } = (owner.primary ?? owner).declarations[0]?.namePlace ?? namePlace;
  return unit.view.origin(span).location;
}

function summarizeParameter(
  parameter: ParameterDeclaration,
  facts: Facts,
  textOf: (uri: FileUri) => string,
): InUnits<KernelParameterSummary> {
  const { symbol, place } = parameter;
  const word = gridConstantWord(parameter);
  const slots = word === undefined ? locatedSlots(parameter) : undefined;
  const macros = slots === undefined ? [] : annotationMacrosAt(place, textOf);
  return {
    name: symbol.name,
    isGridConstant: word !== undefined,
    location: place.unit.view.origin(place.span).location,
    ...(symbol.type.kind === "record" || symbol.type.kind === "dependent" ? { isClass: true } : {}),
    ...(slots === undefined ? {} : { slots }),
    ...(macros.length === 0 ? {} : { macros }),
    ...(modifiedParameters(facts).has(symbol) ? { isModified: true } : {}),
    ...annotationOf(parameter, facts),
  };
}

function locatedSlots(parameter: ParameterDeclaration): AnnotationSlots<UnitLocation> | undefined {
  // A declaration with a macro in place of `__global__` would have to follow, and nobody knows its parameters.
  const isHidden = parameter.symbol.owner?.declarations.some(({ execution }) => !execution.kernel) === true;
  const slots = isHidden ? undefined : annotationSlots(parameter);
  const whole = slots === undefined ? undefined : toEdit({ place: slots.whole, how: "before", text: "" })?.location;
  if (slots === undefined || whole === undefined) return undefined;
  const written = slots.written === undefined ? undefined : toEdit({ place: slots.written, text: "" })?.location;
  const name = slots.name === undefined ? undefined : toEdit({ place: slots.name, text: "" })?.location;
  const { needsConst, isPointer } = slots;
  return { whole, needsConst, isPointer, ...(written === undefined ? {} : { written }), ...(name === undefined ? {} : { name }) };
}

/** True if the parameter stays valid without the annotation, and nothing goes with it. */
function isRemovable({ symbol }: ParameterDeclaration, word: SpecifierWord, { conversions }: Facts): boolean {
  const losesConst = conversions.some(
    ({ context, path, from, to }) =>
      context === "cast" &&
      path?.root === symbol &&
      from.kind === "pointer" &&
      to.kind === "pointer" &&
      from.pointee.qualifiers.const &&
      !to.pointee.qualifiers.const,
  );
  return symbol.type.kind !== "reference" && !isTensorMap(symbol.type) && isSpelledAlone(word) && !losesConst;
}

function annotationOf(parameter: ParameterDeclaration, facts: Facts): InUnits<Pick<KernelParameterSummary, "annotation">> {
  const word = gridConstantWord(parameter);
  const style = annotationStyleOf(parameter);
  if (word === undefined || style === undefined) return {};
  const { location, macro } = word.place.unit.view.origin(word.place.span);
  const removal = isRemovable(parameter, word, facts) ? toEdit(dropWord(word))?.location : undefined;
  return {
    annotation: {
      location,
      style,
      ...(removal === undefined ? {} : { removal }),
      ...(macro?.definition === undefined ? {} : { definition: macro.definition }),
    },
  };
}
