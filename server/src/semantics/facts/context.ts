/**
 * What the walkers carry along: where they are (unit, scope, function), in which dialect, and where facts go. Contexts are
 * values; entering a scope makes a new one.
 */
import type { Dialect } from "../../dialect.ts";
import type { Unit } from "../../preprocess/view.ts";
import type { Span } from "../../source.ts";
import type { FunctionItem, Item } from "../../syntax/ast.ts";
import type { Scope } from "../symbols/scope.ts";
import { createScope } from "../symbols/scope.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, RecordSymbol, TypedefSymbol, VariableSymbol } from "../types/symbols.ts";
import type { FunctionType, TemplateValue, Type } from "../types/types.ts";
import type { Evaluator } from "./evaluator.ts";
import type {
  AccessFact,
  CallFact,
  ConversionFact,
  FeatureFact,
  FunctionPointerFact,
  HalfFact,
  InstantiationFact,
  NoMatchFact,
  OpaqueTypeFact,
  OperandsFact,
  PlacedWordFact,
  RedeclarationFact,
  ReferenceFact,
  RuntimeArgumentFact,
  SpaceFact,
  VariableFact,
} from "./facts.ts";

/** Facts while they are collected. */
export interface FactSink {
  readonly conversions: ConversionFact[];
  readonly operands: OperandsFact[];
  readonly accesses: AccessFact[];
  readonly calls: CallFact[];
  readonly noMatches: NoMatchFact[];
  readonly variables: VariableFact[];
  readonly instantiatedVariables: VariableFact[];
  readonly constants: VariableSymbol[];
  readonly functions: FunctionSymbol[];
  readonly records: RecordSymbol[];
  readonly typedefs: TypedefSymbol[];
  readonly words: PlacedWordFact[];
  readonly redeclarations: RedeclarationFact[];
  readonly spaces: SpaceFact[];
  readonly opaqueTypes: OpaqueTypeFact[];
  readonly features: FeatureFact[];
  readonly halves: HalfFact[];
  readonly functionPointers: FunctionPointerFact[];
  readonly enabledExtensions: string[];
  readonly references: ReferenceFact[];
  readonly unread: Place[];
  readonly undecided: Place[];
  readonly instantiations: InstantiationFact[];
  readonly runtimeArguments: RuntimeArgumentFact[];
}

/** Facts of which none has been collected yet. */
export function emptySink(): FactSink {
  return {
    conversions: [],
    operands: [],
    accesses: [],
    calls: [],
    noMatches: [],
    variables: [],
    instantiatedVariables: [],
    functions: [],
    records: [],
    typedefs: [],
    words: [],
    references: [],
    unread: [],
    undecided: [],
    instantiations: [],
    runtimeArguments: [],
    redeclarations: [],
    spaces: [],
    opaqueTypes: [],
    features: [],
    halves: [],
    functionPointers: [],
    enabledExtensions: [],
    constants: [],
  };
}

/** A function that a template makes of its arguments. */
export interface FunctionInstance {
  readonly declaration: FunctionDeclaration;
  readonly arguments: readonly TemplateValue[];
  /** Those of the template's parameters that it has, a pack's once for each element. */
  readonly parameters: InstantiationFact["parameters"];
  readonly type: FunctionType;
  /** The text's context, in which its parameters mean the arguments. */
  readonly context: Context;
  /** C++ for OpenCL: the arguments' address spaces contradict the text, so there is no such function. */
  readonly isImpossible?: true;
}

/** A function template's body that is read again with arguments. */
export interface InstantiatedBody {
  readonly template: FunctionSymbol;
  readonly instance: FunctionInstance;
  readonly instantiation: InstantiationFact;
}

/** A class that a template makes of arguments with address spaces, where something needs it complete. */
export interface InstantiatedClass {
  readonly record: RecordSymbol;
  readonly place: Place;
}

/** A function's body that is walked later, among the names of its time. */
export interface DeferredBody {
  readonly context: Context;
  readonly declaration: FunctionDeclaration;
  readonly item: FunctionItem;
}

