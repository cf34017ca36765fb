/**
 * What the walkers carry along: where they are (unit, scope, function), in which dialect, and where facts go. Contexts are
 * values; entering a scope makes a new one.
 */
import type { Dialect } from "../dialect.ts";
import type { Unit } from "../preprocess/view.ts";
import type { Span } from "../source.ts";
import type { Item } from "../syntax/ast.ts";
import type {
  AccessFact,
  CallFact,
  ConversionFact,
  FeatureFact,
  FunctionPointerFact,
  HalfFact,
  HandleFact,
  InstantiationFact,
  NoMatchFact,
  OperandsFact,
  PlacedWordFact,
  ReferenceFact,
  RuntimeArgumentFact,
  SpaceFact,
  VariableFact,
} from "./facts.ts";
import type { FunctionInstance } from "./function-templates.ts";
import type { Scope } from "./scope.ts";
import { createScope } from "./scope.ts";
import type { FunctionSymbol, Place, RecordSymbol, TypedefSymbol, VariableSymbol } from "./symbols.ts";
import type { Type } from "./types.ts";

/** Facts while they are collected. */
export interface FactSink {
  readonly conversions: ConversionFact[];
  readonly operands: OperandsFact[];
  readonly accesses: AccessFact[];
  readonly calls: CallFact[];
  readonly noMatches: NoMatchFact[];
  readonly variables: VariableFact[];
  readonly instantiatedExterns: VariableFact[];
  readonly constants: VariableSymbol[];
  readonly functions: FunctionSymbol[];
  readonly records: RecordSymbol[];
  readonly typedefs: TypedefSymbol[];
  readonly words: PlacedWordFact[];
  readonly spaces: SpaceFact[];
  readonly handles: HandleFact[];
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

export function emptySink(): FactSink {
  return {
    conversions: [],
    operands: [],
    accesses: [],
    calls: [],
    noMatches: [],
    variables: [],
    instantiatedExterns: [],
    functions: [],
    records: [],
    typedefs: [],
    words: [],
    references: [],
    unread: [],
    undecided: [],
    instantiations: [],
    runtimeArguments: [],
    spaces: [],
    handles: [],
    features: [],
    halves: [],
    functionPointers: [],
    enabledExtensions: [],
    constants: [],
  };
}

/** A function template's body that is read again with arguments. */
export interface InstantiatedBody {
  readonly template: FunctionSymbol;
  readonly instance: FunctionInstance;
  readonly instantiation: InstantiationFact;
}

/** State of one translation unit's analysis. */
export interface Program {
  readonly dialect: Dialect;
  readonly facts: FactSink;
  readonly program: Scope;
  /** The items of a declaration text of the language, parsed once per text; see `builtins/`. */
  readonly parseBuiltin: (text: string) => { readonly items: readonly Item[]; readonly unit: Unit };
  /** Builtin functions bound so far; an empty list means that there is none of that name. */
  readonly builtins: Map<string, readonly FunctionSymbol[]>;
  /** For the understanding of the file: expressions evaluated, and those without a type. */
  /** OpenCL: `cl_khr_fp16` is on at this point of the text, or may be, for all we have seen. */
  readonly state: { isHalfEnabled: boolean };
  readonly counts: { expressions: number; unknown: number };
  /** Whether all declarations so far could be read; else a set of overloads may lack some. */
  readonly reading: { isPartial: boolean };
  /** How deep templates are being instantiated, and how often that was done: both are bounded; and functions whose bodies wait. */
  readonly instantiations: { depth: number; count: number; readonly bodies: InstantiatedBody[] };
}

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
  readonly lambda: FunctionSymbol | undefined;
  /** The variable whose initialiser is evaluated. */
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

export function isOpenCL(context: Context): boolean {
  return context.dialect.language === "opencl";
}
