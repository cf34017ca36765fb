/**
 * Makes a plain copy of tree-sitter's tree in one walk, because every access to a tree-sitter node crosses into wasm and back.
 * Comments are left out. Unparsable code is marked, so that lowering never needs the parser.
 */
import type { ViewSpan } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import { type KeptStatement, type KeptStatements, keptAt } from "./kept-statements.ts";

/** A node of the parser, copied out of its memory. */
export interface RawNode {
  /** The grammar's node type; the spelling for a token. */
  readonly type: string;
  /** The grammar's field of this node in its parent, or "". */
  readonly field: string;
  readonly start: number;
  readonly end: number;
  /** The spelling of a leaf (also of literals and operator names, whose parts are not needed); "" otherwise. */
  readonly text: string;
  readonly isNamed: boolean;
  readonly children: readonly RawNode[];
  /** The parser skipped or inserted something directly in this node, so its shape proves nothing. */
  readonly isBroken: boolean;
  /** Set for a statement of a long body. */
  readonly kept?: KeptStatement;
}

/** The part of tree-sitter's cursor that the copy uses. */
export interface Cursor {
  readonly nodeTypeId: number;
  readonly currentFieldId: number;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly nodeIsMissing: boolean;
  readonly currentNode: { readonly hasError: boolean };
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
}

/** What the copy needs to know about the grammar, by tree-sitter's numbers. */
export interface NodeTypes {
  readonly names: readonly string[];
  readonly isNamed: readonly boolean[];
  readonly fields: readonly string[];
}

/** Stands for a subtree that is nested too deeply. */
const tooDeep = "TOO_DEEP";

/** Real code does not nest deeper. Everything that walks the tree recurses, so this limit protects the stack. */
const maximumDepth = 500;

interface Frame {
  readonly type: string;
  readonly field: string;
  readonly start: number;
  readonly end: number;
  readonly children: RawNode[];
  isBroken: boolean;
  readonly kept?: KeptStatement | undefined;
  /** In a block: the statement that was copied last has errors. */
  isDoubted?: boolean;
}

const none: readonly RawNode[] = [];

/** The text of a body that is not empty but was skipped. */
export const skippedBody = "{…}";

/** Options of the copy. */
export interface CopyOptions {
  /** The tree contains no errors, so nodes need not be tested for them. */
  readonly isClean: boolean;
  /** Leaves the bodies of functions empty. */
  readonly skipsBodies: boolean;
  /** Where statements are kept. */
  readonly statements?: KeptStatements | undefined;
  /** Converts the parser's offsets to those of the text. */
  placeOf(offset: number): number;
}

/** The number of nodes that are copied in one step, which takes some twenty milliseconds. */
const nodesInStep = 32_768;

/**
 * Copies the subtree at the cursor, in steps, and leaves the cursor where it was. Appends the topmost unreadable places to
 * `errors`, and undefined words to `unknown`.
 */
