/**
 * The syntax tree that everything above `syntax/` reads: plain data, no parser nodes, every word already in its canonical
 * spelling. Spans count in the View's text. Code that the grammar could not read is an `unknown` node with its readable parts.
 * `semantics/`, which knows the names, decides what code means (is `a * b;` a declaration?). Longer than other files, because it
 * is one vocabulary and holds nothing else.
 */
import type { ViewSpan } from "../source.ts";

interface Node {
  readonly span: ViewSpan;
}

// ---------------------------------------------------------------- names

/** `::a::B<int>::c`; the last part is the name itself. */
export interface Name extends Node {
  readonly parts: readonly NamePart[];
  /** Written with a leading `::`. */
  readonly isGlobal: boolean;
}

/** One part of a qualified name. */
export interface NamePart extends Node {
  /** The identifier; for operators and the like `operator+`, `~S` and `operator int`; empty for a decltype scope. */
  readonly text: string;
  /** Absent when there is no template argument list, empty for `<>`. */
  readonly templateArguments?: readonly TemplateArgument[];
}

/** `T` may name a type or a value: then it is a type (TypeId of a plain name), and semantics decides. */
export type TemplateArgument = TypeId | Expression;

// ---------------------------------------------------------------- declarations

/** A declaration at namespace or class scope, or in a block. */
export type Item =
  | DeclarationItem
  | FunctionItem
  | TemplateItem
  | InstantiationItem
  | NamespaceItem
  | LinkageItem
  | UsingItem
  | NamespaceAliasItem
  | AliasItem
  | StaticAssertItem
  | AccessItem
  | DeferredItem
  | UnknownItem;

/**
 * `specifiers a, *b = x;` also typedefs (a `typedef` word), members, friend declarations, and a bare `struct S { };`. `a * b;`
 * and `a & b;` are declarations, never products. In a block `T a(b, c * d);` is a variable with a direct initializer, never a
 * function, unless a parameter cannot be an expression; elsewhere it is a function. `T a();` is a function everywhere.
 */
export interface DeclarationItem extends Node {
  readonly kind: "declaration";
  readonly specifiers: Specifiers;
  readonly declarators: readonly InitDeclarator[];
}

/** A function definition. */
export interface FunctionItem extends Node {
  readonly kind: "function";
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  /** Constructor initializers: `: a(1), b{2}`. */
  readonly memberInitializers: readonly { readonly name: Name; readonly arguments: readonly Expression[]; readonly span: ViewSpan }[];
  /** Absent for `= default`, `= delete`. */
  readonly body: BlockStatement | undefined;
  readonly special?: "default" | "delete";
}

/** A template; without parameters an explicit specialization. */
export interface TemplateItem extends Node {
  readonly kind: "template";
  /** Empty for an explicit specialization `template<>`. */
  readonly parameters: readonly TemplateParameter[];
  readonly item: Item;
}

/** A parameter of a template: a type, a value or a template. */
export interface TemplateParameter extends Node {
  readonly kind: "type" | "value" | "template";
  readonly name: string | undefined;
  readonly isPack: boolean;
  /** For a non-type parameter. */
  readonly parameter?: Parameter;
  readonly defaultArgument?: TemplateArgument;
}

/** `template void f<int>(int);`, `extern template …`, `template class P<float>;`. */
export interface InstantiationItem extends Node {
  readonly kind: "instantiation";
  readonly isExtern: boolean;
  readonly specifiers: Specifiers;
  readonly declarator: Declarator | undefined;
}

/** A namespace with its items. */
export interface NamespaceItem extends Node {
  readonly kind: "namespace";
  /** `a::b` has two names; an unnamed namespace none. */
  readonly names: readonly string[];
  readonly isInline: boolean;
  readonly items: readonly Item[];
}

/** `extern "C" { … }` or `extern "C" declaration`. */
export interface LinkageItem extends Node {
  readonly kind: "linkage";
  readonly language: string;
  /** It has braces. */
  readonly isBlock: boolean;
  readonly items: readonly Item[];
}

/** `using namespace a;` or `using a::b;`. */
export interface UsingItem extends Node {
  readonly kind: "using";
  readonly isNamespace: boolean;
  readonly name: Name;
}

