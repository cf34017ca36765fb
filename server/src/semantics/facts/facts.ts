/**
 * What rules see: plain statements about the program, emitted by one pass over a translation unit. A fact never holds a
 * parser node, and its types are final: `unknown` in a fact means that a rule must stay silent about it. Facts inside
 * templates are about what holds for every argument.
 */
import type { AddressSpace, GpuWord, ImageAccess } from "../../qualifiers.ts";
import type { Expression } from "../../syntax/ast.ts";
import type { Verdict } from "../types/conversion-rules.ts";
import type {
  FunctionDeclaration,
  FunctionSymbol,
  ParameterDeclaration,
  Place,
  PlacedWord,
  RecordSymbol,
  TypedefSymbol,
  VariableSymbol,
} from "../types/symbols.ts";
import type { Type } from "../types/types.ts";

/** How a conversion came about. */
export type ConversionContext = "initialize" | "assign" | "pass" | "return" | "cast";

/** A value of one type becomes another. Only conversions between pointers, references, arrays, and pointers ↔ integers are facts. */
export interface ConversionFact {
  readonly context: ConversionContext;
  readonly from: Type;
  readonly to: Type;
  readonly verdict: Verdict;
  /** The operand, or for a cast the whole cast expression. */
  readonly place: Place;
  readonly operand: Expression;
  readonly operandPlace: Place;
  /** Of a cast: `(T)` is "c-style"; else the keyword. Absent for implicit conversions. */
  readonly cast?: string;
  /** Of a cast: the type-id. */
  readonly typePlace?: Place;
  /** Of a cast: the qualifying words of the type-id's specifiers. */
  readonly typeWords?: readonly PlacedWord[];
  /** The variable initialized or assigned, the parameter passed to, the function returned from, where known. */
  readonly target: VariableSymbol | ParameterDeclaration | FunctionDeclaration | undefined;
  readonly isNullConstant: boolean;
  /** Which object the operand is a pointer to, or which object a reference binds to, where that is known. */
  readonly path?: AccessPath;
  /** The operand is a pointer to memory that this function of the host's heap has just given: `malloc`, `new`. */
  readonly heap?: string;
  /** Of an operand `c ? p : q`: what each of them is. */
  readonly alternatives?: readonly { readonly type: Type; readonly path: AccessPath | undefined }[];
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol;
  /** In a template's body: the instantiation in which this holds, where it does not hold in all. */
  readonly instantiation?: InstantiationFact;
}

/** Two operands meet: comparison, subtraction, `?:`. Both are pointers. */
export interface OperandsFact {
  /** `==`, `<`, `-`, `?:` … */
  readonly operator: string;
  readonly left: Type;
  readonly right: Type;
  readonly place: Place;
  /** Where the operator (of `?:` the question mark) stands; clang reports there. */
  readonly operatorPlace: Place;
  /** An operand is wrong by itself, and that is said there. */
  readonly isConsequence?: true;
  readonly within: FunctionSymbol | undefined;
}

/** What an lvalue is a part of, from the outside in: `p->a[i].x` is root p, steps arrow a, index, member x. */
export interface AccessPath {
  /** Undefined for the object that `this` points to. */
  readonly root: VariableSymbol | undefined;
  readonly steps: readonly AccessStep[];
}

/** One step from a variable to the part of it that is accessed. */
export type AccessStep =
  /** Of an object whose type is not known there is only the member's name. */
  | { readonly kind: "member"; readonly member: VariableSymbol | undefined; readonly name: string }
  /** `isConstant`: its value is known before the program runs, or is a template's argument. */
  | { readonly kind: "index"; readonly index: Expression; readonly isConstant: boolean }
  /** `*` or `->` or a subscript of a pointer: from here on it is another object. */
  | { readonly kind: "dereference" }
  /** `&x`, or an array that became a pointer to its element: always last, a dereference takes it back. */
  | { readonly kind: "address" };