export function* copySubtree(
  cursor: Cursor,
  text: string,
  types: NodeTypes,
  { isClean, skipsBodies, statements, placeOf }: CopyOptions,
  errors: ViewSpan[],
  unknown: ViewSpan[],
): Steps<RawNode> {
  const root: Frame = { type: "", field: "", start: 0, end: 0, children: [], isBroken: false };
  const frames: Frame[] = [root];
  let parent = root;
  let errorDepth = 0;
  let left = nodesInStep;
  for (;;) {
    left -= 1;
    if (left === 0) {
      left = nodesInStep;
      yield;
    }
    const typeId = cursor.nodeTypeId;
    // ERROR is not in the language's list of node types; its number is beyond all others.
    const type = types.names[typeId] ?? "ERROR";
    if (types.isNamed[typeId] === false) {
      if (!isClean || !brackets.has(type)) copyToken(cursor, type, types, { isClean, placeOf }, parent, errorDepth === 0 ? errors : []);
    } else if (!extras.has(type)) {
      const start = placeOf(cursor.startIndex);
      const end = placeOf(cursor.endIndex);
      const field = types.fields[cursor.currentFieldId] ?? "";
      const isError = type === "ERROR";
      const kept =
        statements !== undefined && parent.type === "compound_statement" && (isClean || isUndoubted(cursor, parent))
          ? keptAt(statements, { type, start, end }, frames)
          : undefined;
      if (isError && errorDepth === 0) errors.push({ start, end });
      if (type === unknownWords) unknown.push({ start, end });
      if (isError || (type === unknownWords && !tagHeads.has(parent.type))) {
        if (!containers.has(parent.type)) parent.isBroken = true;
      }
      if (kept?.statement !== undefined)
        parent.children.push({ type, field, start, end, text: "", isNamed: true, children: none, isBroken: false, kept });
      else if (frames.length > maximumDepth && !leaves.has(type)) {
        if (errorDepth === 0 && !isError) errors.push({ start, end });
        for (const { kept: outer } of frames) if (outer !== undefined) outer.isTooDeep = true;
        parent.children.push({ type: tooDeep, field, start, end, text: "", isNamed: true, children: none, isBroken: true });
      } else if (skipsBodies && type === "compound_statement" && parent.type === "function_definition") {
        parent.children.push({
          type,
          field,
          start,
          end,
          text: isBlankBody(text, start, end) ? "" : skippedBody,
          isNamed: true,
          children: none,
          isBroken: false,
        });
      } else if (!leaves.has(type) && cursor.gotoFirstChild()) {
        if (isError) errorDepth++;
        parent = { type, field, start, end, children: [], isBroken: false, kept };
        frames.push(parent);
        continue;
      } else {
        if (start === end && cursor.nodeIsMissing) noteMissing(parent, start, errorDepth === 0 ? errors : []);
        const spelling = text.slice(start, end);
        parent.children.push({ type, field, start, end, text: spelling, isNamed: true, children: none, isBroken: false });
      }
    }
    while (frames.length === 1 || !cursor.gotoNextSibling()) {
      const done = frames.length === 1 ? root.children[0] : undefined;
      if (done !== undefined) return done;
      cursor.gotoParent();
      const { type, field, start, end, children, isBroken, kept } = parent;
      frames.pop();
      if (type === "ERROR") errorDepth--;
      parent = frames[frames.length - 1] ?? root;
      if (isBroken && !absorbing.has(type) && !containers.has(parent.type)) parent.isBroken = true;
      const node: RawNode = { type, field, start, end, text: "", isNamed: true, children, isBroken };
      parent.children.push(kept === undefined ? node : { ...node, kept });
    }
  }
}

/** True for a statement with no error in it or directly before it. Such an error would make lowering doubt the statement. */
function isUndoubted(cursor: Cursor, block: Frame): boolean {
  const { isDoubted = false } = block;
  block.isDoubted = cursor.currentNode.hasError;
  return !isDoubted && !block.isDoubted;
}

