/**
 * The input of rules: plain statements about the program, recorded by one pass over a translation unit. A fact never holds a parser
 * node, and its types are final: a rule must not report a fact with an `unknown` type. Facts in templates are those that hold for
 * every argument. The file is longer than others, because it lists every kind of fact.
 */
import type { AddressSpace, GpuWord, ImageAccess } from "../../qualifiers.ts";
import type { Expression } from "../../syntax/ast.ts";
import type { Verdict } from "../types/conversion-rules.ts";
import type {
  FunctionDeclaration,
  FunctionSymbol,
  ParameterDeclaration,
  Place,
  RecordSymbol,
  SpecifierWord,
  TypedefSymbol,
  VariableSymbol,
} from "../types/symbols.ts";
import type { MemberPointerType, TemplateValue, Type } from "../types/types.ts";
import type { LaunchValue } from "./launch-facts.ts";
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
import type { Returned } from "./result-objects.ts";

/** How a conversion came about. */
export type ConversionContext = "initialize" | "assign" | "pass" | "return" | "cast";

/** A value is converted to another type. Only conversions between pointers, references, arrays, and pointers ↔ integers are facts. */
export interface ConversionFact {
  readonly context: ConversionContext;
  readonly from: Type;
  readonly to: Type;
  readonly verdict: Verdict;
  /** The operand, or the whole cast expression. */
  readonly place: Place;
  readonly operand: Expression;
  readonly operandPlace: Place;
  /** For a cast: `(T)` is "c-style"; otherwise the keyword. Absent for implicit conversions. */
  readonly cast?: string;
  /** For a cast: the type-id. */
  readonly typePlace?: Place;
  /** For a cast: the qualifying words of the type-id's specifiers. */
  readonly typeWords?: readonly SpecifierWord[];
  /** The variable initialized or assigned, the parameter passed to, or the function returned from, if known. */
  readonly target: VariableSymbol | ParameterDeclaration | FunctionDeclaration | undefined;
  readonly isNullConstant: boolean;
  /** The object that the operand points to, or that a reference binds to, if known. */
  readonly path?: AccessPath;
  /** The operand points to memory that this function has just allocated on the host's heap: `malloc`, `new`. */
  readonly heap?: string;
  /** For an operand `c ? p : q`: both of them. */
  readonly alternatives?: readonly { readonly type: Type; readonly path: AccessPath | undefined }[];
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol;
  /** nvcc judges it in instances only: a `return` or a `new` in the text of a template, or its default argument. */
  readonly isOverlooked?: true;
  /** In a template's body: the instantiation in which this holds, if not in all. */
  readonly instantiation?: InstantiationFact;
}

/** Two pointers are operands of a comparison, subtraction or `?:`. */
export interface OperandsFact {
  /** `==`, `<`, `-`, `?:` … */
  readonly operator: string;
  readonly left: Type;
  readonly right: Type;
  readonly place: Place;
  /** The place of the operator (of the question mark in `?:`), where clang reports. */
  readonly operatorPlace: Place;
  /** An operand itself is wrong, and is reported instead. */
  readonly isConsequence?: true;
}

/** The object that an lvalue is part of, and the path to the part: `p->a[i].x` is root p, steps arrow a, index, member x. */
export interface AccessPath {
  /** Undefined for the object that `this` points to. */
  readonly root: VariableSymbol | undefined;
  readonly steps: readonly AccessStep[];
}

/** One step on the path from a variable to the accessed part. */
export type AccessStep =
  /** For an object of unknown type, only the member's name. */
  | { readonly kind: "member"; readonly member: VariableSymbol | undefined; readonly name: string }
  /** `isConstant`: its value is known at compile time, or is a template's argument. */
  | { readonly kind: "index"; readonly index: Expression; readonly isConstant: boolean }
  /** `*`, `->`, or a subscript of a pointer: the following steps are in another object. */
  | { readonly kind: "dereference" }
  /** `&x`, or an array that decays to a pointer: always last; a dereference cancels it. */
  | { readonly kind: "address" };