/** `namespace a = b;`. */
export interface NamespaceAliasItem extends Node {
  readonly kind: "namespace-alias";
  readonly alias: string;
  readonly name: Name;
}

/** `using T = type;`. */
export interface AliasItem extends Node {
  readonly kind: "alias";
  readonly name: string;
  readonly nameSpan: ViewSpan;
  readonly type: TypeId;
}

/** `static_assert(…)`. */
export interface StaticAssertItem extends Node {
  readonly kind: "static-assert";
  readonly condition: Expression;
}

/** `public:` in a record. */
export interface AccessItem extends Node {
  readonly kind: "access";
}

/**
 * A declaration of a header that is parsed when its name is looked up: a class, a function or an alias outside of classes. It is
 * never part of a complete tree.
 */
export interface DeferredItem extends Node {
  readonly kind: "deferred";
  /** The only name that it declares. */
  readonly name: string;
  /** The class or namespace, if it defines a member outside of it. */
  readonly outer: string | undefined;
  readonly isClass: boolean;
  /** Parses it at the first call. There are several items, or unknown ones, only if the header cannot be read completely. */
  readonly read: () => readonly Item[];
}

/**
 * Code that was not understood. Nothing may be concluded from it or about the names in it. `items` are the readable parts of its
 * contents. Their heads may be wrong (a skipped word was most likely a qualifier), but their bodies are as reliable as any others.
 */
export interface UnknownItem extends Node {
  readonly kind: "unknown";
  readonly items: readonly Item[];
}

/** The words before the declarators. */
export interface Specifiers extends Node {
  /** Storage classes, qualifiers, address spaces, execution and memory spaces, in order, canonical, each once per occurrence. */
  readonly words: readonly Word[];
  readonly attributes: readonly Attribute[];
  /** Absent in constructors, conversion functions, implicit int. */
  readonly type: TypeSpecifier | undefined;
}

/** One qualifying word, in the canonical spelling of `qualifiers.ts`; or `typedef`. */
export interface Word extends Node {
  readonly text: string;
}

/** `__launch_bounds__(256, 2)`, `__attribute__((noinline))`, `[[x]]`, `alignas(8)`, `__align__(16)`, `__declspec(x)`. */
export interface Attribute extends Node {
  /** The name without underscores around it: `launch_bounds`, `noinline`, `aligned`, `packed`; for `alignas` and `__align__`: `aligned`. */
  readonly name: string;
  /** An argument that can only be a type (`vec_type_hint(float)`) is an `unknown` expression. */
  readonly arguments: readonly Expression[];
  /** The first argument that can only be a type. */
  readonly type?: TypeId;
}

/** The type that specifiers name. */
export type TypeSpecifier =
  | (Node & {
      readonly kind: "primitive" /** `unsigned`, `long`, `long`, `int`, `void`, `bool`, `float`… sorted as written. */;
      readonly words: readonly string[];
    })
  | (Node & { readonly kind: "named"; readonly name: Name /** Written with `typename`. */; readonly isDependent: boolean })
  | RecordSpecifier
  | EnumSpecifier
  | (Node & { readonly kind: "auto" /** `decltype(auto)`. */; readonly isDecltype?: true })
  | (Node & {
      readonly kind: "decltype";
      readonly expression: Expression | TypeId /** GNU's `typeof`, which makes no reference. */;
      readonly isTypeof?: true;
    })
  | (Node & { readonly kind: "atomic"; readonly type: TypeId })
  | (Node & { readonly kind: "unknown" });

/** `struct`, `class` or `union`, with a body if it is defined here. */
export interface RecordSpecifier extends Node {
  readonly kind: "record";
  readonly key: "struct" | "class" | "union";
  readonly name: Name | undefined;
  /** Memory and execution spaces between the key and the name. */
  readonly words: readonly Word[];
  readonly attributes: readonly Attribute[];
  readonly bases: readonly Name[];
  /** Some base class is `virtual`. */
  readonly hasVirtualBase?: true;
  readonly isFinal: boolean;
  /** Absent in `struct S`. */
  readonly body: RecordBody | undefined;
}

/** The members of a class. Those of a class in a header are parsed when they are first needed. */
export interface RecordBody {
  readonly members: readonly Item[];
}

