/**
 * The language that a View is written in: C++ with CUDA's and OpenCL's words in their canonical spelling, and without a
 * preprocessor. It extends tree-sitter-cpp; every rule below either adds a construct of the two languages, or closes a gap
 * of tree-sitter-cpp, or drops what a View never contains (directives, structured exceptions, Microsoft's pointer words).
 * One file, because a grammar is one table.
 */
const CPP = require("tree-sitter-cpp/grammar");

const PREC = { ASSIGNMENT: -2, CAST: 12, SIZEOF: 13, UNARY: 14, CALL: 15, NEW: 16 };

/**
 * Qualifiers of a type or an object, after a `*` too. OpenCL's address spaces qualify types, CUDA's memory spaces variables.
 * A View of C++ for OpenCL keeps `private`, which is a qualifier where no colon follows.
 */
const QUALIFIERS = [
  "__global", "__local", "__constant", "__private", "private", "__generic", "__read_write",
  "__device__", "__shared__", "__constant__", "__managed__", "__grid_constant__",
  "const", "__const", "__const__", "volatile", "__volatile", "__volatile__",
  "restrict", "__restrict", "__restrict__",
  "constexpr", "consteval", "constinit", "mutable", "noreturn", "_Noreturn", "__extension__", "_Nonnull", "_Nullable",
];

const MEMORY_SPACES = ["__device__", "__shared__", "__constant__", "__managed__"];

/** Words about functions: where they run and whether they are inlined. `__device__` is among the qualifiers. */
const EXECUTION_SPACES = ["__host__", "__global__", "__kernel", "__forceinline__", "__noinline__", "__nv_pure__"];

/** Attributes that CUDA spells as a word with arguments. */
const WORD_ATTRIBUTES = ["__launch_bounds__", "__cluster_dims__", "__block_size__", "__maxnreg__", "__align__"];

/** Type names that are words of the language; all others (`size_t`, `float4`) are names that something declares. */
const PRIMITIVES = [
  "bool", "_Bool", "char", "int", "float", "double", "void", "wchar_t", "char8_t", "char16_t", "char32_t",
  "__int128", "_Float16", "__fp16", "__bf16", "_Float32", "_Float64", "__float128", "_Complex",
];

const SIZES = ["signed", "__signed__", "unsigned", "long", "short"];

/** Rules of the base that exist only for what a View never contains. */
const dropped = (name) => /^_?preproc|^_old_style|^seh_|^ms_(?!declspec|call)|^macro_type|^system_lib|^_function_declaration_declarator$/.test(name);

const nameOf = (rule) => (rule.type === "ALIAS" || rule.type === "FIELD" ? nameOf(rule.content) : rule.name);

/** The alternatives of a choice, nested choices flattened, without those that `exclude` names. */
function alternatives(rule, exclude = () => false) {
  if (rule.type !== "CHOICE") return [rule];
  return rule.members
    .flatMap((member) => (member.type === "CHOICE" ? alternatives(member, exclude) : [member]))
    .filter((member) => !(dropped(nameOf(member) ?? "") || exclude(nameOf(member) ?? "")));
}

/** The rule with one symbol in the place of another. */
function substitute(rule, from, to) {
  if (rule.type === "SYMBOL" && rule.name === from) return { ...rule, name: to };
  const result = { ...rule };
  if (rule.content !== undefined) result.content = substitute(rule.content, from, to);
  if (rule.members !== undefined) result.members = rule.members.map((member) => substitute(member, from, to));
  return result;
}

/** The rule without the alternatives that are this symbol. */
function without(rule, name) {
  const result = { ...rule };
  if (rule.content !== undefined) result.content = without(rule.content, name);
  if (rule.members !== undefined) {
    result.members = rule.members.filter((member) => rule.type !== "CHOICE" || member.name !== name).map((member) => without(member, name));
  }
  return result;
}

/** True for the rules of `&&` and `||`. */
function isLogical(rule) {
  if (rule.type === "FIELD" && rule.name === "operator") return ["&&", "||", "and", "or"].includes(rule.content.value);
  return [...(rule.members ?? []), ...(rule.content === undefined ? [] : [rule.content])].some(isLogical);
}

/** Constructors take the words that everything takes, so that the parser need not know yet what it is reading. */
const withModifiers = (_, original) => substitute(original, "_constructor_specifiers", "_declaration_modifiers");