/** An object is read or written, or its address is taken. */
export interface AccessFact {
  readonly mode: "read" | "write" | "read-write" | "address" | "bind";
  readonly type: Type;
  readonly path: AccessPath;
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  /** The enclosing lambda, if any. */
  readonly lambda?: FunctionSymbol;
  /** An argument of a function that is not known well enough: it may be read, or bound to a reference. */
  readonly isUncertain?: boolean;
  /** A block's copy of a variable that is not const itself. */
  readonly isCopy?: true;
  /** Compilers ignore its qualifiers: a part of a vector accessed by `->`; for nvcc, a write in the text of a template. */
  readonly isOverlooked?: true;
  /** The variable whose initializer contains the access. */
  readonly initializes?: VariableSymbol;
  /** In braces that initialize an aggregate. */
  readonly isMember?: true;
  /**
   * For an access by a default argument or a default member initializer, whose place is the call or the declaration that evaluates it:
   * where the default has the access.
   */
  readonly written?: Place;
  /** For a write by `=`: the right operand. */
  readonly assigned?: Place;
  /**
   * For a write by `=` or a compound assignment: the operator and the right operand. `isOpen`: in a template's body, compilers judge it
   * only where the arguments are known.
   */
  readonly assignment?: { readonly operator: string; readonly value: Expression; readonly isOpen?: true };
  /** C++: an object of class type is const, and no function for the operator accepts that. */
  readonly isRefused?: true;
  /** In a template's body: the instantiation in which this holds, if not in all. */
  readonly instantiation?: InstantiationFact;
}

/** An operator is applied to an object whose const or volatile none of its functions has; `callee` is the first of them. */
export interface ConstObjectFact {
  /** The member function, or the pointer to it through which it is called. */
  readonly callee: FunctionSymbol | MemberPointerType;
  readonly object: Type;
  readonly place: Place;
  /** In a template: the instantiation that makes the object const. */
  readonly instantiation?: InstantiationRequest;
}

/** An argument of a call. */
export interface CallArgument {
  readonly expression: Expression;
  readonly type: Type;
  readonly path: AccessPath | undefined;
  readonly place: Place;
  /** The value of an integer constant expression. */
  readonly value?: bigint;
  /** The types whose `sizeof` its value contains. */
  readonly measured?: readonly Type[];
  /** As in `ConversionFact`. */
  readonly heap?: string;
  /** A lambda, or a variable that holds one, which the callee does not call. */
  readonly isIgnored?: true;
}

/** A function is called, or a kernel launched. */
export interface CallFact {
  readonly callee: FunctionSymbol | undefined;
  /** The qualified name as written; empty for an expression. */
  readonly name: string;
  readonly arguments: readonly CallArgument[];
  readonly launch: readonly Expression[] | undefined;
  /** For a launch: the values between `<<<` and `>>>`. */
  readonly launchValues?: readonly LaunchValue[];
  /** For a launch, and for a kernel that is called without one: the callee as it is written. */
  readonly named?: Place;
  /** For a launch of what is not a kernel, and for a kernel that is called without one: the call certainly means this function. */
  readonly isCertain?: true;
  /** For a launch of a template whose arguments are all known: the instantiation. */
  readonly instance?: Pick<InstantiationFact, "name" | "parameters">;
  /** For a launch of such an instantiation, or through a pointer or reference to a function: the type of its result. */
  readonly result?: Type;
  /** For a call of a member function: the object that it is called on. */
  readonly object?: { readonly type: Type; readonly path: AccessPath | undefined; readonly place: Place };
  /** The call has explicit template arguments, so parameters may have other types than the arguments. */
  readonly hasTemplateArguments?: boolean;
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol;
}

/** CUDA: an `asm` statement with operands, in PTX on the device. */
export interface AssemblyFact {
  /** The text of the literals, with escaped line ends as spaces. */
  readonly text: string;
  /** The outputs, then the inputs, as `%0` counts them. */
  readonly operands: readonly CallArgument[];
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol;
}

/**
 * CUDA: device code calls a function that no declaration so far puts on the device, or host code one that all of them put there alone. A
 * template has them for its instantiations only.
 */
