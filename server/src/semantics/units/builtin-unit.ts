/** The unit of declarations of the language that are parsed when a file first needs them. */
import { createView } from "../../preprocess/view/origin.ts";
import { oneSegment } from "../../preprocess/view/segments.ts";
import type { Unit, View } from "../../preprocess/view/view.ts";

/** A unit for a text with declarations of the language. */
export function builtinUnit(text: string): Unit {
  const uri = "builtin:functions";
  const none = new Int32Array(0);
  const parts = { uri, text, segments: oneSegment(uri, text.length), blanks: none, comments: none, splices: [] };
  const view: View = {
    ...createView(parts),
    origin: ({ start, end }) => ({ location: { uri, span: { start, end } }, exact: false }),
    offsetOf: () => undefined,
  };
  return { uri, view, includes: [], notes: [] };
}