/** `enum`, with its enumerators if it is defined here. */
export interface EnumSpecifier extends Node {
  readonly kind: "enum";
  readonly isScoped: boolean;
  readonly name: Name | undefined;
  /** Memory and execution spaces in front of the name. */
  readonly words: readonly Word[];
  readonly underlying: TypeId | undefined;
  readonly enumerators: readonly { readonly name: string; readonly span: ViewSpan; readonly value: Expression | undefined }[] | undefined;
}

/** One declarator of a declaration, with its initializer. */
export interface InitDeclarator extends Node {
  readonly declarator: Declarator;
  readonly initializer: Initializer | undefined;
  readonly bitWidth?: Expression;
}

/** `= e`, `= {…}`, `{…}`, `(a, b)`; `= default`, `= delete` and `= 0` of functions. */
export type Initializer =
  | (Node & { readonly kind: "value"; readonly value: Expression })
  | (Node & { readonly kind: "direct"; readonly arguments: readonly Expression[] })
  | (Node & { readonly kind: "default" | "delete" | "pure" });

/** From the outside in: `*p[3]` is pointer → array → name. Parentheses are dropped. */
export type Declarator =
  | (Node & { readonly kind: "name"; readonly name: Name })
  /** No name: an unnamed parameter, or a type-id. */
  | (Node & { readonly kind: "abstract" })
  | (Node & {
      readonly kind: "pointer";
      readonly words: readonly Word[];
      readonly attributes: readonly Attribute[];
      readonly inner: Declarator;
    })
  | (Node & { readonly kind: "block-pointer"; readonly words: readonly Word[]; readonly inner: Declarator })
  | (Node & { readonly kind: "reference"; readonly isRvalue: boolean; readonly inner: Declarator })
  /** `of` names the class. */
  | (Node & { readonly kind: "member-pointer"; readonly of: Name; readonly words: readonly Word[]; readonly inner: Declarator })
  | (Node & { readonly kind: "array"; readonly words: readonly Word[]; readonly size: Expression | undefined; readonly inner: Declarator })
  | FunctionDeclarator
  /** `auto [a, b]`. */
  | (Node & { readonly kind: "structured-binding"; readonly names: readonly BoundName[] })
  /** Parameter pack `Ts... args`. */
  | (Node & { readonly kind: "pack"; readonly inner: Declarator })
  /** Words or attributes after the declarator: `x[4] __constant`, `int a __attribute__((aligned(8)))`. */
  | (Node & {
      readonly kind: "qualified";
      readonly words: readonly Word[];
      readonly attributes: readonly Attribute[];
      readonly inner: Declarator;
    });

/** The declarator of a function. */
export interface FunctionDeclarator extends Node {
  readonly kind: "function";
  readonly parameters: readonly Parameter[];
  readonly parameterSpan: ViewSpan;
  readonly isVariadic: boolean;
  /** `int f(a) int a; { … }`: a definition without a prototype (C11 §6.9.1p6). */
  readonly isOldStyle?: true;
  /** `const`, `volatile`, `__constant` … after the parameters, `override`, `final`, `noexcept`, `&`, `&&`. */
  readonly words: readonly Word[];
  readonly attributes: readonly Attribute[];
  readonly trailingReturn: TypeId | undefined;
  readonly inner: Declarator;
}

/** `(void)` is one parameter of type void, as written. */
export interface Parameter extends Node {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly defaultValue: Expression | undefined;
}

/** A type without a name: in casts, sizeof, template arguments, aliases. */
export interface TypeId extends Node {
  readonly kind: "type-id";
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
}

// ---------------------------------------------------------------- statements

