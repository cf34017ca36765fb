/**
 * The statements of a long text that an edit has not changed. They are not copied or lowered again: they are the same objects in
 * the next tree, so that other caches may use them as keys.
 */
import type { Statement } from "../ast.ts";

/** A statement in a block of a long text. */
export interface KeptStatement {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** Set once it is lowered. */
  statement: Statement | undefined;
  /** Something in it is nested too deeply, which the next tree must report again. */
  isTooDeep: boolean;
  /** The statements in blocks inside of it. */
  readonly inner: KeptStatement[];
}

/** The statements of a text by their starts, and those of the text before the last edit. */
export interface KeptStatements {
  readonly before: ReadonlyMap<number, KeptStatement>;
  readonly now: Map<number, KeptStatement>;
  /** True if this part of the text is the same as before, at the same offsets. */
  isUnchanged(start: number, end: number): boolean;
}

/**
 * The statement that was in this place before the edit if its text is unchanged, or a new one. `around` is what contains it,
 * outermost first. The parser reads the text of a statement the same way in every block, unless there are errors.
 */
export function keptAt(
  { before, now, isUnchanged }: KeptStatements,
  { type, start, end }: Pick<KeptStatement, "type" | "start" | "end">,
  around: readonly { readonly kept?: KeptStatement | undefined }[],
): KeptStatement {
  const known = before.get(start);
  const isSame = known?.statement !== undefined && !known.isTooDeep && known.end === end && known.type === type && isUnchanged(start, end);
  const kept = isSame ? known : { type, start, end, statement: undefined, isTooDeep: false, inner: [] };
  const open = [kept];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    now.set(next.start, next);
    for (const inner of next.inner) open.push(inner);
  }
  around.findLast((frame) => frame.kept !== undefined)?.kept?.inner.push(kept);
  return kept;
}
