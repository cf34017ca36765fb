; What follows overrides what precedes it.

(identifier) @variable
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]*$"))

[
  "break" "case" "const" "continue" "default" "do" "else" "enum" "extern" "for" "goto" "if" "inline" "return" "sizeof" "static"
  "struct" "switch" "typedef" "union" "volatile" "while" "restrict" "__const" "__volatile" "pipe"
] @keyword

[
  "#define" "#elif" "#elifdef" "#elifndef" "#else" "#endif" "#if" "#ifdef" "#ifndef" "#include" (preproc_directive)
] @keyword.directive

(ms_restrict_modifier) @keyword
(kernel_specifier) @keyword.function
(address_space) @keyword.modifier
(access_qualifier) @keyword.modifier
(attribute_specifier) @attribute

[
  "=" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>=" "+" "-" "*" "/" "%" "++" "--" "==" "!=" "<" ">" "<=" ">=" "!" "&&" "||"
  "&" "|" "^" "~" "<<" ">>" "->" "?" ":"
] @operator

["." ";" ","] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

(string_literal) @string
(system_lib_string) @string
(escape_sequence) @string.escape
(char_literal) @string
(number_literal) @number
[(true) (false)] @boolean
(null) @constant.builtin
(comment) @comment

(field_identifier) @property
(statement_identifier) @label
(type_identifier) @type
(primitive_type) @type.builtin
(sized_type_specifier) @type.builtin

(call_expression function: (identifier) @function.call)
((call_expression function: (identifier) @function.builtin)
  (#match? @function.builtin "^(get_(global|local|group|work|num|enqueued|image|sub_group|default_queue|pipe|fence)\\w*|(sub_group|work_group|atomic|atom|async|convert|as|native|half)_\\w+|(read|write)_(image|pipe|mem_fence)\\w*|v(load|store)a?(2|3|4|8|16|_half)\\w*|barrier|mem_fence|prefetch|wait_group_events|enqueue_(kernel|marker)|ndrange_[123]D|to_(global|local|private)|shuffle2?)$"))
(function_declarator declarator: (identifier) @function)
(parameter_declaration declarator: (identifier) @variable.parameter)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @variable.parameter))
(preproc_function_def name: (identifier) @function.macro)
(preproc_def name: (identifier) @constant.macro)
