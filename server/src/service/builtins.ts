/**
 * What the languages themselves declare, as read for a parser: predefined macros, preludes, and the trees of both the preludes
 * and the builtin functions. No file changes any of it, so all services of a parser share it.
 */
import { createPreludes, type Preludes } from "../preprocess/preludes.ts";
import { type BuiltinTrees, keepBuiltinTrees } from "../syntax/cache.ts";
import type { SyntaxParser } from "../syntax/parser.ts";

/** What services share. */
export interface Builtins {
  readonly preludes: Preludes;
  readonly trees: BuiltinTrees;
}

/** The names that services met are kept with what they share: beyond so many, the next service begins anew. */
const mostNames = 500_000;

const known = new WeakMap<SyntaxParser, Builtins>();

/** What the services of a parser share. */
export function builtinsOf(parser: SyntaxParser): Builtins {
  const shared = known.get(parser);
  if (shared !== undefined && shared.preludes.interner.count() <= mostNames) return shared;
  const fresh = { preludes: createPreludes(), trees: shared?.trees ?? keepBuiltinTrees(parser) };
  known.set(parser, fresh);
  return fresh;
}
