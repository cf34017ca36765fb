/**
 * The context that the walkers pass along: where they are (unit, scope, function), under which dialect, and where facts go.
 * Contexts are values; entering a scope creates a new one.
 */
import type { Dialect } from "../../dialect.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { ViewSpan } from "../../source.ts";
import type { FunctionItem, Item } from "../../syntax/ast.ts";
import type { Scope } from "../symbols/scope.ts";
import { createScope } from "../symbols/scope.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, RecordSymbol, TypedefSymbol, VariableSymbol } from "../types/symbols.ts";
import type { FunctionType, ImplicitSpaceQualifiers, TemplateValue, Type } from "../types/types.ts";
import type { Evaluator } from "./evaluator.ts";
import type {
  AccessFact,
  AssemblyFact,
  CallFact,
  ComponentFact,
  ConstObjectFact,
  ConversionFact,
  DefaultedObjectFact,
  InstantiationFact,
  NoMatchFact,
  OpaqueTypeFact,
  OperandsFact,
  ReferenceFact,
  RuntimeArgumentFact,
  SideCallFact,
  SpaceFact,
  SpecifierWordFact,
  StrayAttributeFact,
  VariableFact,
} from "./facts.ts";
import type {
  DoubleFact,
  DoubleLiteralFact,
  FeatureFact,
  FunctionPointerFact,
  HalfFact,
  RedeclarationFact,
  RestrictFact,
  VariableLengthFact,
} from "./opencl-facts.ts";
import type { RecordedWalks } from "./recorded-walks.ts";
import type { Returned } from "./result-objects.ts";

/** Facts while they are being collected. */
export interface FactSink {
  readonly conversions: ConversionFact[];
  readonly operands: OperandsFact[];
  readonly accesses: AccessFact[];
  readonly calls: CallFact[];
  readonly assembly: AssemblyFact[];
  readonly hostCalls: SideCallFact[];
  readonly deviceCalls: SideCallFact[];
  readonly sharedCalls: Pick<SideCallFact, "callee" | "within">[];
  readonly returns: Returned[];
  readonly noMatches: NoMatchFact[];
  readonly variables: VariableFact[];
  readonly instantiatedVariables: VariableFact[];
  readonly constants: VariableSymbol[];
  readonly functions: FunctionSymbol[];
  readonly records: RecordSymbol[];
  readonly typedefs: TypedefSymbol[];
  readonly words: SpecifierWordFact[];
  readonly strayAttributes: StrayAttributeFact[];
  readonly redeclarations: RedeclarationFact[];
  readonly spaces: SpaceFact[];
  readonly opaqueTypes: OpaqueTypeFact[];
  readonly features: FeatureFact[];
  readonly halves: HalfFact[];
  readonly doubles: DoubleFact[];
  readonly doubleLiterals: DoubleLiteralFact[];
  readonly restricts: RestrictFact[];
  readonly variableLengths: VariableLengthFact[];
  readonly functionPointers: FunctionPointerFact[];
  readonly enabledExtensions: string[];
  readonly references: ReferenceFact[];
  readonly components: ComponentFact[];
  readonly unread: Place[];
  readonly undecided: Place[];
  readonly constObjects: ConstObjectFact[];
  readonly defaultedObjects: DefaultedObjectFact[];
  readonly instantiations: InstantiationFact[];
  readonly runtimeArguments: RuntimeArgumentFact[];
}

/** A sink without facts. */
export function emptySink(): FactSink {
  return {
    conversions: [],
    operands: [],
    accesses: [],
    calls: [],
    assembly: [],
    hostCalls: [],
    deviceCalls: [],
    sharedCalls: [],
    returns: [],
    noMatches: [],
    variables: [],
    instantiatedVariables: [],
    functions: [],
    records: [],
    typedefs: [],
    words: [],
    strayAttributes: [],
    references: [],
    components: [],
    unread: [],
    undecided: [],
    constObjects: [],
    defaultedObjects: [],
    instantiations: [],
    runtimeArguments: [],
    redeclarations: [],
    spaces: [],
    opaqueTypes: [],
    features: [],
    halves: [],
    doubles: [],
    doubleLiterals: [],
    restricts: [],
    variableLengths: [],
    functionPointers: [],
    enabledExtensions: [],
    constants: [],
  };
}

