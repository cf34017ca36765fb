/**
 * The languages' own declarations, as read for a parser: predefined macros, preludes, and the trees of both the preludes and the
 * builtin functions. No file changes them, so all services of a parser share them.
 */
import { createPreludes, type Preludes } from "../preprocess/preludes.ts";
import { type BuiltinTrees, keepBuiltinTrees } from "../syntax/cache.ts";
import type { SyntaxParser } from "../syntax/parser.ts";

/** The data that services share. */
export interface Builtins {
  readonly preludes: Preludes;
  readonly trees: BuiltinTrees;
}

/** How many names may be kept with the shared data. Beyond this number, the next service gets new shared data. */
const mostNames = 500_000;

const known = new WeakMap<SyntaxParser, Builtins>();

/** The shared data of a parser's services. */
export function builtinsOf(parser: SyntaxParser): Builtins {
  const shared = known.get(parser);
  if (shared !== undefined && shared.preludes.interner.count() <= mostNames) return shared;
  const fresh = { preludes: createPreludes(), trees: shared?.trees ?? keepBuiltinTrees(parser) };
  known.set(parser, fresh);
  return fresh;
}
