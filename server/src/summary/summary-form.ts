/** The form of summaries that come from a file: the cache, or another machine. */
import { either, type Form, isCount, isFlag, isNumber, isText, listOf, object, oneOf, optional } from "../forms.ts";
import type { AddressSpace } from "../qualifiers.ts";
import type { ExecutionSpaces } from "../semantics/types/symbols.ts";
import type { Location, SourceSpan } from "../source.ts";
import type {
  AnnotationSummary,
  CalleeSummary,
  ConstantMemorySummary,
  DeviceFunctionSummary,
  EffectSummary,
  FunctionSummary,
  KernelParameterSummary,
  KernelSummary,
  NarrowedSummary,
  PassSummary,
  PointerSummary,
  PrototypeSummary,
  QuestionSummary,
  Summary,
  VariableSummary,
} from "./summary.ts";

const isSpan: Form<SourceSpan> = (value): value is SourceSpan => hasEnds(value) && value.start <= value.end;
const hasEnds = object<{ start: number; end: number }>({ start: isCount, end: isCount });

/** A place in a file. */
export const isLocation = object<Location>({ uri: isText, span: isSpan });

const isMacro = { spelling: isText, includesConst: isFlag };
const isAnnotation = object<AnnotationSummary>({
  location: isLocation,
  style: object<AnnotationSummary["style"]>({ ...isMacro, order: oneOf("after-const", "before-const", "before-name") }),
  removal: optional(isLocation),
  definition: optional(isLocation),
});
const isParameter = object<KernelParameterSummary>({
  name: isText,
  isGridConstant: isFlag,
  location: optional(isLocation),
  isClass: optional(oneOf(true)),
  slots: optional(
    object<NonNullable<KernelParameterSummary["slots"]>>({
      whole: isLocation,
      written: optional(isLocation),
      name: optional(isLocation),
      needsConst: isFlag,
      isPointer: isFlag,
    }),
  ),
  macros: optional(listOf(object<NonNullable<KernelParameterSummary["macros"]>[number]>(isMacro))),
  isModified: optional(oneOf(true)),
  annotation: optional(isAnnotation),
});
const isKernel = object<KernelSummary>({
  qualifiedName: isText,
  signature: optional(isText),
  isInternal: isFlag,
  isDefinition: isFlag,
  isTemplate: isFlag,
  role: oneOf("primary", "specialization", "instantiation"),
  location: isLocation,
  entity: isLocation,
  launchBounds: optional(object<NonNullable<KernelSummary["launchBounds"]>>({ values: listOf(isNumber), location: isLocation })),
  parameters: listOf(isParameter),
});

const isEffect: Form<EffectSummary> = either(
  object<Extract<EffectSummary, { kind: "write" }>>({ kind: oneOf("write"), location: isLocation, member: optional(isText) }),
  object<Extract<EffectSummary, { kind: "store" }>>({ kind: oneOf("store"), location: isLocation }),
);
const passMembers = { callee: object<CalleeSummary>({ key: optional(isText), definition: optional(isLocation) }), index: isNumber };
const isPass = object<PassSummary>(passMembers);
const isSpace: Form<AddressSpace> = (value): value is AddressSpace => isText(value);
const isNarrowed = object<NarrowedSummary>({ name: isText, space: isSpace, location: isLocation });
const isFunction = object<FunctionSummary>({
  key: optional(isText),
  definition: isLocation,
  parameters: listOf(
    object<FunctionSummary["parameters"][number]>({
      index: isNumber,
      effects: listOf(isEffect),
      passes: listOf(isPass),
      narrowed: optional(isNarrowed),
    }),
  ),
});
const isQuestion = object<QuestionSummary>({
  ...passMembers,
  rule: isText,
  object: isText,
  declaration: isLocation,
  name: isText,
  argument: isLocation,
  spaces: optional(listOf(isSpace)),
});

const isPointer = object<PointerSummary>({
  type: isText,
  levels: listOf(object<PointerSummary["levels"][number]>({ space: optional(isSpace), isConst: isFlag, isVolatile: isFlag })),
  location: isLocation,
  before: optional(isLocation),
  space: optional(object<NonNullable<PointerSummary["space"]>>({ location: isLocation, isShort: isFlag })),
  const: optional(isLocation),
});
const isNull: Form<null> = (value): value is null => value === null;
const isPrototype = object<PrototypeSummary>({
  name: isText,
  isDefinition: isFlag,
  isCalled: optional(oneOf(true)),
  location: isLocation,
  parameters: listOf(either(isNull, isPointer)),
});
const isDeviceFunction = object<DeviceFunctionSummary>({
  name: isText,
  signature: isText,
  execution: object<ExecutionSpaces>({ kernel: isFlag, device: isFlag, host: isFlag }),
  isCalledByHost: optional(oneOf(true)),
  isDefinition: isFlag,
  location: isLocation,
});
const isVariable = object<VariableSummary>({
  name: isText,
  qualifiedName: isText,
  space: oneOf("device", "constant", "shared", "managed", "host"),
  type: isText,
  isDefinition: isFlag,
  location: isLocation,
});
const isConstantMemory = object<ConstantMemorySummary>({
  entries: listOf(object<ConstantMemorySummary["entries"][number]>({ name: isText, size: isNumber, location: isLocation })),
  defines: listOf(isText),
  needs: listOf(isText),
});

/** A summary of one file. */
export const isSummary = object<Summary>({
  uri: isText,
  files: listOf(isText),
  kernels: listOf(isKernel),
  functions: listOf(isFunction),
  questions: listOf(isQuestion),
  prototypes: optional(listOf(isPrototype)),
  deviceFunctions: optional(listOf(isDeviceFunction)),
  variables: optional(listOf(isVariable)),
  constantMemory: optional(isConstantMemory),
});