/** An empty sink that shares with another what is declared, and which extensions are enabled. */
export function sinkBeside({ functions, constants, redeclarations, enabledExtensions }: FactSink): FactSink {
  return { ...emptySink(), functions, constants, redeclarations, enabledExtensions };
}

/** No expressions that have been counted. */
export const newCounts = (): Program["counts"] => ({ expressions: 0, unknown: 0 });

/** No templates that have been instantiated. */
export const newInstantiations = (): Program["instantiations"] => ({ depth: 0, count: 0, bodies: [], classes: [] });

/** An instantiation of a function template. */
export interface FunctionInstance {
  readonly declaration: FunctionDeclaration;
  readonly arguments: readonly TemplateValue[];
  /** The template's parameters as they are in the instantiation; a pack occurs once for each of its elements. */
  readonly parameters: InstantiationFact["parameters"];
  readonly type: FunctionType;
  /** The context of the template's text, in which its parameters stand for the arguments. */
  readonly context: Context;
  /** C++ for OpenCL: the arguments' address spaces contradict the text, so the instantiation does not exist. */
  readonly isImpossible?: true;
}

/** The body of a function template, to be walked with its arguments. */
export interface InstantiatedBody {
  readonly template: FunctionSymbol;
  readonly instance: FunctionInstance;
  readonly instantiation: InstantiationFact;
  /** Only a definition before this time counts. */
  readonly before?: number;
}

/** An instantiation of a class template with address spaces among its arguments, which something needs to be complete. */
export interface InstantiatedClass {
  readonly record: RecordSymbol;
  readonly place: Place;
}

/** A function's body that is walked later, with the names that are visible at its place. */
export interface DeferredBody {
  readonly context: Context;
  readonly declaration: FunctionDeclaration;
  readonly item: FunctionItem;
}

/** The extensions that pragmas enable, each with whether a pragma has disabled it before. */
export interface ExtensionState {
  isHalfEnabled: boolean;
  isHalfSwitchedOff: boolean;
  isDoubleEnabled: boolean;
  isDoubleSwitchedOff: boolean;
}

/** The state of one translation unit's analysis. */
export interface Program {
  readonly dialect: Dialect;
  readonly facts: FactSink;
  readonly program: Scope;
  readonly evaluator: Evaluator;
  /** The items of a language's own declarations, parsed once per text; see `builtins/`. */
  readonly parseBuiltin: (text: string) => { readonly items: readonly Item[]; readonly unit: Unit };
  /** Builtin functions bound so far; an empty list means that the language has none of that name. */
  readonly builtins: Map<string, readonly FunctionSymbol[]>;
  /** OpenCL: whether `cl_khr_fp16` and `cl_khr_fp64` are enabled at this point of the text, or may be. */
  readonly state: ExtensionState;
  /** For the statistics: how many expressions were evaluated, and how many have no type. */
  readonly counts: { expressions: number; unknown: number };
  /** Whether all declarations so far could be read; otherwise a set of overloads may be incomplete. `endedAt`: where the budget ran out. */
  readonly reading: { isPartial: boolean; endedAt: Place | undefined };
  /** The depth and the number of template instantiations, which are both limited, and the functions whose bodies wait. */
  readonly instantiations: { depth: number; count: number; readonly bodies: InstantiatedBody[]; readonly classes: InstantiatedClass[] };
  /** What walking the statements of the present body has recorded; absent for a short body. */
  readonly walks?: RecordedWalks | undefined;
  /** OpenCL C: the qualifiers of pointees without a written address space, if they are kept open for several standards. */
  readonly implicitSpace?: ImplicitSpaceQualifiers | undefined;
  /** Reads the body of a function in a header, of which trees have the declarations only; without it trees have all bodies. */
  readonly bodyOf?: ((declaration: FunctionDeclaration) => FunctionItem["body"]) | undefined;
  /** Bodies that are to be walked later; without this list they are walked in place. */
  readonly bodies?: DeferredBody[] | undefined;
}

