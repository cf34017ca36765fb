(function_definition declarator: (function_declarator declarator: (identifier) @name)) @item
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @item
(struct_specifier name: (type_identifier) @name body: (_)) @item
(type_definition declarator: (type_identifier) @name) @item
(preproc_def name: (identifier) @name) @item
(preproc_function_def name: (identifier) @name) @item
