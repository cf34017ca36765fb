[(function_definition) (compound_statement) (for_statement) (block_literal)] @local.scope

(parameter_declaration declarator: (identifier) @local.definition.parameter)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local.definition.parameter))
(declaration declarator: (identifier) @local.definition.var)
(declaration declarator: (pointer_declarator declarator: (identifier) @local.definition.var))
(declaration declarator: (array_declarator declarator: (identifier) @local.definition.var))
(init_declarator declarator: (identifier) @local.definition.var)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local.definition.var))
(init_declarator declarator: (array_declarator declarator: (identifier) @local.definition.var))
(function_declarator declarator: (identifier) @local.definition.function)
(type_definition declarator: (type_identifier) @local.definition.type)
(preproc_def name: (identifier) @local.definition.macro)
(preproc_function_def name: (identifier) @local.definition.macro)

(identifier) @local.reference
(type_identifier) @local.reference