export interface SideCallFact {
  readonly callee: FunctionSymbol;
  readonly as: "call" | "operator" | "conversion" | "constructor" | "destructor";
  /** The number of arguments, without the object. */
  readonly count: number;
  /** For a call by name of a function that is not a template: every argument has the parameter's type. */
  readonly isExact?: boolean;
  /** For a constructor or a destructor that is called for a part of this object. */
  readonly whole?: RecordSymbol;
  /** For a constructor or a destructor that is called for an object as a base of another one. */
  readonly isOfBase?: true;
  /** Where the call is written, if it is made elsewhere: in the initializer of a member whose object is created. */
  readonly written?: Place;
  /** The call copies or destroys this variable. nvcc makes it only if the variable is not the object that the function returns. */
  readonly result?: VariableSymbol;
  /** nvcc does not see that host code makes this call. */
  readonly isOverlooked?: true;
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol;
  /** The variable whose initializer makes the call. */
  readonly initializes?: VariableSymbol;
  readonly instantiation?: InstantiationFact;
}

/** A call of an overloaded function, none of whose candidates accepts the arguments although all of their types are known. */
export interface NoMatchFact {
  readonly name: string;
  readonly candidates: readonly FunctionSymbol[];
  readonly arguments: readonly {
    readonly type: Type;
    readonly place: Place;
    /** The parameter whose missing const or volatile alone rejects the arguments. */
    readonly rejectedBy?: Type;
  }[];
  readonly place: Place;
  /** For a template: deduction fails only because the arguments disagree in address spaces. */
  readonly isDeduction?: true;
  /** For templates: the explicit arguments' address spaces contradict the declarations. */
  readonly isSubstitution?: true;
  /** For templates: the arguments disagree about const or volatile in a template parameter; `index` is the second one's position. */
  readonly contradiction?: { readonly parameter: string; readonly types: readonly [Type, Type]; readonly index: number };
  /** Overloads take the arguments, but pointers to other types than these. */
  readonly isMisfit?: true;
  /** In a template: the instantiation in which no function accepts the arguments. */
  readonly instantiation?: InstantiationRequest;
}

/** A variable is declared. */
export interface VariableFact {
  readonly variable: VariableSymbol;
  /** For a variable declared by a template: the instantiation that gives it this type. */
  readonly instantiation?: InstantiationRequest;
  /** For a variable that must be constant-initialized: the part of its initializer that is not constant. */
  readonly runtimePart?: Place;
}

/** CUDA: an object without an initializer that may need one, because it is const, a reference, or an object of a class. */
export interface DefaultedObjectFact {
  readonly type: Type;
  readonly place: Place;
  /** `member`: a constructor leaves it out; `value`: the temporary object that `T()` creates. */
  readonly as: "variable" | "member" | "new" | "value";
  /** The variable or member. */
  readonly variable?: VariableSymbol;
  /** In the text of a template, which nvcc does not judge in each case. */
  readonly isOverlooked?: true;
  readonly instantiation?: InstantiationFact;
}

/** A specifier on a kind of declaration that does not allow it, or on something that is not a variable. */
export interface SpecifierWordFact {
  readonly word: SpecifierWord & { readonly text: GpuWord | "address_space" };
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
  /** On a lambda: the word is behind the parameters. */
  readonly isTrailing?: true;
}

/** An attribute of kernels in OpenCL, or of AMD's compiler, on something that is not a function; `name` is without underscores around it. */
export interface StrayAttributeFact {
  readonly name: string;
  readonly on: "variable" | "parameter" | "member" | "typedef" | "type";
  readonly place: Place;
}

/** A name in an expression that refers to exactly one symbol. */
export interface ReferenceFact {
  readonly symbol: VariableSymbol | FunctionSymbol;
  /** The place of the last part of the name. */
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
}

/** A member access that names components of a vector (OpenCL C 3.0 §6.3.7). */
export interface ComponentFact {
  /** The vector's type. */
  readonly vector: Extract<Type, { kind: "vector" }>;
  /** The place of the components' names. */
  readonly place: Place;
}