/** A statement. */
export type Statement =
  | BlockStatement
  | (Node & { readonly kind: "item"; readonly item: Item })
  | (Node & { readonly kind: "expression"; readonly expression: Expression })
  | (Node & {
      readonly kind: "if";
      readonly isConstexpr: boolean;
      readonly initializer: Statement | undefined;
      readonly condition: Statement | undefined;
      readonly then: Statement;
      readonly otherwise: Statement | undefined;
    })
  | (Node & {
      readonly kind: "for";
      readonly initializer: Statement | undefined;
      readonly condition: Statement | undefined;
      readonly update: Expression | undefined;
      readonly body: Statement;
    })
  | (Node & { readonly kind: "range-for"; readonly declaration: DeclarationItem; readonly range: Expression; readonly body: Statement })
  | (Node & { readonly kind: "while" | "do"; readonly condition: Statement; readonly body: Statement })
  | (Node & { readonly kind: "switch"; readonly condition: Statement; readonly body: Statement })
  /** `case x:`, `default:`, `label:` with the statements up to the next one. */
  | (Node & { readonly kind: "labeled"; readonly value: Expression | undefined; readonly body: readonly Statement[] })
  | (Node & { readonly kind: "return"; readonly value: Expression | undefined })
  | (Node & { readonly kind: "jump" })
  | (Node & { readonly kind: "try"; readonly body: BlockStatement; readonly handlers: readonly BlockStatement[] })
  | (Node & {
      readonly kind: "asm" /** The operands in parentheses, `"=r"(x)`: outputs are written, inputs read. */;
      readonly outputs: readonly Expression[];
      readonly inputs: readonly Expression[];
    })
  | (Node & { readonly kind: "empty" })
  | (Node & { readonly kind: "unknown"; readonly statements: readonly Statement[] });

/** `{ … }`. */
export interface BlockStatement extends Node {
  readonly kind: "block";
  readonly statements: readonly Statement[];
  /** A function's body in a header, whose statements were not read because nothing needs them. */
  readonly isSkipped?: true;
  /** Another item depends on what is in this function's body (`semantics/types/bodies.ts`). */
  isConsulted?: true;
}

// ---------------------------------------------------------------- expressions

/** An expression. */
export type Expression =
  | (Node & { readonly kind: "name"; readonly name: Name })
  | (Node & { readonly kind: "number"; readonly text: string })
  | (Node & { readonly kind: "character"; readonly text: string })
  | (Node & { readonly kind: "string" /** Adjacent literals joined, with prefix and quotes of the first. */; readonly text: string })
  | (Node & { readonly kind: "boolean"; readonly value: boolean })
  | (Node & { readonly kind: "nullptr" })
  | (Node & { readonly kind: "this" })
  /** `* & + - ! ~`, and `&&label`; the operator as written, but `not` is `!`. */
  | (Node & { readonly kind: "unary"; readonly operator: string; readonly operand: Expression })
  | (Node & { readonly kind: "update"; readonly operator: "++" | "--"; readonly isPrefix: boolean; readonly operand: Expression })
  /**
   * Also `.*` and `->*`. `(N) - x` with a plain name `N`, also with `+ * &`, is a binary expression whose left side is
   * parenthesized, unless `N` is a type name that every program has (`uint`, `size_t`, `float4`): `asCast` in `readings.ts` gives
   * the other reading. `a < b && c > (d)` compares.
   */
  | (Node & { readonly kind: "binary"; readonly operator: string; readonly left: Expression; readonly right: Expression })
  /** `=` and the compound assignments. */
  | (Node & { readonly kind: "assignment"; readonly operator: string; readonly left: Expression; readonly right: Expression })
  | (Node & {
      readonly kind: "conditional";
      readonly condition: Expression /** Absent in `a ?: b`. */;
      readonly then: Expression | undefined;
      readonly otherwise: Expression;
    })
  | (Node & { readonly kind: "comma"; readonly left: Expression; readonly right: Expression })
  | (Node & { readonly kind: "parenthesized"; readonly inner: Expression })
  | CallExpression
  | (Node & { readonly kind: "subscript"; readonly object: Expression; readonly indices: readonly Expression[] })
  | (Node & { readonly kind: "member"; readonly object: Expression; readonly isArrow: boolean; readonly name: Name })
  /**
   * `(T)x`, and OpenCL's `(float4)(a, b)` whose operand is a parenthesized comma. `(N)(x)` with a plain name `N` is always a
   * cast; if `N` is a function, it means a call. `(N)(x).y` casts the member, `(float4)(x).y` takes the member of the literal.
   */
  | (Node & { readonly kind: "cast"; readonly type: TypeId; readonly operand: Expression })
  /** `static_cast const_cast reinterpret_cast dynamic_cast addrspace_cast`. */
  | (Node & { readonly kind: "named-cast"; readonly cast: string; readonly type: TypeId; readonly operand: Expression })
  /**
   * `__builtin_astype(x, T)`, `__builtin_convertvector(x, T)`, `__builtin_bit_cast(T, x)`: yields a `T` without a conversion that
   * has rules.
   */
  | (Node & { readonly kind: "bit-cast"; readonly type: TypeId; readonly operand: Expression })
  /** `(T){…}`, `T{…}`; `T` as a type. */
  | (Node & { readonly kind: "compound-literal"; readonly type: TypeId; readonly value: Expression })
  /** `int(x)` of a primitive type, `typename T::U(x)`, `decltype(y)(x)`; `N(x)` is a call. */
  | (Node & { readonly kind: "construct"; readonly type: TypeId; readonly arguments: readonly Expression[] })
  | (Node & { readonly kind: "list"; readonly elements: readonly ListElement[] })
  /** `sizeof(N)` with a plain name has a parenthesized expression, `typeid(N)` and `alignof(N)` have a type. */
  | (Node & { readonly kind: "sizeof" | "alignof" | "typeid"; readonly operand: Expression | TypeId })
  /** `noexcept(x)`, `requires (T x) { … }` and a `requires` clause, whose operands are not evaluated. */
  | (Node & { readonly kind: "noexcept" | "requires"; readonly operands: readonly Expression[] })
  | (Node & {
      readonly kind: "new";
      readonly words: readonly Word[];
      readonly type: TypeId;
      readonly placement: readonly Expression[];
      readonly arguments: readonly Expression[];
      /** Parentheses or braces follow the type, perhaps empty ones. */
      readonly isInitialized: boolean;
    })
  | (Node & { readonly kind: "delete"; readonly operand: Expression })
  | LambdaExpression
  /** An OpenCL / Clang block `^(int a){ … }`. */
  | (Node & { readonly kind: "block-literal"; readonly parameters: readonly Parameter[]; readonly body: BlockStatement })
  /** `({ … })`. */
  | (Node & { readonly kind: "statement-expression"; readonly body: BlockStatement })
  | (Node & { readonly kind: "pack-expansion"; readonly pattern: Expression })
  | (Node & { readonly kind: "fold"; readonly operator: string; readonly operands: readonly Expression[] })
  | (Node & { readonly kind: "throw" | "await"; readonly operand: Expression | undefined })
  | (Node & { readonly kind: "unknown"; readonly operands: readonly Expression[] });

