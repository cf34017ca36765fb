/**
 * What names stand for. Symbols are made by `binder.ts`; a symbol's identity is the object itself. Everything a rule may
 * want to know about a declaration is here, with the places where each word was written.
 */
import type { Unit } from "../../preprocess/view.ts";
import type { MemorySpace } from "../../qualifiers.ts";
import type { Span } from "../../source.ts";
import type {
  BlockStatement,
  Expression,
  FunctionDeclarator,
  FunctionItem,
  Initializer,
  Item,
  LambdaExpression,
} from "../../syntax/ast.ts";
import type { FunctionType, Instance, TemplateValue, Type } from "./types.ts";

/** A span of one unit's View; `origin` of that view leads to the author's code. */
export interface Place {
  readonly unit: Unit;
  readonly span: Span;
}

/** True where two places are the same span of the same unit. */
export function isSamePlace(a: Place, b: Place): boolean {
  return a.unit === b.unit && a.span.start === b.span.start && a.span.end === b.span.end;
}

/** A qualifying word and where it stands. */
export interface PlacedWord {
  readonly text: string;
  readonly place: Place;
}

/** What a name stands for. */
export type Symbol =
  | VariableSymbol
  | FunctionSymbol
  | RecordSymbol
  | EnumSymbol
  | EnumeratorSymbol
  | TypedefSymbol
  | TemplateParameterSymbol
  | NamespaceSymbol
  | UnknownSymbol;

/** Where a variable is declared. `program` is namespace scope; `member` non-static, `static-member` static data members. */
export type VariableScope = "program" | "block" | "parameter" | "member" | "static-member";

/** A variable, a parameter or a data member, as one declaration has it. */
export interface VariableSymbol {
  readonly kind: "variable";
  readonly name: string;
  /** With the address space of the object (OpenCL) as its outermost qualifier. */
  readonly type: Type;
  readonly scope: VariableScope;
  /** CUDA only; undefined for automatic variables, parameters and members. */
  readonly memorySpace: MemorySpace | undefined;
  /** Qualified with namespaces and classes. */
  readonly qualifiedName: string;
  /** Storage classes and other words: `static extern constexpr thread_local mutable register inline`, memory spaces. */
  readonly words: readonly PlacedWord[];
  /** The name itself. */
  readonly place: Place;
  /** The whole declaration of this one variable: specifiers and declarator. */
  readonly declaration: Place;
  readonly initializer: Initializer | undefined;
  /** The function that it is declared in; undefined at program scope and for members. */
  readonly owner: FunctionSymbol | undefined;
  /** Block scope: 0 is the function's outermost block. */
  readonly depth: number;
  /** Of a member: the record. */
  readonly record?: RecordSymbol;
  /** Of a parameter: its position, and whether it is a pack. */
  readonly index?: number;
  readonly isPack?: boolean;
  /** The space was spelled by the author (here or through a typedef) rather than defaulted. */
  readonly isSpaceExplicit: boolean;
  /** Depends on template parameters, directly or through its type. */
  readonly isDependent: boolean;
  /** At namespace scope: not visible to other translation units, by `static`, const or an unnamed namespace (C++17 §6.5p3). */
  readonly isInternal?: true;
  /** Declared inside a template, or a template itself: there is none of it before arguments are given. */
  readonly isTemplated?: true;
  /** `extern "C" int x;` without braces: the language does not count it as a definition (C++17 §10.5p7). */
  readonly isLinked?: true;
  /** `extern` without an initializer, or a static member inside its class. */
  readonly isDefinition: boolean;
  /** Of a bit-field: its width in bits; NaN where the value is not known. */
  readonly bitWidth?: number;
  /** From `alignas` / `aligned` on the variable itself: bytes; NaN where the value is not known. */
  readonly alignment?: number;
  /** `packed` on the member itself. */
  readonly isPacked?: true;
  /** The declaration of the same entity before this one, if any. */
  readonly previous?: VariableSymbol;
  /** The lambda in whose body it is declared. */
  readonly lambda?: FunctionSymbol;
  /** CUDA, of a variable with static storage duration: when it gets its value (C++17 §6.6.2); absent where it is not known. */
  readonly initialization?: "constant" | "dynamic";
  /** Declared together with others, `int *a, *b;`: an edit of the specifiers would change them too. */
  readonly sharesSpecifiers: boolean;
}

/** Where a function runs. A function without any word is `host` in CUDA. */
export interface ExecutionSpaces {
  readonly kernel: boolean;
  readonly device: boolean;
  readonly host: boolean;
}

/** One declaration of a function: the words and parameters as written there. */
export interface FunctionDeclaration {
  readonly place: Place;
  /** The name. */
  readonly namePlace: Place;
  readonly words: readonly PlacedWord[];
  readonly attributes: readonly { readonly name: string; readonly place: Place; readonly arguments: readonly Expression[] }[];
  /** `__launch_bounds__`, with its values where they are known. */
  readonly launchBounds?: { readonly place: Place; readonly values: readonly (number | undefined)[] };
  readonly declarator: FunctionDeclarator;
  readonly parameters: readonly ParameterDeclaration[];
  readonly execution: ExecutionSpaces;
  readonly type: FunctionType;
  readonly body: BlockStatement | undefined;
  readonly isDefinition: boolean;
  /** `= default`, `= delete`, `= 0`. */
  readonly special?: "default" | "delete" | "pure";
  /** Of a constructor: it initializes some member or base itself. */
  readonly hasMemberInitializers?: boolean;
  /** Of a constructor: what it gives its members and bases. */
  readonly memberInitializers?: FunctionItem["memberInitializers"];
  /**
   * primary: an ordinary function or a primary template; the others relate to one
   * (`template<> …`, `template …;`, `extern template …;`).
   */
  readonly role: "primary" | "specialization" | "instantiation";
  readonly isTemplate: boolean;
  /** Some word of its head could not be read, most likely a macro that stands for a qualifier: where it runs is not known. */
  readonly isUncertain?: true;
  readonly owner: FunctionSymbol;
  /** The time of its scope's clock at which it is declared. */
  readonly since: number;
}