/** An address space where none is allowed, or one that the selected standard lacks. */
export type SpaceFact =
  /** A second address space on one type; `first` is the one that counts. */
  | {
      readonly kind: "second-space";
      readonly word: SpecifierWord;
      readonly first: AddressSpace;
      readonly instantiation?: InstantiationRequest;
    }
  /** `__generic` in a standard without the generic address space. */
  | {
      readonly kind: "unsupported-generic";
      readonly word: SpecifierWord /** Behind a `*`, where compilers overlook it. */;
      readonly isOverlooked?: true;
    }
  /** `(global int[]){ … }` inside a function. */
  | { readonly kind: "compound-literal"; readonly space: AddressSpace; readonly place: Place }
  /** A parameter in a function type: of a block, or of a pointer to a function. */
  | { readonly kind: "inner-parameter"; readonly name: string; readonly space: AddressSpace; readonly place: Place }
  /** A comparison of the sizes of pointers into different spaces. */
  | { readonly kind: "pointer-sizes"; readonly left: AddressSpace; readonly right: AddressSpace; readonly place: Place }
  /** C++ for OpenCL: no overload of the member function accepts an object in this space. */
  | {
      readonly kind: "method-object";
      /** Undefined for a lambda that is called in place. */
      readonly name: string | undefined;
      readonly object: AddressSpace;
      readonly needed: readonly AddressSpace[];
      readonly place: Place;
    }
  /** C++ for OpenCL: an object is copied from a space that no copy constructor of its class can refer to. */
  | { readonly kind: "object-copy"; readonly record: RecordSymbol; readonly space: AddressSpace; readonly place: Place }
  /** A reserved word in place of a name; at the end of a declaration, as in `int local;`, it declares nothing. */
  | { readonly kind: "reserved-name"; readonly word: SpecifierWord; readonly as: "name" | "nothing" | "macro" };

/** An invalid use of an image, a sampler, an event, a queue, a pipe, an atomic object or a block. */
export type OpaqueTypeFact =
  /** An access qualifier on a type that is neither an image nor a pipe, a second one, or `read_write` on a pipe. */
  | {
      readonly kind: "access-qualifier";
      readonly problem: "no-image" | "second" | "pipe-both-ways";
      readonly word: SpecifierWord;
      readonly type: Type;
      readonly first?: ImageAccess;
    }
  /** `const` or `volatile` on an image. */
  | { readonly kind: "qualified-image"; readonly word: SpecifierWord; readonly type: Type }
  /** An operator that the operand's type does not have. `place` is the operator's, or the whole expression. */
  | { readonly kind: "operator"; readonly operator: string; readonly type: Type; readonly place: Place }
  /** A condition of a type that is neither true nor false. */
  | { readonly kind: "condition"; readonly type: Type; readonly place: Place }
  /** A value that cannot be converted; `variable` if it is one. */
  | {
      readonly kind: "conversion";
      readonly context: ConversionContext;
      readonly from: Type;
      readonly to: Type;
      readonly place: Place;
      readonly variable?: VariableSymbol;
    }
  /** A block uses a variable of the enclosing function in a way that its copy does not allow. */
  | { readonly kind: "capture"; readonly what: "block" | "address"; readonly variable: VariableSymbol; readonly place: Place }
  /** A declarator makes a pointer to, or an array of, such a type. `place` is the declared name, or the declarator's mark. */
  | { readonly kind: "compound"; readonly of: "pointer" | "array"; readonly type: Type; readonly place: Place }
  /** No overload of a builtin accepts an image with this access, although one accepts another access. */
  | {
      readonly kind: "image-access";
      readonly name: string;
      readonly type: Type;
      readonly place: Place;
      readonly variable?: VariableSymbol;
    };

/** A non-type parameter of a function template gets an argument that reads a variable whose value is known only at run time. */
export interface RuntimeArgumentFact {
  /** The template's name. */
  readonly template: string;
  /** The template parameter. */
  readonly parameter: string;
  readonly variable: VariableSymbol;
  /** The argument is the variable's address, not its value. */
  readonly isAddress?: true;
  /** The variable's name in the argument. */
  readonly place: Place;
  /** In a template's body: the instantiation in which this holds. */
  readonly instantiation?: InstantiationFact;
}

