/** Makes a translation unit's Summary from its facts: what the rules that need more than one file will see of it. */
import type { Dialect } from "../dialect.ts";
import type { Origin } from "../preprocess/view.ts";
import { rules } from "../rules/index.ts";
import { effectsOf } from "../semantics/effects.ts";
import type { Facts } from "../semantics/facts.ts";
import { signatureOf } from "../semantics/functions.ts";
import type { FunctionDeclaration, ParameterDeclaration } from "../semantics/symbols.ts";
import { containsUnknown } from "../semantics/types.ts";
import { summarizeConstantMemory, summarizeDeviceFunction, summarizeVariable } from "./summarize-device.ts";
import { summarizeFunction, summarizeQuestion } from "./summarize-effects.ts";
import type { KernelParameterSummary, KernelSummary, Summary } from "./summary.ts";

/** `files` are those of the translation unit. */
export function summarize(uri: string, files: readonly string[], facts: Facts, dialect: Dialect): Summary {
  const isCuda = dialect.language === "cuda";
  const kernels = isCuda
    ? facts.functions.flatMap(({ declarations }) => declarations.filter(({ execution }) => execution.kernel).map(summarizeKernel))
    : [];
  const effects = effectsOf(facts);
  const functions = facts.functions
    .map((each) => summarizeFunction(uri, each, effects, dialect.cplusplus))
    .filter((each) => each !== undefined);
  const asking = rules.filter(({ languages }) => languages.includes(dialect.language));
  const questions = asking.flatMap((rule) =>
    (rule.asks?.({ facts, dialect }) ?? []).flatMap((question) => summarizeQuestion(rule.id, question, dialect.cplusplus)),
  );
  const deviceFunctions = isCuda ? facts.functions.flatMap(({ declarations }) => declarations.flatMap(summarizeDeviceFunction)) : [];
  const variables = isCuda ? facts.variables.flatMap(({ variable }) => summarizeVariable(variable)) : [];
  return {
    uri,
    files,
    kernels,
    functions,
    questions: questions.filter(({ argument }) => argument.uri === uri),
    ...(deviceFunctions.length === 0 ? {} : { deviceFunctions }),
    ...(variables.length === 0 ? {} : { variables }),
    ...(isCuda && dialect.relocatableDeviceCode ? { constantMemory: summarizeConstantMemory(facts) } : {}),
  };
}

function summarizeKernel(declaration: FunctionDeclaration): KernelSummary {
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
    parameters: declaration.parameters.map(summarizeParameter),
  };
}

function launchBoundsOf({ launchBounds }: FunctionDeclaration): Pick<KernelSummary, "launchBounds"> {
  const values = (launchBounds?.values ?? []).filter((value) => value !== undefined);
  if (launchBounds === undefined || values.length === 0 || values.length !== launchBounds.values.length) return {};
  return { launchBounds: { values, location: launchBounds.place.unit.view.origin(launchBounds.place.span).location } };
}

function summarizeParameter(parameter: ParameterDeclaration): KernelParameterSummary {
  const { symbol, place } = parameter;
  const { view } = place.unit;
  const whole = view.origin(place.span);
  const name = symbol.name === "" ? undefined : view.origin(symbol.place.span);
  const word = parameter.words.find(({ text }) => text === "__grid_constant__");
  const isPlain = parameter.writtenType.kind !== "array" && parameter.writtenType.kind !== "reference";
  const annotation = word === undefined ? undefined : word.place.unit.view.origin(word.place.span);
  return {
    name: symbol.name,
    isConst: symbol.type.qualifiers.const,
    isGridConstant: word !== undefined,
    location: whole.location,
    nameLocation: isPlain && name?.exact === true ? name.location : undefined,
    ...(annotation === undefined ? {} : { annotation: annotationOf(annotation) }),
  };
}

function annotationOf({ location, macro, exact }: Origin): NonNullable<KernelParameterSummary["annotation"]> {
  const spelling = macro?.name ?? "__grid_constant__";
  return {
    location,
    spelling,
    isExact: exact || macro !== undefined,
    ...(macro?.definition === undefined ? {} : { definition: macro.definition }),
  };
}