/** An object is read or written, or its address is taken. */
export interface AccessFact {
  readonly mode: "read" | "write" | "read-write" | "address" | "bind";
  readonly type: Type;
  readonly path: AccessPath;
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  /** The lambda that encloses it, if any. */
  readonly lambda?: FunctionSymbol;
  /** An argument of a function about which too little is known: whether it is read or bound to a reference is open. */
  readonly isUncertain?: boolean;
  /** What a block copied of a variable that is not const itself. */
  readonly isCopy?: true;
  /** A part of a vector that `->` names, whose qualifiers compilers overlook. */
  readonly isOverlooked?: true;
  /** The variable in whose initializer it stands. */
  readonly initializes?: VariableSymbol;
  /** Of a write by `=`: the right operand. */
  readonly assigned?: Place;
  /** Of a write by `=` or a compound assignment: the operator and the right operand. */
  readonly assignment?: { readonly operator: string; readonly value: Expression };
  /** In a template's body: the instantiation in which this holds, where it does not hold in all. */
  readonly instantiation?: InstantiationFact;
}

/** An argument of a call. */
export interface CallArgument {
  readonly expression: Expression;
  readonly type: Type;
  readonly path: AccessPath | undefined;
  readonly place: Place;
  /** The value of an integer constant expression. */
  readonly value?: bigint;
  /** The types whose `sizeof` is part of it. */
  readonly measured?: readonly Type[];
  /** As in a conversion. */
  readonly heap?: string;
}

/** A function is called, or a kernel launched. */
export interface CallFact {
  readonly callee: FunctionSymbol | undefined;
  /** As written, qualified; empty for an expression. */
  readonly name: string;
  readonly arguments: readonly CallArgument[];
  readonly launch: readonly Expression[] | undefined;
  /** Of a member function's call: the object that it is called on. */
  readonly object?: { readonly type: Type; readonly path: AccessPath | undefined; readonly place: Place };
  /** Some template arguments were written: parameters may have other types than the arguments. */
  readonly hasTemplateArguments?: boolean;
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol;
}

/** A call to an overloaded function, none of whose candidates takes the arguments although all argument types are known. */
export interface NoMatchFact {
  readonly name: string;
  readonly candidates: readonly FunctionSymbol[];
  readonly arguments: readonly {
    readonly type: Type;
    readonly place: Place;
    /** Of a candidate that takes all arguments but for const and volatile: the parameter that this one does not fit. */
    readonly rejectedBy?: Type;
  }[];
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  /** A template's: address spaces are all that keeps the arguments from agreeing about it. */
  readonly isDeduction?: true;
  /** Templates': the address spaces in the arguments that are written for them contradict what they say. */
  readonly isSubstitution?: true;
}

/** A variable is declared. */
export interface VariableFact {
  readonly variable: VariableSymbol;
  /** Of what a template declares: the instantiation that gives it this type. */
  readonly instantiation?: Asked;
  /** Of a variable that must be initialized before the program runs: the part of its initializer that cannot be. */
  readonly runtimePart?: Place;
}

/** A word where no declaration of that kind may have it, or that stands on something that is not a variable. */
export interface PlacedWordFact {
  readonly word: PlacedWord & { readonly text: GpuWord | "address_space" };
  readonly on:
    | "variable"
    | "parameter"
    | "member"
    | "function"
    | "return-type"
    | "lambda"
    | "typedef"
    | "record"
    | "template-parameter"
    | "structured-binding"
    | "cast"
    | "new"
    | "type";
  readonly parameter?: ParameterDeclaration;
  readonly function?: FunctionDeclaration;
  readonly variable?: VariableSymbol;
  readonly type?: Type;
}

/** A name in an expression, and the one thing that it stands for. */
export interface ReferenceFact {
  readonly symbol: VariableSymbol | FunctionSymbol;
  /** The last part of the name. */
  readonly place: Place;
}

