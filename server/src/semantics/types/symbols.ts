/**
 * The symbols that names refer to. `binder.ts` creates symbols; a symbol's identity is the object itself. A symbol contains
 * everything that a rule may need to know about a declaration, with the place of each word.
 */
import type { Unit } from "../../preprocess/view/view.ts";
import type { MemorySpace } from "../../qualifiers.ts";
import type { ViewSpan } from "../../source.ts";
import type {
  BlockStatement,
  Expression,
  FunctionDeclarator,
  FunctionItem,
  Initializer,
  Item,
  LambdaExpression,
} from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { FunctionType, Instance, TemplateValue, Type } from "./types.ts";

/** A span of one unit's View. `origin` of that View gives the author's code for it. */
export interface Place {
  readonly unit: Unit;
  readonly span: ViewSpan;
}

/** True if two places are the same span of the same unit. */
export function isSamePlace(a: Place, b: Place): boolean {
  return a.unit === b.unit && a.span.start === b.span.start && a.span.end === b.span.end;
}

/** True if some declaration of the function has one of these specifiers. */
export function isDeclaredWith({ declarations }: Pick<FunctionSymbol, "declarations">, ...words: readonly string[]): boolean {
  return declarations.some((each) => hasWord(each.words, ...words));
}

/** True for a virtual member function. A class with a virtual destructor is not a literal type (C++17 §6.9p10.5). */
export function isVirtual(method: Pick<FunctionSymbol, "declarations">): boolean {
  return isDeclaredWith(method, "virtual");
}

/** True for a function that constant expressions may call (C++17 §8.20p2). */
export function isConstexprFunction(callee: Pick<FunctionSymbol, "declarations">): boolean {
  return isDeclaredWith(callee, "constexpr", "consteval");
}

/** A qualifying word and its place. */
export interface SpecifierWord {
  readonly text: string;
  readonly place: Place;
}

/** What a name refers to. */
export type Symbol =
  | VariableSymbol
  | FunctionSymbol
  | RecordSymbol
  | EnumSymbol
  | EnumeratorSymbol
  | TypedefSymbol
  | TemplateParameterSymbol
  | UnknownSymbol;

/** Where a variable is declared. `program` is namespace scope; `member` is a non-static, `static-member` a static data member. */
export type VariableScope = "program" | "block" | "parameter" | "member" | "static-member";

/** A variable, a parameter or a data member, according to one declaration. */
export interface VariableSymbol {
  readonly kind: "variable";
  readonly name: string;
  /** With the object's address space (OpenCL) as its outermost qualifier. */
  readonly type: Type;
  readonly scope: VariableScope;
  /** CUDA only; undefined for automatic variables, parameters and members. */
  readonly memorySpace: MemorySpace | undefined;
  /** Qualified with namespaces and classes. */
  readonly qualifiedName: string;
  /** Storage classes and other words: `static extern constexpr thread_local mutable register inline`, memory spaces. */
  readonly words: readonly SpecifierWord[];
  /** The name itself. */
  readonly place: Place;
  /** The whole declaration of this variable: specifiers and declarator. */
  readonly declaration: Place;
  readonly initializer: Initializer | undefined;
  /** The function that it is declared in; undefined at program scope and for members. */
  readonly owner: FunctionSymbol | undefined;
  /** In block scope: the nesting of blocks, 0 for the function's outermost one. */
  readonly depth: number;
  /** For a member: the record. */
  readonly record?: RecordSymbol;
  /** For a parameter: its position, and whether it is a pack. */
  readonly index?: number;
  readonly isPack?: boolean;
  /** The author spelled the address space, here or in a typedef. */
  readonly isSpaceExplicit: boolean;
  /** Depends on template parameters, directly or through its type. */
  readonly isDependent: boolean;
  /** At namespace scope: internal linkage, by `static`, const or an unnamed namespace (C++17 §6.5p3). */
  readonly isInternal?: true;
  /** Declared inside of a template, or itself a template: it exists only with arguments. */
  readonly isTemplated?: true;
  /** For a structured binding at namespace scope: the variable of which it names a part, if it is not a copy. */
  readonly binds?: { readonly object: VariableSymbol | undefined };
  /** False for `extern` or `extern "C"` without braces and an initializer (C++17 §10.5p7), and for a static member inside of its class. */
  readonly isDefinition: boolean;
  /** For a bit-field: its width in bits; NaN if the value is unknown. */
  readonly bitWidth?: number;
  /** From `alignas` / `aligned` on the variable itself: bytes; NaN if the value is unknown. */
  readonly alignment?: number;
  /** `packed` on the member itself. */
  readonly isPacked?: true;
  /** The previous declaration of the same entity, if any. */
  readonly previous?: VariableSymbol;
  /** The lambda whose body declares it. */
  readonly lambda?: FunctionSymbol;
  /** CUDA, for a variable with static storage duration: when it is initialized (C++17 §6.6.2); absent if unknown. */
  readonly initialization?: "constant" | "dynamic";
  /** HIP, for an object in shared memory: its initializer certainly does more than call a constructor that does nothing. */
  readonly hasEffect?: true;
  /** Declared together with others, `int *a, *b;`: an edit of the specifiers would affect them too. */
  readonly sharesSpecifiers: boolean;
}

