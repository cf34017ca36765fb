/** Maps places of a source in a literal to its host, where that is possible. */
import type { EmbeddedSource } from "../embedded/embedded.ts";
import type { SourceSpan } from "../source.ts";

/** The place in the host; undefined if literals, escapes or quotes split it. */
export function inOnePiece(source: EmbeddedSource, span: SourceSpan): SourceSpan | undefined {
  const place = source.toHost(span);
  return place.end - place.start === span.end - span.start ? place : undefined;
}