/** `f(x)` is a call, whether `f` is a function, a variable or a type. */
export interface CallExpression extends Node {
  readonly kind: "call";
  readonly function: Expression;
  /** Present in `k<<<grid, block>>>(…)`. */
  readonly launch?: readonly Expression[];
  readonly arguments: readonly Expression[];
}

/** A name of a structured binding. */
export interface BoundName extends Node {
  readonly text: string;
}

/** One element of a braced list. */
export interface ListElement extends Node {
  /** `.a.b[2] =` in parts; empty without a designator. */
  readonly designators: readonly (string | Expression)[];
  readonly value: Expression;
}

/** A lambda of C++. */
export interface LambdaExpression extends Node {
  readonly kind: "lambda";
  /** The brackets with the captures. */
  readonly introducerSpan: ViewSpan;
  readonly captures: readonly LambdaCapture[];
  readonly captureDefault: "=" | "&" | undefined;
  readonly templateParameters: readonly TemplateParameter[];
  /** Execution spaces, and the words after the parameters. */
  readonly words: readonly Word[];
  /** Those of the words that are behind the parameters. */
  readonly trailingWords: readonly Word[];
  readonly attributes: readonly Attribute[];
  readonly parameters: readonly Parameter[];
  readonly trailingReturn: TypeId | undefined;
  readonly body: BlockStatement;
}

/** One capture of a lambda. */
export interface LambdaCapture extends Node {
  /** `*this` for a copy of the whole object. */
  readonly name: string;
  readonly isReference: boolean;
  readonly initializer: Expression | undefined;
}

/** The tree of one View. */
export interface SyntaxTree {
  readonly items: readonly Item[];
  /** Topmost places that the grammar could not read, in View offsets. */
  readonly errors: readonly ViewSpan[];
  /** Words that can only be undefined macros; nothing is known about the code that contains them. */
  readonly unknownWords: readonly ViewSpan[];
  /** Where reading stopped because the text has too many tokens; absent if all of it was read. */
  readonly endsAt?: number;
}