/** Where a function runs. A CUDA function without any specifier is `host`. */
export interface ExecutionSpaces {
  readonly kernel: boolean;
  readonly device: boolean;
  readonly host: boolean;
}

/** One declaration of a function: its specifiers and parameters as written. */
export interface FunctionDeclaration {
  readonly place: Place;
  /** The place of the name. */
  readonly namePlace: Place;
  readonly words: readonly SpecifierWord[];
  readonly attributes: readonly { readonly name: string; readonly place: Place; readonly arguments: readonly Expression[] }[];
  /** `__launch_bounds__`, `__maxnreg__`, `__cluster_dims__` and `__block_size__`, in order. */
  readonly launchAttributes?: readonly LaunchAttribute[];
  /** `reqd_work_group_size`, `amdgpu_waves_per_eu` and the like, in order. */
  readonly sizeAttributes?: readonly SizeAttribute[];
  readonly declarator: FunctionDeclarator;
  readonly parameters: readonly ParameterDeclaration[];
  readonly execution: ExecutionSpaces;
  readonly type: FunctionType;
  readonly body: BlockStatement | undefined;
  readonly isDefinition: boolean;
  /** `= default`, `= delete`, `= 0`. */
  readonly special?: "default" | "delete" | "pure";
  /** For a constructor: it has member initializers, and not all of them are empty. */
  readonly hasMemberInitializers?: boolean;
  /** For a constructor: the initializers of its members and bases. */
  readonly memberInitializers?: FunctionItem["memberInitializers"];
  /**
   * `primary` is an ordinary function or a primary template. The others refer to a template: `template<> …`; `template …;` and
   * `extern template …;`.
   */
  readonly role: "primary" | "specialization" | "instantiation";
  /** For a specialization or instantiation: the template arguments after its name, as written; absent if there are none. */
  readonly templateArguments?: string;
  readonly isTemplate: boolean;
  /**
   * Some word of its head could not be read, or its result may be a macro. Most likely the macro stands for a qualifier, so only
   * the written execution spaces are known.
   */
  readonly isUncertain?: true;
  readonly owner: FunctionSymbol;
  /** The time of the scope's clock at which it is declared. */
  readonly since: number;
}

/** A parameter as written in one declaration of its function. */
export interface ParameterDeclaration {
  readonly symbol: VariableSymbol;
  readonly words: readonly SpecifierWord[];
  /** The whole parameter, from its first specifier to the end of its declarator. */
  readonly place: Place;
  /** Before adjustment of arrays to pointers. */
  readonly writtenType: Type;
  /** The place of `&` or `&&`, if it is a reference. */
  readonly referencePlace?: Place;
}

/** An attribute about how a kernel is launched. */
export interface LaunchAttribute {
  readonly name: "__launch_bounds__" | "__maxnreg__" | "__cluster_dims__" | "__block_size__";
  readonly place: Place;
  /** For each argument its numbers, of which tuples have several; undefined where one is not known. */
  readonly values: readonly (readonly (number | undefined)[])[];
  /** The first argument that is not an integer constant: a value of another type, one that is known only at run time, or a type. */
  readonly unusable?: { readonly place: Place; readonly type: Type; readonly is: "value" | "runtime" | "type" };
}

/** An attribute of kernels in OpenCL, or of AMD's compiler, whose arguments are numbers: `reqd_work_group_size(64, 1, 1)`. */
export interface SizeAttribute extends Pick<LaunchAttribute, "place" | "values" | "unusable"> {
  /** Without underscores around it. */
  readonly name: string;
}

/** A function with all its declarations. */
export interface FunctionSymbol {
  readonly kind: "function";
  readonly name: string;
  readonly qualifiedName: string;
  /** The type in the first declaration. */
  readonly type: FunctionType;
  readonly declarations: FunctionDeclaration[];
  /** It has internal linkage: `static`, or in an unnamed namespace. */
  readonly isInternal: boolean;
  readonly isTemplate: boolean;
  /** Declared by the language, in `builtins/`. */
  readonly isBuiltin: boolean;
  /** Declared in a block, where only its name is local (C11 §6.2.2p4). */
  readonly isOfBlock?: true;
  readonly record: RecordSymbol | undefined;
  /** For a member function that is not public: who may name it. Set when its class is complete. */
  access?: "private" | "protected";
  /** Set for the call operator of a lambda. */
  readonly lambda?: LambdaExpression;
  /** For a lambda: a launch passes it to a kernel, so its body runs on the device. */
  isLaunched?: true;
  /** For a lambda: the function whose body contains it. */
  readonly around?: FunctionSymbol;
  /** For a lambda: the lambda that directly encloses it. */
  readonly enclosing?: FunctionSymbol;
  /** For a specialization or instantiation: the primary template, if it was found. */
  readonly primary?: FunctionSymbol;
  /** For a primary template: its explicit specializations and instantiations in this translation unit. */
  readonly specializations: FunctionSymbol[];
}