/** A parameter as one declaration of its function writes it. */
export interface ParameterDeclaration {
  readonly symbol: VariableSymbol;
  readonly words: readonly PlacedWord[];
  /** The whole parameter, from its first specifier to the end of its declarator. */
  readonly place: Place;
  /** Before adjustment of arrays to pointers. */
  readonly writtenType: Type;
  /** The `&` or `&&` that makes it a reference. */
  readonly referencePlace?: Place;
}

/** A function with all its declarations. */
export interface FunctionSymbol {
  readonly kind: "function";
  readonly name: string;
  readonly qualifiedName: string;
  /** Of the first declaration. */
  readonly type: FunctionType;
  readonly declarations: FunctionDeclaration[];
  /** `static`, in an unnamed namespace, or otherwise not visible to other translation units. */
  readonly isInternal: boolean;
  readonly isTemplate: boolean;
  /** From our declaration files of the languages. */
  readonly isBuiltin: boolean;
  readonly record: RecordSymbol | undefined;
  /** Set for a lambda's call operator. */
  readonly lambda?: LambdaExpression;
  /** Of a lambda: a kernel is launched with it, so that its body runs on the device. */
  isLaunched?: true;
  /** Of a lambda: the function in whose body it stands. */
  readonly around?: FunctionSymbol;
  /** Of a lambda: the lambda that encloses it directly. */
  readonly enclosing?: FunctionSymbol;
  /** Of a specialization or instantiation: the primary template, when it was found. */
  readonly primary?: FunctionSymbol;
  /** Of a primary template: its explicit specializations and instantiations in this translation unit. */
  readonly specializations: FunctionSymbol[];
}

/** A structure, a class or a union. */
export interface RecordSymbol {
  readonly kind: "record";
  /** Undefined for an unnamed record. */
  readonly tag: string | undefined;
  readonly qualifiedName: string;
  readonly key: "struct" | "class" | "union";
  /** Filled when the definition is bound; undefined while only declared. */
  members: VariableSymbol[] | undefined;
  readonly functions: FunctionSymbol[];
  readonly staticMembers: VariableSymbol[];
  /** Base classes, with unknown ones as unknown types. */
  bases: readonly Type[];
  /** Template or member of one: layout and members may depend on arguments. */
  readonly isDependent: boolean;
  /** Of a class that a template makes, or of an explicit specialization: which. */
  readonly instance?: Instance;
  /** From `alignas` / `aligned`: bytes; NaN where the value is not known. */
  alignment: number | undefined;
  isPacked: boolean;
  /** Virtual functions or virtual bases. */
  isPolymorphic: boolean;
  /** Virtual bases, here or further up: where those lie depends on the most derived class. */
  hasVirtualBase?: boolean;
  /** `public:` and the like in the definition, so that we do not know who may see which member. */
  hasAccessLabels?: boolean;
  /** Of its members some are public and others are not, or the like. */
  hasMixedAccess?: boolean;
  /** `device_builtin_texture_type`, `device_builtin_surface_type`: an object of the host that device code names all the same. */
  isDeviceReference?: boolean;
  /** Some part of its definition could not be read: layout and lookup are unknown. */
  isIncomplete: boolean;
  readonly place: Place | undefined;
  readonly isBuiltin: boolean;
}

/** An enumeration. */
export interface EnumSymbol {
  readonly kind: "enum";
  readonly tag: string | undefined;
  readonly qualifiedName: string;
  readonly isScoped: boolean;
  underlying: Type | undefined;
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
  /** CUDA: the type is in a numbered address space, which its `type` cannot say. */
  readonly isNumbered?: true;
}

/** A template's parameter, or in an instantiation what it stands for. */
export interface TemplateParameterSymbol {
  readonly kind: "template-parameter";
  readonly name: string;
  /** Of a value parameter: its type. */
  readonly type: Type | undefined;
  /** Of a value parameter in an instantiation. */
  readonly value?: bigint;
  /** Of a pack in an instantiation. */
  readonly pack?: readonly TemplateValue[];
}

/** A namespace; its names are in its scope. */
export interface NamespaceSymbol {
  readonly kind: "namespace";
  readonly name: string;
  readonly qualifiedName: string;
  readonly isInternal: boolean;
}

/** A name about which nothing may be concluded. */
export interface UnknownSymbol {
  readonly kind: "unknown";
  readonly name: string;
}

export type { Item };

/**
 * What holds of a variable because of all its declarations up to a given one: `of` says it of each, given what held before.
 * Each declaration is asked once, however often a file declares the variable again.
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