/** State of one translation unit's analysis. */
export interface Program {
  readonly dialect: Dialect;
  readonly facts: FactSink;
  readonly program: Scope;
  readonly evaluator: Evaluator;
  /** The items of a declaration text of the language, parsed once per text; see `builtins/`. */
  readonly parseBuiltin: (text: string) => { readonly items: readonly Item[]; readonly unit: Unit };
  /** Builtin functions bound so far; an empty list means that there is none of that name. */
  readonly builtins: Map<string, readonly FunctionSymbol[]>;
  /** OpenCL: `cl_khr_fp16` is on at this point of the text, or may be, for all we have seen. */
  readonly state: { isHalfEnabled: boolean; isHalfSwitchedOff: boolean };
  /** For the understanding of the file: expressions evaluated, and those without a type. */
  readonly counts: { expressions: number; unknown: number };
  /** Whether all declarations so far could be read; else a set of overloads may lack some. `endedAt`: where the budget ended. */
  readonly reading: { isPartial: boolean; endedAt: Place | undefined };
  /** How deep templates are being instantiated, and how often that was done: both are bounded; and functions whose bodies wait. */
  readonly instantiations: { depth: number; count: number; readonly bodies: InstantiatedBody[]; readonly classes: InstantiatedClass[] };
  /** Where bodies wait to be walked; without it they are walked where they stand. */
  readonly bodies?: DeferredBody[] | undefined;
}

/** Where a walker is. */
export interface Context {
  readonly program: Program;
  readonly dialect: Dialect;
  readonly unit: Unit;
  readonly scope: Scope;
  /** Facts are wanted: false in headers that are not the file being checked, and in unevaluated operands. */
  readonly isEmitting: boolean;
  readonly isBuiltin: boolean;
  /** In the operand of `sizeof`: nothing happens to objects, but conversions must be allowed all the same. */
  readonly isUnevaluated?: boolean;
  /** Some enclosing template's parameters are open. */
  readonly isTemplate: boolean;
  /** A template's text is read with its arguments: what `if constexpr` discards may be wrong. */
  readonly isInstance?: true;
  /** Directly behind `extern "C"`, without braces. */
  readonly isLinked?: true;
  /** Inside a declaration whose head could not be read. */
  readonly isUncertain?: true;
  readonly within: FunctionSymbol | undefined;
  /** In the declaration of a member function, behind its parameters: what `this` points to. */
  readonly object?: Type;
  /** The declaration of `within` whose body this is. */
  readonly definition?: FunctionDeclaration;
  readonly lambda: FunctionSymbol | undefined;
  /** The variable whose initializer is evaluated. */
  readonly initializing?: VariableSymbol | undefined;
  /** Blocks between here and the function's outermost one. */
  readonly depth: number;
  /** What `return` converts to; undefined outside functions and where it is not known. */
  readonly resultType: Type | undefined;
  /** Bodies of member functions wait here until the outermost enclosing class is complete (C++17 §6.3.7p1). */
  readonly deferred: (() => void)[] | undefined;
}

/** Where no function, class or template is around. */
export const outermost = {
  isTemplate: false,
  within: undefined,
  lambda: undefined,
  depth: 0,
  resultType: undefined,
  deferred: undefined,
} as const satisfies Partial<Context>;

/** The place of a span in the unit that is walked. */
export function placeOf(context: Context, span: Span): Place {
  return { unit: context.unit, span };
}

/** The View's text under a span. */
export function textOf(place: Place): string {
  return place.unit.view.text.slice(place.span.start, place.span.end);
}

/** The same context inside a new block. */
export function enterBlock(context: Context): Context {
  return { ...context, scope: createScope("block", context.scope), depth: context.depth + 1 };
}

/** True for OpenCL C and C++ for OpenCL. */
export function isOpenCL(context: Context): boolean {
  return context.dialect.language === "opencl";
}