const commaSep1 = (rule) => seq(rule, repeat(seq(",", rule)));
const commaSep = (rule) => optional(commaSep1(rule));

module.exports = grammar(CPP, {
  name: "gpu",

  conflicts: ($, original) =>
    original
      .filter((group) => group.every((rule) => !dropped(rule.name) && rule.name !== "_constructor_specifiers"))
      // Ours needs a type after the first size word, so that this one is none.
      .filter((group) => !(group.length === 2 && group[0].name === "type_specifier" && group[1].name === "sized_type_specifier"))
      // An identifier becomes an expression by way of `_plain_expression`.
      .map((group) => group.map((rule) => (rule.name === "expression" ? $._plain_expression : rule)))
      .concat([
        [$.storage_class_specifier, $.template_instantiation],
        [$.template_function, $.qualified_identifier],
        [$.type_specifier, $._class_name],
        [$._declarator, $.call_expression],
        [$._declarator, $._initialized_declarator],
      ]),

  // A pragma from a macro may be anywhere and has no meaning here; an undefined macro may stand for any tokens.
  extras: ($, original) => [...original, $.pragma, $.unknown_words],

  rules: {
    // A `#pragma` among the arguments of a macro is the one directive that a View can contain.
    pragma: () =>
      token(choice(seq("_Pragma", /\s*\(\s*/, /L?"([^"\\\n]|\\.)*"/, /\s*\)/), /#[ \t]*pragma[^\n]*/)),

    // The parser replaces words that can only be undefined macros by this character.
    unknown_words: () => token(/\uE000+/),

    // ------------------------------------------------------------ items

    _top_level_item: ($, original) =>
      choice(
        ...alternatives(original, (name) => name === "_empty_declaration"),
        alias($.empty_declaration, $.declaration),
        $.macro_definition,
      ),

    // `TEST(Suite, 64x64_case) { … }`: an undefined macro with a body. With names alone it reads as a constructor.
    macro_definition: ($) => prec.dynamic(-5, seq(field("head", $.call_expression), field("body", choice($.compound_statement, $.try_statement)))),

    _block_item: ($, original) =>
      choice(...alternatives(original, (name) => name === "_empty_declaration"), alias($.empty_declaration, $.declaration)),

    _field_declaration_list_item: ($, original) => choice(...alternatives(original)),

    // `struct S { … };`, with words before it (`__device__ struct S …`).
    empty_declaration: ($) =>
      seq(
        repeat($._declaration_modifiers),
        field("type", choice($.struct_specifier, $.union_specifier, $.class_specifier, $.enum_specifier)),
        ";",
      ),

    function_definition: ($) =>
      seq(
        optional($.ms_call_modifier),
        $._declaration_specifiers,
        optional($.ms_call_modifier),
        field("declarator", $._declarator),
        choice(
          field("body", choice($.compound_statement, $.try_statement)),
          $.default_method_clause,
          $.delete_method_clause,
        ),
      ),

    linkage_specification: ($) =>
      seq(
        "extern",
        field("value", $.string_literal),
        field(
          "body",
          choice(
            $.function_definition, $.declaration, $.declaration_list, $.type_definition, $.linkage_specification,
            $.template_declaration, alias($.empty_declaration, $.declaration),
          ),
        ),
      ),

    type_definition: ($) =>
      seq(optional("__extension__"), "typedef", $._declaration_specifiers, $._type_definition_declarators, ";"),

    using_declaration: ($) =>
      seq(
        "using",
        choice(
          seq(choice("namespace", "enum"), choice($.identifier, $.qualified_identifier)),
          commaSep1(seq(optional("typename"), choice($.identifier, $.qualified_identifier), optional("..."))),
        ),
        ";",
      ),

    static_assert_declaration: ($) =>
      seq(
        choice("static_assert", "_Static_assert"),
        "(",
        field("condition", $.expression),
        optional(seq(",", field("message", $.expression))),
        ")",
        ";",
      ),

    friend_declaration: ($) =>
      seq(
        repeat($._declaration_modifiers),
        "friend",
        choice(
          $.declaration,
          $.function_definition,
          alias($.constructor_or_destructor_declaration, $.declaration),
          seq(optional(choice("class", "struct", "union")), choice($._class_name, $.dependent_type), ";"),
        ),
      ),

    template_declaration: ($) =>
      seq(
        "template",
        field("parameters", $.template_parameter_list),
        optional($.requires_clause),
        choice(
          alias($.empty_declaration, $.declaration),
          $.alias_declaration,
          $.declaration,
          $.template_declaration,
          $.function_definition,
          $.concept_definition,
          $.friend_declaration,
          alias($.constructor_or_destructor_declaration, $.declaration),
          alias($.constructor_or_destructor_definition, $.function_definition),
          alias($.operator_cast_declaration, $.declaration),
          alias($.operator_cast_definition, $.function_definition),
        ),
      ),

    // `namespace __attribute__((visibility("default"))) a {`
    namespace_definition: ($) =>
      seq(
        optional("inline"),
        "namespace",
        repeat(choice($.attribute_declaration, $.attribute_specifier)),
        optional(
          seq(
            field("name", choice($._namespace_identifier, $.nested_namespace_specifier)),
            repeat(choice($.attribute_declaration, $.attribute_specifier)),
          ),
        ),
        field("body", $.declaration_list),
      ),

    // `template void f<int>(int);`, `extern template class P<float>;`
    template_instantiation: ($) =>
      seq(
        optional("extern"),
        "template",
        choice(
          seq(optional($._declaration_specifiers), field("declarator", $._declarator)),
          // `template API class P<int>;`, where API says who sees it
          seq(repeat($._declaration_modifiers), field("type", choice($.struct_specifier, $.union_specifier, $.class_specifier))),
        ),
        ";",
      ),

    // ------------------------------------------------------------ specifiers

    _declaration_modifiers: ($, original) =>
      choice(...alternatives(original), $.exec_space_specifier, $.launch_bounds, $.explicit_function_specifier),

    constructor_or_destructor_definition: withModifiers,
    constructor_or_destructor_declaration: withModifiers,
    operator_cast_declaration: withModifiers,
    operator_cast_definition: ($) =>
      seq(
        repeat($._declaration_modifiers),
        field("declarator", choice($.operator_cast, alias($.qualified_operator_cast_identifier, $.qualified_identifier))),
        choice(field("body", choice($.compound_statement, $.try_statement)), $.default_method_clause, $.delete_method_clause),
      ),

    exec_space_specifier: () => choice(...EXECUTION_SPACES),

    memory_space: () => choice(...MEMORY_SPACES),

    launch_bounds: ($) => seq(choice(...WORD_ATTRIBUTES), $.argument_list),

    // `pipe` is a word only after an access qualifier, so that programs may use the name.
    type_qualifier: ($) =>
      choice(...QUALIFIERS, prec.right(seq(choice("__read_only", "__write_only"), optional("pipe"))), prec(-1, "_Atomic"), $.alignas_qualifier),

    atomic_type: ($) => prec(1, seq("_Atomic", "(", $.type_descriptor, ")")),

    primitive_type: () => token(choice(...PRIMITIVES)),

    type_specifier: ($, original) => choice(...alternatives(original), $.atomic_type),

    sized_type_specifier: ($) =>
      choice(
        seq(
          repeat1(choice(...SIZES)),
          optional(seq(repeat($.type_qualifier), field("type", $.primitive_type), repeat(choice(...SIZES)))),
        ),
        seq(field("type", $.primitive_type), repeat1(choice(...SIZES))),
      ),

    // GNU C's typeof is decltype to us.
    decltype: ($) =>
      seq(
        choice("decltype", "typeof", "__typeof__", "__typeof", "__underlying_type"),
        "(",
        choice(prec.dynamic(1, $.expression), $.type_descriptor),
        ")",
      ),

    auto: () => choice("auto", "__auto_type"),

    attribute_specifier: ($) =>
      seq(choice("__attribute__", "__attribute"), "(", "(", commaSep(optional($.gnu_attribute)), ")", ")"),

    gnu_attribute: ($) => seq(field("name", $.identifier), optional(field("arguments", alias($.attribute_arguments, $.argument_list)))),

    attribute_arguments: ($) => seq("(", commaSep(choice(prec.dynamic(4, $.expression), $.type_descriptor)), ")"),

    ms_declspec_modifier: ($) => seq("__declspec", "(", repeat($.gnu_attribute), ")"),

    // A memory space between the key and the name has no effect.
    _class_declaration: ($) =>
      seq(
        repeat(choice(alias($.memory_space, $.type_qualifier), $.attribute_specifier, $.alignas_qualifier, $.launch_bounds, $.ms_declspec_modifier, $.attribute_declaration)),
        $._class_declaration_item,
      ),

    _class_declaration_item: ($) =>
      prec.right(
        seq(
          choice(
            field("name", $._class_name),
            seq(
              optional(field("name", $._class_name)),
              optional($.virtual_specifier),
              optional($.base_class_clause),
              field("body", $.field_declaration_list),
            ),
          ),
          repeat(choice($.attribute_specifier, $.launch_bounds)),
        ),
      ),

    enum_specifier: ($) =>
      prec.right(
        seq(
          "enum",
          optional(choice("class", "struct")),
          repeat(choice(alias($.memory_space, $.type_qualifier), $.attribute_specifier, $.attribute_declaration, $.ms_declspec_modifier)),
          choice(
            seq(field("name", $._class_name), optional($._enum_base_clause), optional(field("body", $.enumerator_list))),
            seq(optional($._enum_base_clause), field("body", $.enumerator_list)),
          ),
          repeat($.attribute_specifier),
        ),
      ),

    enumerator_list: ($) => seq("{", commaSep($.enumerator), optional(","), "}"),

    enumerator: ($) =>
      seq(
        field("name", $.identifier),
        repeat(choice($.attribute_specifier, $.attribute_declaration)),
        optional(seq("=", field("value", $.expression))),
      ),

    // ------------------------------------------------------------ declarators

    _declarator: ($, original) => choice(...alternatives(original), $.block_pointer_declarator, $.member_pointer_declarator),

    _abstract_declarator: ($, original) =>
      choice(...alternatives(original), $.abstract_block_pointer_declarator, $.abstract_member_pointer_declarator),

    // A typedef may name what is a word elsewhere (`typedef int bool;`).
    _type_declarator: ($, original) => choice(...alternatives(original, (name) => name === undefined || name === "").filter((rule) => rule.type !== "ALIAS" || rule.value !== "primitive_type"), alias($.block_pointer_type_declarator, $.block_pointer_declarator), alias($.member_pointer_type_declarator, $.member_pointer_declarator)),
    block_pointer_type_declarator: ($) => prec.right(seq("^", repeat($._pointer_qualifier), field("declarator", $._type_declarator))),

    _field_declarator: ($, original) =>
      choice(
        ...alternatives(original),
        alias($.member_pointer_field_declarator, $.member_pointer_declarator),
        alias($.block_pointer_field_declarator, $.block_pointer_declarator),
      ),
    block_pointer_field_declarator: ($) => prec.right(seq("^", repeat($._pointer_qualifier), field("declarator", $._field_declarator))),

    // `int S::*p` is a declarator of its own, not a name.
    qualified_identifier: (_, original) => without(original, "pointer_type_declarator"),
    ...memberPointerDeclarators(),

    ...pointerDeclarators(),

    // `T *p(a + b);` has an initializer: up to the bracket it reads like a function, whose bracket would come first.
    init_declarator: ($, original) =>
      choice(
        original,
        seq(
          field("declarator", choice(alias($.initialized_pointer, $.pointer_declarator), alias($.initialized_reference, $.reference_declarator))),
          field("value", $.argument_list),
        ),
      ),
    initialized_pointer: ($) => prec.dynamic(1, seq("*", repeat($._pointer_qualifier), field("declarator", $._initialized_declarator))),
    initialized_reference: ($) => prec.dynamic(1, seq(choice("&", "&&"), repeat($._pointer_qualifier), field("declarator", $._initialized_declarator))),
    _initialized_declarator: ($) =>
      choice($.identifier, alias($.initialized_pointer, $.pointer_declarator), alias($.initialized_reference, $.reference_declarator)),

    // `void (^b)(int)`
    block_pointer_declarator: ($) => prec.right(seq("^", repeat($._pointer_qualifier), field("declarator", $._declarator))),
    abstract_block_pointer_declarator: ($) =>
      prec.right(seq("^", repeat($._pointer_qualifier), field("declarator", optional($._abstract_declarator)))),

    // `int (S::*)(int)`
    abstract_member_pointer_declarator: ($) =>
      prec.right(
        seq(
          $._scope_resolution,
          choice(
            seq("*", repeat($._pointer_qualifier), field("declarator", optional($._abstract_declarator))),
            field("declarator", $.abstract_member_pointer_declarator),
          ),
        ),
      ),

    // The declarators with attributes or qualifiers after them: `x[4] __align__(16)`, `x[4] __constant`.
    attributed_declarator: ($) => prec.right(seq($._declarator, repeat1($._declarator_suffix))),
    attributed_field_declarator: ($) => prec.right(seq($._field_declarator, repeat1($._declarator_suffix))),
    attributed_type_declarator: ($) => prec.right(seq($._type_declarator, repeat1($._declarator_suffix))),
    _declarator_suffix: ($) => choice($.attribute_declaration, $.attribute_specifier, $.launch_bounds, $.type_qualifier),

    // What follows the parameters comes in any order; compilers differ in what they insist on.
    _function_declarator_seq: ($) =>
      prec.right(
        seq(
          field("parameters", $.parameter_list),
          repeat(
            choice(
              $.type_qualifier, $.ref_qualifier, $._function_exception_specification, $.attribute_specifier,
              $.attribute_declaration, $.launch_bounds, $.exec_space_specifier, $.gnu_asm_expression,
            ),
          ),
          optional($.trailing_return_type),
          optional(choice(repeat1(choice($.virtual_specifier, $.attribute_specifier)), $.requires_clause)),
        ),
      ),

    parameter_declaration: ($) =>
      seq(
        $._declaration_specifiers,
        optional(choice(field("declarator", $._declarator), seq(field("declarator", $._abstract_declarator), repeat($.attribute_specifier)))),
      ),

    optional_parameter_declaration: ($) =>
      seq(
        $._declaration_specifiers,
        field("declarator", optional(choice($._declarator, $._abstract_declarator))),
        "=",
        field("default_value", choice($.expression, $.initializer_list)),
      ),

    parameter_list: ($) =>
      seq(
        "(",
        commaSep(
          choice(
            $.parameter_declaration,
            $.optional_parameter_declaration,
            $.variadic_parameter_declaration,
            alias($.parameter_before_ellipsis, $.parameter_declaration),
            "...",
          ),
        ),
        ")",
      ),

    // The comma in `int x, ...` can be left out (C++17 §11.3.5p2).
    parameter_before_ellipsis: ($) => seq($._declaration_specifiers, field("declarator", $._declarator), "..."),

    variadic_parameter_declaration: ($) =>
      seq(
        $._declaration_specifiers,
        field(
          "declarator",
          choice(
            $.variadic_declarator,
            alias($.variadic_reference_declarator, $.reference_declarator),
            alias($.variadic_pointer_declarator, $.pointer_declarator),
          ),
        ),
      ),

    variadic_pointer_declarator: ($) =>
      seq(
        "*",
        repeat($._pointer_qualifier),
        choice(
          $.variadic_declarator,
          alias($.variadic_reference_declarator, $.reference_declarator),
          alias($.variadic_pointer_declarator, $.pointer_declarator),
        ),
      ),

    optional_type_parameter_declaration: ($) =>
      seq(choice("typename", "class"), optional(field("name", $._type_identifier)), "=", field("default_type", $.type_descriptor)),

    field_declaration: ($) =>
      seq(
        $._declaration_specifiers,
        commaSep(
          choice(
            seq(
              field("declarator", $._field_declarator),
              optional(
                choice(
                  $.bitfield_clause,
                  field("default_value", $.initializer_list),
                  seq("=", field("default_value", choice($.expression, $.initializer_list))),
                ),
              ),
            ),
            $.bitfield_clause,
          ),
        ),
        ";",
      ),

    // ------------------------------------------------------------ statements

    _non_case_statement: ($, original) => choice(...alternatives(original, (name) => name === "throw_statement")),
    _top_level_statement: ($, original) => choice(...alternatives(original, (name) => name === "throw_statement")),

    attributed_statement: ($) => seq(repeat1(choice($.attribute_declaration, $.attribute_specifier)), $.statement),

    labeled_statement: ($) =>
      prec.right(seq(field("label", $._statement_identifier), ":", optional(choice($.declaration, $.statement)))),

    case_statement: ($) =>
      prec.right(
        seq(
          choice(seq("case", field("value", $.expression), optional(seq("...", field("upper", $.expression)))), "default"),
          ":",
          repeat(
            choice(
              $._non_case_statement, $.declaration, $.type_definition, $.alias_declaration, $.using_declaration,
              $.static_assert_declaration, alias($.empty_declaration, $.declaration),
            ),
          ),
        ),
      ),

    switch_statement: ($) => seq("switch", field("condition", $.condition_clause), field("body", $.statement)),

    gnu_asm_output_operand: ($) => asmOperand($),
    gnu_asm_input_operand: ($) => asmOperand($),

    // ------------------------------------------------------------ expressions

    _expression_not_binary: ($, original) =>
      choice(
        alias($.member_pointer_expression, $.binary_expression),
        ...alternatives(original),
        alias($.kernel_call_expression, $.call_expression),
        $.typeid_expression,
        $.noexcept_expression,
        $.va_arg_expression,
        $.bit_cast_expression,
        $.types_compatible_expression,
        $.throw_expression,
        $.block_literal,
      ),

    // `a < b && c > (d)` compares; it is not the call of a template with the argument `b && c`. Telling logical operators
    // from the others makes that a matter of precedence.
    expression: ($) => choice($._plain_expression, alias($.logical_expression, $.binary_expression)),
    _plain_expression: ($) => choice($._expression_not_binary, $.binary_expression),
    binary_expression: (_, original) => choice(...alternatives(original).filter((rule) => !isLogical(rule))),
    logical_expression: () => choice(...alternatives(CPP.grammar.rules.binary_expression).filter(isLogical)),
    template_argument_list: ($) =>
      seq(
        "<",
        commaSep(
          choice(
            prec.dynamic(3, $.type_descriptor),
            prec.dynamic(2, alias($.type_parameter_pack_expansion, $.parameter_pack_expansion)),
            prec.dynamic(1, $._plain_expression),
            prec.dynamic(-1, alias($.logical_expression, $.binary_expression)),
          ),
        ),
        alias(token(prec(1, ">")), ">"),
      ),

    kernel_call_expression: ($) =>
      prec(
        PREC.CALL,
        seq(field("function", $.expression), field("launch", $.kernel_launch), field("arguments", $.argument_list)),
      ),

    // Where a launch may close, `>>>` is one token; where template arguments may, `>` is. Formatters that do not know
    // launches write `<< <` and `>> >`, which nvcc takes.
    kernel_launch: ($) => seq(choice("<<<", token(/<<\s+</)), commaSep(choice($.expression, $.initializer_list)), token(prec(1, />>\s*>/))),

    // `p->~Box<int>()`
    destructor_name: ($) => prec.right(1, seq("~", $.identifier, optional($.template_argument_list))),

    // The base keeps assignments in parentheses apart from folds; then one before a comma has to be said too.
    parenthesized_expression: ($, original) =>
      choice(...alternatives(original), seq("(", alias($._assignment_then_comma, $.comma_expression), ")")),
    _assignment_then_comma: ($) =>
      seq(
        field("left", alias($._assignment_expression_lhs, $.assignment_expression)),
        ",",
        field("right", choice($.expression, $.comma_expression)),
      ),

    // `(N) op x` and `(N)(x)` for a plain name are left to the reading as an expression, everywhere alike; the lowering
    // and the semantics turn them around.
    cast_expression: ($) =>
      prec.dynamic(-1, prec(PREC.CAST, seq("(", field("type", $.type_descriptor), ")", field("value", $.expression)))),

    call_expression: ($) =>
      choice(
        prec(PREC.CALL, seq(field("function", $.expression), field("arguments", $.argument_list))),
        // A member function calls the other one: `return operator()(i, 0);`.
        prec.dynamic(-1, seq(field("function", $.operator_name), field("arguments", $.argument_list))),
        seq(
          field("function", choice($.primitive_type, $.sized_type_specifier, $.dependent_type, $.decltype)),
          field("arguments", $.argument_list),
        ),
      ),

    compound_literal_expression: ($) =>
      choice(
        seq("(", field("type", $.type_descriptor), ")", field("value", $.initializer_list)),
        seq(
          field("type", choice($._class_name, $.primitive_type, $.sized_type_specifier, $.dependent_type, $.decltype)),
          field("value", $.initializer_list),
        ),
      ),

    unary_expression: ($, original) =>
      choice(...alternatives(original), prec.left(PREC.UNARY, seq(field("operator", "&&"), field("argument", $.identifier)))),

    alignof_expression: ($) =>
      prec(
        PREC.SIZEOF,
        seq(
          choice("__alignof__", "__alignof", "_alignof", "alignof", "_Alignof"),
          "(",
          choice(prec.dynamic(1, field("type", $.type_descriptor)), field("value", $.expression)),
          ")",
        ),
      ),

    offsetof_expression: ($) =>
      prec(
        PREC.CALL,
        seq(choice("offsetof", "__builtin_offsetof"), "(", field("type", $.type_descriptor), ",", field("member", $.expression), ")"),
      ),

    va_arg_expression: ($) =>
      prec(PREC.CALL, seq(choice("va_arg", "__builtin_va_arg"), "(", field("list", $.expression), ",", field("type", $.type_descriptor), ")")),

    // `__builtin_astype(x, __global T *)`: builtins among whose arguments stand types.
    bit_cast_expression: ($) =>
      prec(
        PREC.CALL,
        choice(
          seq(choice("__builtin_astype", "__builtin_convertvector"), "(", field("value", $.expression), ",", field("type", $.type_descriptor), ")"),
          seq("__builtin_bit_cast", "(", field("type", $.type_descriptor), ",", field("value", $.expression), ")"),
        ),
      ),

    types_compatible_expression: ($) =>
      prec(PREC.CALL, seq("__builtin_types_compatible_p", "(", $.type_descriptor, ",", $.type_descriptor, ")")),

    typeid_expression: ($) => prec(PREC.CALL + 1, seq("typeid", "(", choice(prec.dynamic(1, $.type_descriptor), $.expression), ")")),

    noexcept_expression: ($) => prec(PREC.CALL, seq("noexcept", "(", $.expression, ")")),

    throw_expression: ($) => prec.right(PREC.ASSIGNMENT, seq("throw", optional(choice($.expression, $.initializer_list)))),

    generic_expression: ($) =>
      prec(
        PREC.CALL,
        seq("_Generic", "(", $.expression, ",", commaSep1(seq(choice($.type_descriptor, "default"), ":", $.expression)), ")"),
      ),

    // `^(int a) { … }`, `^int { … }`
    block_literal: ($) =>
      prec(
        PREC.UNARY,
        seq(
          "^",
          optional(field("type", $.type_specifier)),
          optional(field("parameters", $.parameter_list)),
          field("body", $.compound_statement),
        ),
      ),

    lambda_expression: ($) =>
      seq(
        field("captures", $.lambda_capture_specifier),
        optional(seq(field("template_parameters", $.template_parameter_list), optional(field("constraint", $.requires_clause)))),
        repeat(choice($.exec_space_specifier, $.type_qualifier, $.attribute_specifier, $.attribute_declaration)),
        optional(field("declarator", alias($.lambda_declarator, $.abstract_function_declarator))),
        field("body", $.compound_statement),
      ),
    lambda_declarator: ($) => $._function_declarator_seq,

    lambda_capture_initializer: ($) =>
      seq(
        optional("&"),
        optional("..."),
        field("left", $.identifier),
        choice(seq("=", field("right", choice($.expression, $.initializer_list))), field("right", $.initializer_list)),
      ),

    new_expression: ($) =>
      prec.right(
        PREC.NEW,
        seq(
          optional("::"),
          "new",
          field("placement", optional($.argument_list)),
          choice(
            seq(
              repeat($.type_qualifier),
              field("type", $.type_specifier),
              repeat($.type_qualifier),
              field("declarator", optional(choice($.new_declarator, $.new_pointer_declarator))),
            ),
            seq("(", field("type", $.type_descriptor), ")"),
          ),
          field("arguments", optional(choice($.argument_list, $.initializer_list))),
        ),
      ),

    new_pointer_declarator: ($) =>
      prec.right(seq("*", repeat($._pointer_qualifier), field("declarator", optional(choice($.new_declarator, $.new_pointer_declarator))))),

    // Behind `delete` stand no captures: `delete[] (p)`.
    delete_expression: ($) => seq(optional("::"), choice("delete", token(/delete\s*\[\s*\]/)), $.expression),

    new_declarator: ($) =>
      prec.right(seq("[", field("length", optional($.expression)), "]", optional($.new_declarator))),

    template_function: ($) => seq(field("name", choice($.identifier, $.operator_name)), field("arguments", $.template_argument_list)),

    field_expression: ($) =>
      seq(
        prec(16, seq(field("argument", $.expression), field("operator", choice(".", ".*", "->", "->*")))),
        field(
          "field",
          choice(
            prec.dynamic(1, $._field_identifier),
            alias($.qualified_field_identifier, $.qualified_identifier),
            $.destructor_name,
            prec(-1, $.operator_name),
            $.template_method,
            alias($.dependent_field_identifier, $.dependent_name),
          ),
        ),
      ),

    // `p.template find(x)`: arguments may be left out.
    dependent_field_identifier: ($) => prec.right(seq("template", choice($.template_method, $._field_identifier))),

    // `handles->*[] (auto x) { … }`: what follows `->*` may be more than a name.
    member_pointer_expression: ($) =>
      seq(
        prec(16, seq(field("left", $.expression), field("operator", choice(".*", "->*")))),
        field("right", choice($.lambda_expression, $.parenthesized_expression, $.unary_expression, $.pointer_expression)),
      ),
    // Adjacent literals, and undefined macros among them (`"%" PRId64 "\n"`).
    concatenated_string: ($) => {
      const literal = choice($.string_literal, $.raw_string_literal);
      return prec.right(
        seq(choice(seq($.identifier, literal), seq(literal, choice(literal, $.identifier))), repeat(choice(literal, $.identifier))),
      );
    },

    number_literal: () => {
      const digits = (digit) => seq(digit, repeat(seq(optional("'"), digit)));
      const decimal = digits(/[0-9]/);
      const hex = digits(/[0-9a-fA-F]/);
      const exponent = seq(/[eE][+-]?/, decimal);
      const binaryExponent = seq(/[pP][+-]?/, decimal);
      const integerSuffix = /[uU](ll|LL|[lLzZ])?|(ll|LL|[lLzZ])[uU]?/;
      const floatSuffix = /[fF](16|32|64|128)?x?|[hHlLdDqQwW]|bf16|BF16/;
      return token(
        choice(
          seq(choice(decimal, seq(/0[xX]/, hex), seq(/0[bB]/, digits(/[01]/))), optional(integerSuffix)),
          seq(
            choice(
              seq(decimal, optional(exponent)),
              seq(decimal, ".", optional(decimal), optional(exponent)),
              seq(".", decimal, optional(exponent)),
              seq(/0[xX]/, choice(hex, seq(hex, ".", optional(hex)), seq(".", hex)), binaryExponent),
            ),
            optional(floatSuffix),
          ),
        ),
      );
    },

    true: () => "true",
    false: () => "false",
    null: () => choice("NULL", "nullptr", "__null"),
  },
});

/** Pointers and references, whose qualifiers may be any word or attribute, for the three families of declarators. */
function pointerDeclarators() {
  const rules = {};
  for (const [infix, inner] of [["", "_declarator"], ["field_", "_field_declarator"], ["type_", "_type_declarator"]]) {
    rules[`pointer_${infix}declarator`] = ($) =>
      prec.dynamic(1, prec.right(seq("*", repeat($._pointer_qualifier), optional($.ms_call_modifier), field("declarator", $[inner]))));
    rules[`reference_${infix}declarator`] = ($) =>
      prec.dynamic(1, prec.right(seq(choice("&", "&&"), repeat($._pointer_qualifier), field("declarator", $[inner]))));
  }
  rules.abstract_pointer_declarator = ($) =>
    prec.dynamic(1, prec.right(seq("*", repeat($._pointer_qualifier), field("declarator", optional($._abstract_declarator)))));
  rules.abstract_reference_declarator = ($) =>
    prec.right(seq(choice("&", "&&"), repeat($._pointer_qualifier), field("declarator", optional($._abstract_declarator))));
  rules._pointer_qualifier = ($) => choice($.type_qualifier, $.attribute_specifier, $.attribute_declaration);
  return rules;
}

/** `int S::*p`, for the same three. */
function memberPointerDeclarators() {
  const rules = {};
  for (const [infix, inner] of [["", "_declarator"], ["field_", "_field_declarator"], ["type_", "_type_declarator"]]) {
    const name = `member_pointer_${infix}declarator`;
    rules[name] = ($) =>
      prec.right(
        seq(
          $._scope_resolution,
          choice(
            seq("*", repeat($._pointer_qualifier), field("declarator", $[inner])),
            field("declarator", infix === "" ? $[name] : alias($[name], $.member_pointer_declarator)),
          ),
        ),
      );
  }
  return rules;
}

function asmOperand($) {
  return seq(
    optional(seq("[", field("symbol", $.identifier), "]")),
    field("constraint", $._string),
    "(",
    field("value", $.expression),
    ")",
  );
}