/** True if only white space and comments separate the braces. */
function isBlankBody(text: string, start: number, end: number): boolean {
  return /^\{(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*\}$/.test(text.slice(start, end));
}

/** Copies a token. Its end follows from its spelling, unless the parser inserted it. */
function copyToken(
  cursor: Cursor,
  type: string,
  types: NodeTypes,
  { isClean, placeOf }: Pick<CopyOptions, "isClean" | "placeOf">,
  parent: Frame,
  errors: ViewSpan[],
): void {
  const start = placeOf(cursor.startIndex);
  const isMissing = !isClean && start === placeOf(cursor.endIndex) && cursor.nodeIsMissing;
  if (isMissing) noteMissing(parent, start, errors);
  const end = isMissing ? start : start + type.length;
  const field = types.fields[cursor.currentFieldId] ?? "";
  parent.children.push({ type, field, start, end, text: type, isNamed: false, children: none, isBroken: false });
}

function noteMissing(parent: Frame, at: number, errors: ViewSpan[]): void {
  errors.push({ start: at, end: at });
  if (!containers.has(parent.type)) parent.isBroken = true;
}

/** Nodes of which only the text is needed. */
const leaves: ReadonlySet<string> = new Set([
  "string_literal",
  "raw_string_literal",
  "char_literal",
  "number_literal",
  "operator_name",
  "destructor_name",
]);

/** Nodes that may occur anywhere and have no meaning. */
const extras: ReadonlySet<string> = new Set(["comment", "pragma"]);

/** Undefined macros, which leave open what the surrounding code means. */
export const unknownWords = "unknown_words";

/** Heads of classes, in which such a macro is an attribute, whatever it means: `class EXPORT S {`. */
const tagHeads: ReadonlySet<string> = new Set(["class_specifier", "struct_specifier", "union_specifier", "enum_specifier"]);

/** Tokens that are never needed, unless one is missing. They are a third of all nodes. */
const brackets: ReadonlySet<string> = new Set([";", "(", ")", "{", "}"]);

/** Lists of independent elements: an unreadable one says nothing about its neighbors. */
const containers: ReadonlySet<string> = new Set([
  "translation_unit",
  "declaration_list",
  "field_declaration_list",
  "compound_statement",
  "case_statement",
  "ERROR",
]);

/** Expression nodes. An error makes its own expression unknown, but not the code around it. */
export const expressionTypes: ReadonlySet<string> = new Set([
  "identifier",
  "field_identifier",
  "qualified_identifier",
  "template_function",
  "template_method",
  "dependent_name",
  "operator_name",
  "destructor_name",
  "number_literal",
  "char_literal",
  "string_literal",
  "raw_string_literal",
  "concatenated_string",
  "user_defined_literal",
  "true",
  "false",
  "null",
  "this",
  "conditional_expression",
  "assignment_expression",
  "comma_expression",
  "unary_expression",
  "update_expression",
  "binary_expression",
  "pointer_expression",
  "cast_expression",
  "sizeof_expression",
  "alignof_expression",
  "offsetof_expression",
  "bit_cast_expression",
  "typeid_expression",
  "noexcept_expression",
  "generic_expression",
  "subscript_expression",
  "call_expression",
  "field_expression",
  "compound_literal_expression",
  "parenthesized_expression",
  "gnu_asm_expression",
  "extension_expression",
  "initializer_list",
  "co_await_expression",
  "throw_expression",
  "requires_expression",
  "requires_clause",
  "new_expression",
  "delete_expression",
  "lambda_expression",
  "block_literal",
  "parameter_pack_expansion",
  "fold_expression",
  tooDeep,
]);

/** Statement nodes other than expression types and items. */
export const statementTypes: ReadonlySet<string> = new Set([
  "compound_statement",
  "expression_statement",
  "attributed_statement",
  "labeled_statement",
  "case_statement",
  "if_statement",
  "switch_statement",
  "while_statement",
  "do_statement",
  "for_statement",
  "for_range_loop",
  "return_statement",
  "co_return_statement",
  "co_yield_statement",
  "throw_statement",
  "break_statement",
  "continue_statement",
  "goto_statement",
  "try_statement",
]);

/** Item nodes. */
export const itemTypes: ReadonlySet<string> = new Set([
  "declaration",
  "field_declaration",
  "function_definition",
  "type_definition",
  "template_declaration",
  "template_instantiation",
  "namespace_definition",
  "namespace_alias_definition",
  "linkage_specification",
  "using_declaration",
  "alias_declaration",
  "static_assert_declaration",
  "concept_definition",
  "friend_declaration",
  "macro_definition",
]);

/** Names: a broken one makes everything that contains it broken too. */
const names: ReadonlySet<string> = new Set(["qualified_identifier", "template_function", "template_method", "dependent_name"]);

const absorbing: ReadonlySet<string> = new Set(
  [...expressionTypes, ...statementTypes, ...itemTypes, "ERROR"].filter((type) => !names.has(type)),
);

// ---------------------------------------------------------------- reading

/** The child of that field, or undefined. */
export function fieldOf(node: RawNode, field: string): RawNode | undefined {
  for (const child of node.children) if (child.field === field) return child;
  return undefined;
}

/** The first child of that type, or undefined. */
export function childOf(node: RawNode, type: string): RawNode | undefined {
  for (const child of node.children) if (child.type === type) return child;
  return undefined;
}

/** True if the node has this token among its children. */
export function hasToken(node: RawNode, token: string): boolean {
  return node.children.some((child) => child.type === token);
}

/** The span of the node. */
export function spanOf(node: RawNode): ViewSpan {
  return { start: node.start, end: node.end };
}

/** The spellings of all leaves, with a space between two words; for nodes that are kept only as text. */
export function leafText(node: RawNode): string {
  if (node.children.length === 0) return node.text;
  let text = "";
  for (const child of node.children) {
    const next = leafText(child);
    text += /\w$/.test(text) && /^\w/.test(next) ? ` ${next}` : next;
  }
  return text;
}