/** A function template is launched, called, named or instantiated with these arguments. */
export interface InstantiationFact {
  readonly template: FunctionSymbol;
  /** `k<S, 3>`; only the name if not all arguments are known. */
  readonly name: string;
  /** The template's parameters with the arguments; a pack has an entry for each of its elements. */
  readonly parameters: readonly InstantiatedParameter[];
  /** The template's arguments, if all are known. */
  readonly arguments?: readonly TemplateValue[];
  /** The first place that requests the instantiation. */
  readonly place: Place;
  /** The function that contains that place. */
  readonly within?: FunctionSymbol | undefined;
  /** The innermost lambda that contains that place. */
  readonly lambda?: FunctionSymbol;
}

/** The name of an instantiation, and where it is requested. */
export type InstantiationRequest = Pick<InstantiationFact, "name" | "place">;

/** A parameter in an instantiation. */
export interface InstantiatedParameter {
  readonly of: ParameterDeclaration;
  /** Unknown if the arguments are. */
  readonly type: Type;
  /** Its type is a template parameter that was deduced from a value, so it is neither const nor a reference (C++17 §17.8.2.1p2). */
  readonly isDeduced?: true;
}

/** All facts of one file under one dialect. */
export interface Facts {
  readonly conversions: readonly ConversionFact[];
  readonly operands: readonly OperandsFact[];
  readonly accesses: readonly AccessFact[];
  readonly calls: readonly CallFact[];
  readonly assembly: readonly AssemblyFact[];
  /** Device code calls functions of the host. */
  readonly hostCalls: readonly SideCallFact[];
  /** Host code calls functions of the device. */
  readonly deviceCalls: readonly SideCallFact[];
  /** Operators of functions for both sides, and those that create, convert, copy or destroy an object, which no name calls. */
  readonly sharedCalls: readonly Pick<SideCallFact, "callee" | "within">[];
  /** What a body returns, while it is walked. */
  readonly returns: readonly Returned[];
  readonly noMatches: readonly NoMatchFact[];
  /** Variables of every scope, including parameters and members, in source order. */
  readonly variables: readonly VariableFact[];
  /**
   * Variables declared by templates, in each instantiation. CUDA: those of static storage duration in bodies. OpenCL: all in
   * bodies, and members and parameters of classes that have an argument with an address space.
   */
  readonly instantiatedVariables: readonly VariableFact[];
  /**
   * CUDA: the constant variables at namespace scope in the whole translation unit, including headers, in order; and what its
   * functions do.
   */
  readonly constants: readonly VariableSymbol[];
  /** Each function with all its declarations, specializations and instantiations in this translation unit. */
  readonly functions: readonly FunctionSymbol[];
  readonly records: readonly RecordSymbol[];
  readonly typedefs: readonly TypedefSymbol[];
  readonly words: readonly SpecifierWordFact[];
  readonly strayAttributes: readonly StrayAttributeFact[];
  readonly references: readonly ReferenceFact[];
  readonly components: readonly ComponentFact[];
  /** The topmost parts of the file that could not be read; they may change the meaning of the code around them. */
  readonly unread: readonly Place[];
  /**
   * Branches that may be discarded, because their condition could not be evaluated: of `if constexpr` outside of templates, of
   * `?:`, `&&` and `||`.
   */
  readonly undecided: readonly Place[];
  readonly constObjects: readonly ConstObjectFact[];
  readonly defaultedObjects: readonly DefaultedObjectFact[];
  /** Each set of arguments once, in the order of the requests. */
  readonly instantiations: readonly InstantiationFact[];
  readonly runtimeArguments: readonly RuntimeArgumentFact[];
  /** OpenCL only. */
  readonly redeclarations: readonly RedeclarationFact[];
  readonly spaces: readonly SpaceFact[];
  readonly features: readonly FeatureFact[];
  readonly halves: readonly HalfFact[];
  readonly doubles: readonly DoubleFact[];
  readonly doubleLiterals: readonly DoubleLiteralFact[];
  readonly restricts: readonly RestrictFact[];
  readonly variableLengths: readonly VariableLengthFact[];
  readonly functionPointers: readonly FunctionPointerFact[];
  /** Extensions that pragmas enable somewhere; `all` if a missing header might enable any. */
  readonly enabledExtensions: readonly string[];
  /** OpenCL C only. */
  readonly opaqueTypes: readonly OpaqueTypeFact[];
}