/** The position of a walker. */
export interface Context {
  readonly program: Program;
  readonly dialect: Dialect;
  readonly unit: Unit;
  readonly scope: Scope;
  /** Facts are recorded. False in headers other than the checked file, and in unevaluated operands. */
  readonly isEmitting: boolean;
  readonly isBuiltin: boolean;
  /**
   * The number of lambdas in each other whose result types are deduced here. Only the type of the expression matters then: it is walked
   * again for its facts, and bodies of lambdas in it wait for that.
   */
  readonly deducing?: number;
  /** In the operand of `sizeof`, no object is accessed, but conversions must be valid. */
  readonly isUnevaluated?: boolean;
  /** The parameters of an enclosing template are not bound to arguments. */
  readonly isTemplate: boolean;
  /** In the text of a generic lambda: its parameters are not bound to arguments. Calls of the other side are judged there all the same. */
  readonly isGeneric?: boolean;
  /** In the text of a template: a branch of `if constexpr`, which compilers judge only if an instantiation keeps it. */
  readonly mayBeDiscarded?: true;
  /** A template's text is read with its arguments, so code discarded by `if constexpr` may be wrong. */
  readonly isInstance?: true;
  /** Directly after `extern "C"`, without braces. */
  readonly isLinked?: true;
  /** Inside a declaration whose head could not be read. */
  readonly isUncertain?: true;
  readonly within: FunctionSymbol | undefined;
  /** In the declaration of a member function, after its parameters: the target of `this`. */
  readonly object?: Type;
  /** The declaration of `within` that has this body. */
  readonly definition?: FunctionDeclaration;
  readonly lambda: FunctionSymbol | undefined;
  /** The variable whose initializer is being evaluated. */
  readonly initializing?: VariableSymbol | undefined;
  /** The value initializes a member of an aggregate. */
  readonly isMember?: boolean;
  /** The number of blocks around this one in the function. */
  readonly depth: number;
  /** The type that `return` converts to; undefined outside of functions and if it is unknown. */
  readonly resultType: Type | undefined;
  /** Bodies of member functions wait here until the outermost enclosing class is complete (C++17 §6.3.7p1). */
  readonly deferred: (() => void)[] | undefined;
}

/** The part of a context outside of functions, classes and templates. */
export const outermost = {
  isTemplate: false,
  within: undefined,
  lambda: undefined,
  depth: 0,
  resultType: undefined,
  deferred: undefined,
} as const satisfies Partial<Context>;

/** The place of a span in the unit that is being walked. */
export function placeOf(context: Context, span: ViewSpan): Place {
  return { unit: context.unit, span };
}

/** The View's text at a place. */
export function textOf(place: Place): string {
  return place.unit.view.text.slice(place.span.start, place.span.end);
}

/** The context inside of a new block. */
export function enterBlock(context: Context): Context {
  return { ...context, scope: createScope("block", context.scope), depth: context.depth + 1 };
}

/** True for HIP, whose compiler is clang. */
export function isHip({ dialect }: Context): boolean {
  return dialect.language === "cuda" && dialect.hip;
}

/** True for OpenCL C and C++ for OpenCL. */
export function isOpenCL(context: Context): boolean {
  return context.dialect.language === "opencl";
}

/**
 * True in the text of a template, if nvcc compiles it. Of that text it does not judge writes, nor the conversions by `return` and `new`;
 * it judges them in instances. clang judges both.
 */
export function isInstantiatedOnly({ isTemplate, isGeneric, dialect }: Context): boolean {
  return (isTemplate || isGeneric === true) && dialect.language === "cuda" && !dialect.hip;
}
