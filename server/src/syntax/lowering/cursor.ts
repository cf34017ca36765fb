/**
 * A cursor over a tree of tree-sitter. tree-sitter's own TreeCursor copies its position into the parser's memory and back at every
 * call, so that a check of OpenCL takes a fifth longer, one of CUDA 7 %. `fastCursorAt` leaves it there, and takes it out only while
 * other work may use that memory. It needs functions that web-tree-sitter does not export, so `ordinaryCursorAt` does the same without them.
 */

/** Walks over the nodes of a tree. */
export interface Cursor {
  /** tree-sitter's numbers of the current node's type and field. */
  typeId(): number;
  fieldId(): number;
  start(): number;
  end(): number;
  /** The parser has inserted the node. */
  isMissing(): boolean;
  /** The node or a part of it was skipped or inserted. */
  hasError(): boolean;
  toFirstChild(): boolean;
  toNextSibling(): boolean;
  toParent(): void;
  /** Must be called before other work with the parser, and `resume` before the next call of anything else. */
  pause(): void;
  resume(): void;
}

/** The functions of web-tree-sitter's wasm module that a cursor calls; each takes its position from the transfer buffer. */
export interface Runtime {
  /** Returns the address of the transfer buffer. */
  _ts_init(): number;
  getValue(address: number, type: "i32"): number;
  setValue(address: number, value: number, type: "i32"): void;
  readonly _ts_tree_cursor_current_node_type_id_wasm: (tree: number) => number;
  readonly _ts_tree_cursor_current_field_id_wasm: (tree: number) => number;
  readonly _ts_tree_cursor_start_index_wasm: (tree: number) => number;
  readonly _ts_tree_cursor_end_index_wasm: (tree: number) => number;
  readonly _ts_tree_cursor_current_node_is_missing_wasm: (tree: number) => number;
  readonly _ts_tree_cursor_goto_first_child_wasm: (tree: number) => number;
  readonly _ts_tree_cursor_goto_next_sibling_wasm: (tree: number) => number;
  readonly _ts_tree_cursor_goto_parent_wasm: (tree: number) => number;
}

/** What is needed of a TreeCursor: its position, and its tree, whose first number is its address. */
interface CursorPosition extends PublicCursor {
  /** Four numbers. */
  readonly handles: number[];
  readonly tree: { readonly 0: number };
}

/** The part of a TreeCursor that web-tree-sitter documents. */
export interface PublicCursor {
  readonly currentNode: { readonly hasError: boolean };
  readonly nodeTypeId: number;
  readonly currentFieldId: number;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly nodeIsMissing: boolean;
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
}

const positions = [0, 1, 2, 3] as const;
const sizeOfNumber = 4;

/** A cursor that starts where the TreeCursor is. `placeOf` converts the parser's offsets to those of the text. */
export function cursorAt(cursor: PublicCursor, runtime: Runtime | undefined, placeOf: (offset: number) => number): Cursor {
  return runtime !== undefined && hasPosition(cursor) ? fastCursorAt(runtime, cursor, placeOf) : ordinaryCursorAt(cursor, placeOf);
}

/** True if the position is where web-tree-sitter 0.27.2 has it. Another version may keep it elsewhere, and the fast cursor is not used then. */
export function hasPosition(cursor: PublicCursor): cursor is CursorPosition {
  const { handles } = cursor as Partial<CursorPosition>;
  return Array.isArray(handles) && handles.length === positions.length;
}

function ordinaryCursorAt(cursor: PublicCursor, placeOf: (offset: number) => number): Cursor {
  return {
    typeId: () => cursor.nodeTypeId,
    fieldId: () => cursor.currentFieldId,
    start: () => placeOf(cursor.startIndex),
    end: () => placeOf(cursor.endIndex),
    isMissing: () => cursor.nodeIsMissing,
    hasError: () => cursor.currentNode.hasError,
    toFirstChild: () => cursor.gotoFirstChild(),
    toNextSibling: () => cursor.gotoNextSibling(),
    toParent: () => {
      cursor.gotoParent();
    },
    pause: () => undefined,
    resume: () => undefined,
  };
}

/** Until `pause`, no other work may be done with the parser. */
function fastCursorAt(runtime: Runtime, position: CursorPosition, placeOf: (offset: number) => number): Cursor {
  const buffer = runtime._ts_init();
  const tree = position.tree[0];
  const { handles } = position;
  const pause = () => {
    for (const at of positions) handles[at] = runtime.getValue(buffer + at * sizeOfNumber, "i32");
  };
  const resume = () => {
    for (const at of positions) runtime.setValue(buffer + at * sizeOfNumber, handles[at] ?? 0, "i32");
  };
  resume();
  // The runtime has hundreds of functions, so looking one up takes longer than calling it.
  const typeId = runtime._ts_tree_cursor_current_node_type_id_wasm;
  const fieldId = runtime._ts_tree_cursor_current_field_id_wasm;
  const start = runtime._ts_tree_cursor_start_index_wasm;
  const end = runtime._ts_tree_cursor_end_index_wasm;
  const isMissing = runtime._ts_tree_cursor_current_node_is_missing_wasm;
  const toFirstChild = runtime._ts_tree_cursor_goto_first_child_wasm;
  const toNextSibling = runtime._ts_tree_cursor_goto_next_sibling_wasm;
  const toParent = runtime._ts_tree_cursor_goto_parent_wasm;
  return {
    typeId: () => typeId(tree),
    fieldId: () => fieldId(tree),
    start: () => placeOf(start(tree)),
    end: () => placeOf(end(tree)),
    isMissing: () => isMissing(tree) === 1,
    hasError: () => {
      pause();
      const { hasError } = position.currentNode;
      resume();
      return hasError;
    },
    toFirstChild: () => toFirstChild(tree) === 1,
    toNextSibling: () => toNextSibling(tree) === 1,
    toParent: () => {
      toParent(tree);
    },
    pause,
    resume,
  };
}