/** An address space where none may be written, or where the standard in force has none. */
export type SpaceFact =
  /** A type that has a space already gets another word; `first` is the space that counts. */
  | { readonly kind: "second-space"; readonly word: PlacedWord; readonly first: AddressSpace; readonly instantiation?: Asked }
  /** `__generic` without the generic address space. */
  | {
      readonly kind: "unsupported-generic";
      readonly word: PlacedWord /** Behind a `*`, where compilers overlook it. */;
      readonly isOverlooked?: true;
    }
  /** `(global int[]){ … }` inside a function. */
  | { readonly kind: "compound-literal"; readonly space: AddressSpace; readonly place: Place }
  /** A parameter of a type: of a block's, of what a pointer to a function points to. */
  | { readonly kind: "inner-parameter"; readonly name: string; readonly space: AddressSpace; readonly place: Place }
  /** The sizes of two pointers, to different spaces, are compared. */
  | { readonly kind: "pointer-sizes"; readonly left: AddressSpace; readonly right: AddressSpace; readonly place: Place }
  /** C++ for OpenCL: no overload of the member function takes an object that is in this space. */
  | {
      readonly kind: "method-object";
      /** Undefined for a lambda that is called where it stands. */
      readonly name: string | undefined;
      readonly object: AddressSpace;
      readonly needed: readonly AddressSpace[];
      readonly place: Place;
    }
  /** C++ for OpenCL: an object is copied from a space in which no copying function of its class can refer to it. */
  | { readonly kind: "object-copy"; readonly record: RecordSymbol; readonly space: AddressSpace; readonly place: Place }
  /** A reserved word stands where only a name can; where a declaration ends with it, `int local;`, it declares nothing. */
  | { readonly kind: "reserved-name"; readonly word: PlacedWord; readonly as: "name" | "nothing" | "macro" };

/** What an image, a sampler, an event, a queue, a pipe, an atomic object or a block is asked to be or to do, and cannot. */
export type OpaqueTypeFact =
  /** An access qualifier on what is neither image nor pipe, a second one, or `read_write` on a pipe. */
  | {
      readonly kind: "access-qualifier";
      readonly problem: "no-image" | "second" | "pipe-both-ways";
      readonly word: PlacedWord;
      readonly type: Type;
      readonly first?: ImageAccess;
    }
  /** An operand of an operator that its type does not have. `place` is the operator's, or the whole expression. */
  | { readonly kind: "operator"; readonly operator: string; readonly type: Type; readonly place: Place }
  /** Something is done if this is true, but it is neither true nor false. */
  | { readonly kind: "condition"; readonly type: Type; readonly place: Place }
  /** A value that does not become another; `variable` where it is one. */
  | {
      readonly kind: "conversion";
      readonly context: ConversionContext;
      readonly from: Type;
      readonly to: Type;
      readonly place: Place;
      readonly variable?: VariableSymbol;
    }
  /** A block uses a variable of the function around it in a way that a copy does not allow. */
  | { readonly kind: "capture"; readonly what: "block" | "address"; readonly variable: VariableSymbol; readonly place: Place }
  /** No overload of a builtin takes an image with this access, although one takes it otherwise. */
  | {
      readonly kind: "image-access";
      readonly name: string;
      readonly type: Type;
      readonly place: Place;
      readonly variable?: VariableSymbol;
    };

/** OpenCL: a type, `pipe`, `block` or `read_write` that the standard in force does not have, where it is written. */
export interface FeatureFact {
  readonly name: string;
  readonly place: Place;
}

/** OpenCL C: `half` is computed with where `cl_khr_fp16` is not on (OpenCL C 3.0 §6.3.1.6). */
export interface HalfFact {
  readonly use: "declaration" | "literal" | "cast" | "load" | "store";
  readonly place: Place;
  /** A pragma before it switches the extension off. */
  readonly isSwitchedOff?: true;
}