/** A structure, a class or a union. */
export interface RecordSymbol {
  readonly kind: "record";
  /** Undefined for an unnamed record. */
  readonly tag: string | undefined;
  readonly qualifiedName: string;
  readonly key: "struct" | "class" | "union";
  /** Set when the definition is bound; undefined while the record is only declared. */
  members: VariableSymbol[] | undefined;
  readonly functions: FunctionSymbol[];
  readonly staticMembers: VariableSymbol[];
  /** Base classes, with unknown ones as unknown types. */
  bases: readonly Type[];
  /** The bases whose constructors `using Base::Base;` makes its own. */
  inherits?: readonly RecordSymbol[];
  /** It is a template or a member of one: layout and members may depend on arguments. */
  readonly isDependent: boolean;
  /** For an instantiation of a class template, or an explicit specialization: which one. */
  readonly instance?: Instance;
  /** From `alignas` / `aligned`: bytes; NaN if the value is unknown. */
  alignment: number | undefined;
  isPacked: boolean;
  /** It has virtual functions or virtual bases. */
  isPolymorphic: boolean;
  /** It has virtual bases, directly or indirectly: their place depends on the most derived class. */
  hasVirtualBase?: boolean;
  /** The definition contains `public:` or the like, so the access of each member is unknown. */
  hasAccessLabels?: boolean;
  /** The access labels give its members different access. */
  hasMixedAccess?: boolean;
  /** For the class of a lambda: its call operator, as the last walk of the lambda has found it. */
  closure?: FunctionSymbol;
  /** `device_builtin_texture_type`, `device_builtin_surface_type`: a host object that device code may name. */
  isDeviceReference?: boolean;
  /** Some part of its definition could not be read: layout and lookup are unknown. */
  isIncomplete: boolean;
  /** Its definition contains a macro or another text that could not be read, which may declare more functions. */
  hasUnreadText?: boolean;
  /** For a class in a class, at any depth, that is not public: who may name it. Set when the class around it is complete. */
  access?: "private" | "protected";
  readonly place: Place | undefined;
  readonly isBuiltin: boolean;
}

/** An enumeration. */
export interface EnumSymbol {
  readonly kind: "enum";
  readonly tag: string | undefined;
  readonly isScoped: boolean;
  underlying: Type | undefined;
  /** As for a class. */
  access?: "private" | "protected";
  readonly place: Place | undefined;
}

/** A named value of an enumeration. */
export interface EnumeratorSymbol {
  readonly kind: "enumerator";
  readonly name: string;
  readonly enumeration: EnumSymbol;
  readonly value: bigint | undefined;
  readonly place: Place;
}

/** Another name for a type. */
export interface TypedefSymbol {
  readonly kind: "typedef";
  readonly name: string;
  /** Unknown for an alias template. */
  readonly type: Type;
  readonly place: Place;
  readonly isBuiltin: boolean;
  /** The earlier type definition of the same name in the same scope. */
  readonly previous?: TypedefSymbol;
  /** CUDA: the type is in a numbered address space, which `type` cannot represent. */
  readonly isNumbered?: true;
}

/** A template's parameter, or its argument in an instantiation. */
export interface TemplateParameterSymbol {
  readonly kind: "template-parameter";
  readonly name: string;
  /** For a non-type parameter: its type. */
  readonly type: Type | undefined;
  /** For a non-type parameter in an instantiation. */
  readonly value?: bigint;
  /** For a pack in an instantiation. */
  readonly pack?: readonly TemplateValue[];
}

/** A name whose declaration was not found or not understood. Nothing may be concluded from it but its type, if it has one. */
export interface UnknownSymbol {
  readonly kind: "unknown";
  readonly name: string;
  /** The type that the C++ standard gives the name; absent for all but the integers of `<cstdint>`. */
  readonly type?: Type;
}

export type { Item };

/**
 * Computes a property of a variable from all its declarations up to a given one. `of` combines a declaration with the result for
 * the previous ones. Each declaration is visited once, however often a file redeclares the variable.
 */
export function alongDeclarations<Result>(
  of: (variable: VariableSymbol, before: Result | undefined) => Result,
): (variable: VariableSymbol) => Result {
  const known = new WeakMap<VariableSymbol, { readonly result: Result }>();
  return (variable) => {
    const open: VariableSymbol[] = [];
    let current: VariableSymbol | undefined = variable;
    for (; current !== undefined && !known.has(current); current = current.previous) open.push(current);
    let before = current === undefined ? undefined : known.get(current)?.result;
    for (let at = open.length - 1; at >= 0; at -= 1) {
      const each = open[at] ?? variable;
      const result = of(each, before);
      known.set(each, { result });
      before = result;
    }
    return before ?? of(variable, undefined);
  };
}
