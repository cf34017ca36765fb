/**
 * OpenCL C as authors write it, for editors that color and navigate with tree-sitter. It extends tree-sitter-c, which knows directives,
 * by the words and forms of OpenCL C 1.0 to 3.0. The checker does not use it: it reads macros expanded, with `../grammar.js`.
 */
const C = require("tree-sitter-c/grammar");

const spellings = (word) => [word, `__${word}`];

const SCALARS = ["half", "uchar", "ushort", "uint", "ulong"];
const VECTORS = ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"];
const OPAQUE = [
  "image1d_t", "image1d_array_t", "image1d_buffer_t", "image2d_t", "image2d_array_t", "image2d_depth_t", "image2d_array_depth_t",
  "image2d_msaa_t", "image2d_array_msaa_t", "image2d_msaa_depth_t", "image2d_array_msaa_depth_t", "image3d_t", "sampler_t",
  "event_t", "clk_event_t", "queue_t", "ndrange_t", "reserve_id_t", "cl_mem_fence_flags", "memory_order", "memory_scope",
  "atomic_int", "atomic_uint", "atomic_long", "atomic_ulong", "atomic_float", "atomic_double", "atomic_flag",
  "atomic_size_t", "atomic_ptrdiff_t", "atomic_intptr_t", "atomic_uintptr_t",
];

module.exports = grammar(C, {
  name: "opencl",

  rules: {
    address_space: () => choice(...["global", "local", "constant", "private", "generic"].flatMap(spellings)),

    access_qualifier: () => choice(...["read_only", "write_only", "read_write"].flatMap(spellings)),

    kernel_specifier: () => choice(...spellings("kernel")),

    type_qualifier: ($, original) => choice(original, $.address_space, $.access_qualifier, "__const", "__volatile", "pipe"),

    _declaration_modifiers: ($, original) => choice(original, $.kernel_specifier),

    primitive_type: (_, original) =>
      token(choice(original.content, ...SCALARS, ...VECTORS.flatMap((name) => [2, 3, 4, 8, 16].map((width) => `${name}${width}`)), ...OPAQUE)),

    number_literal: (_, original) => choice(original, token(/(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?[hH]/)),

    _type_definition_type: ($) => {
      const modifiers = repeat(choice($.type_qualifier, $.attribute_specifier));
      return seq(modifiers, field("type", $.type_specifier), modifiers);
    },

    // `__attribute__((opencl_unroll_hint(4))) for (…)`
    attributed_statement: ($, original) => choice(original, prec.dynamic(-1, seq($.attribute_specifier, choice($.for_statement, $.while_statement, $.do_statement)))),

    // Blocks of OpenCL 2.0: `int (^square)(int) = ^(int x) { return x * x; };`
    block_literal: ($) =>
      seq("^", optional(field("type", $.primitive_type)), optional(field("parameters", $.parameter_list)), field("body", $.compound_statement)),

    _expression_not_binary: ($, original) => choice(original, $.block_literal),

    _declarator: ($, original) => choice(original, $.block_declarator),
    _type_declarator: ($, original) => choice(original, alias($.block_type_declarator, $.block_declarator)),
    _abstract_declarator: ($, original) => choice(original, $.abstract_block_declarator),
    block_declarator: ($) => prec.dynamic(1, prec.right(seq("^", repeat($.type_qualifier), field("declarator", $._declarator)))),
    block_type_declarator: ($) => prec.dynamic(1, prec.right(seq("^", repeat($.type_qualifier), field("declarator", $._type_declarator)))),
    abstract_block_declarator: ($) => prec.dynamic(1, prec.right(seq("^", repeat($.type_qualifier), field("declarator", optional($._abstract_declarator))))),
  },
});