/** A value parameter of a function template gets an argument that reads a variable whose value only the running program knows. */
export interface RuntimeArgumentFact {
  readonly template: FunctionSymbol;
  /** The template parameter. */
  readonly parameter: string;
  readonly variable: VariableSymbol;
  /** The variable's name in the argument. */
  readonly place: Place;
}

/** A function template is launched, called, named or instantiated, with these arguments. */
export interface InstantiationFact {
  readonly template: FunctionSymbol;
  /** `k<S, 3>`; only the name where not all arguments are known. */
  readonly name: string;
  /** What the template's parameters become; a pack's has as many entries as the pack has elements. */
  readonly parameters: readonly InstantiatedParameter[];
  /** Where it is asked for. */
  readonly place: Place;
}

/** What an instantiation is called, and where it is asked for. */
export type Asked = Pick<InstantiationFact, "name" | "place">;

/** A parameter as an instantiation has it. */
export interface InstantiatedParameter {
  readonly of: ParameterDeclaration;
  /** Unknown where the arguments are not known. */
  readonly type: Type;
  /** It is a template parameter's type, and that was deduced from a value: so it is neither const nor a reference (C++17 §17.8.2.1p2). */
  readonly isDeduced?: true;
}

/** OpenCL: a pointer or reference to a function where its declarator makes it, or a function that is not called. */
export interface FunctionPointerFact {
  readonly kind: "pointer" | "reference" | "address";
  readonly place: Place;
}

/** OpenCL: a function is declared again, and the two declarations cannot be of one function although the language has no overloads here. */
export interface RedeclarationFact {
  readonly declaration: FunctionDeclaration;
  readonly previous: FunctionDeclaration;
}

/** Everything that one file says, under one dialect. */
export interface Facts {
  readonly conversions: readonly ConversionFact[];
  readonly operands: readonly OperandsFact[];
  readonly accesses: readonly AccessFact[];
  readonly calls: readonly CallFact[];
  readonly noMatches: readonly NoMatchFact[];
  /** Variables of every scope, parameters and members included, in order. */
  readonly variables: readonly VariableFact[];
  /**
   * Variables that templates declare, as each instantiation has them. CUDA: those of static storage duration in bodies. OpenCL:
   * all in bodies, and members and parameters of classes to which an argument gives an address space.
   */
  readonly instantiatedVariables: readonly VariableFact[];
  /** CUDA: what the whole translation unit, headers included, declares in constant memory at namespace scope, in order; and what its functions do. */
  readonly constants: readonly VariableSymbol[];
  /** Each function with all its declarations, specializations and instantiations in this translation unit. */
  readonly functions: readonly FunctionSymbol[];
  readonly records: readonly RecordSymbol[];
  readonly typedefs: readonly TypedefSymbol[];
  readonly words: readonly PlacedWordFact[];
  readonly references: readonly ReferenceFact[];
  /** Topmost parts of the file that could not be read: what stands there may change what is around it. */
  readonly unread: readonly Place[];
  /** Branches of `if constexpr` outside of templates, of `?:`, `&&` and `||`, whose condition nobody here can evaluate: they may be discarded. */
  readonly undecided: readonly Place[];
  /** Each set of arguments once, in the order in which they are asked for. */
  readonly instantiations: readonly InstantiationFact[];
  readonly runtimeArguments: readonly RuntimeArgumentFact[];
  /** OpenCL only. */
  readonly redeclarations: readonly RedeclarationFact[];
  readonly spaces: readonly SpaceFact[];
  readonly features: readonly FeatureFact[];
  readonly halves: readonly HalfFact[];
  readonly functionPointers: readonly FunctionPointerFact[];
  /** Names that pragmas switch on somewhere; `all` where a header is missing that might. */
  readonly enabledExtensions: readonly string[];
  /** OpenCL C only. */
  readonly opaqueTypes: readonly OpaqueTypeFact[];
}
