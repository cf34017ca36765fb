/** Maps between a View and the author's text in both directions: from a span to its origin, and from a place to its part of the View. */
import { areEqual, countUpTo } from "../../lists.ts";
import type { SourceSpan, UnitLocation, ViewSpan } from "../../source.ts";
import { noSegments } from "./segments.ts";
import type { Expansion, Origin, Segment, Segments, View, ViewParts } from "./view.ts";

/** The View of a file in which nothing is left to read. */
export function emptyView(uri: string): View {
  return createView({ uri, text: "", segments: noSegments, blanks: noPlaces, comments: noPlaces, splices: [] });
}

const noPlaces = new Int32Array(0);

/** Creates the View from a writer's parts. Tables for the reverse mapping are built on first use. */
export function createView(parts: ViewParts): View {
  const { text, segments } = parts;
  const lookup: Lookup = { ...parts, nextExpansion: undefined };
  let places: ReadonlyMap<string, Places> | undefined;
  return {
    text,
    segments,
    parts,
    origin: (span) => originOf(lookup, span),
    offsetOf: (uri, offset) => {
      places ??= placesOf(lookup);
      const of = places.get(uri);
      if (of === undefined) return undefined;
      const plain = find(of.plain, offset);
      if (plain !== undefined) {
        const at = plain.isLinear ? plain.view + offset - plain.from : plain.view;
        if (!isWithin(parts.blanks, at)) return at;
        return undefined;
      }
      const hit = find(of.spelled, offset);
      if (hit !== undefined) return hit.isLinear ? hit.view + offset - hit.from : hit.view;
      return find(of.invocations, offset)?.view;
    },
    isComment: (offset) => isWithin(parts.comments, offset),
  };
}

/** True if both Views have the same text from the same places. */
export function areEqualViews({ parts: a }: View, { parts: b }: View): boolean {
  return (
    a.uri === b.uri &&
    a.text === b.text &&
    areEqual(a.blanks, b.blanks) &&
    areEqual(a.comments, b.comments) &&
    a.segments.equals(b.segments) &&
    JSON.stringify(a.splices) === JSON.stringify(b.splices)
  );
}

interface Lookup extends ViewParts {
  /** For each segment, the index of the next one from there on that came from a macro. */
  nextExpansion: Int32Array | undefined;
}

function endOf({ segments, text }: Pick<ViewParts, "segments" | "text">, index: number): number {
  return segments.startOf(index + 1) ?? text.length;
}

function isWithin(places: Int32Array, offset: number): boolean {
  return offset < endOfLast(places, offset);
}

/** The end of the last place that begins at or before the offset; -1 if there is none. */
function endOfLast(places: Int32Array, offset: number): number {
  const count = countUpTo(places.length / 2, (index) => places[2 * index], offset);
  return places[2 * count - 1] ?? -1;
}

// ---------------------------------------------------------------- from the View to the author's code

function originOf(lookup: Lookup, span: ViewSpan): Origin {
  const { segments, text } = lookup;
  const start = Math.min(Math.max(0, span.start), text.length);
  const end = Math.min(Math.max(start, span.end), text.length);
  if (segments.length === 0) return { location: { uri: lookup.uri, span: { start: 0, end: 0 } }, exact: false };
  const first = segments.indexAt(start);
  const last = Math.max(first, segments.indexAt(Math.max(start, end - 1)));
  if (segments.areOfOneInvocation(first, last)) return withinInvocation(lookup, first, last, start, end);

  const expansion = nextExpansion(lookup, first);
  const from: UnitLocation = {
    uri: segments.uriOf(first),
    span: { start: offsetIn(lookup, first, start, "start"), end: offsetIn(lookup, first, Math.min(end, endOf(lookup, first)), "end") },
  };
  const to: UnitLocation =
    first === last
      ? from
      : {
          uri: segments.uriOf(last),
          span: { start: offsetIn(lookup, last, segments.startOf(last) ?? 0, "start"), end: offsetIn(lookup, last, end, "end") },
        };
  const location = first === last ? from : covering(lookup, from, start, to, Math.max(start, end - 1));
  const isWhole = coversStart(lookup, first, start) && coversEnd(lookup, last, end);
  const isExact = expansion > last && isWhole && !isInterrupted(lookup, start, end);
  return { location, exact: isExact, ...(expansion > last ? {} : macroOf(segments, expansion)) };
}

function macroOf(segments: Segments, index: number): Pick<Origin, "macro"> {
  const { macro: name, definition } = segments.macroOf(index) ?? {};
  if (name === undefined) return {};
  const invocation: UnitLocation = { uri: segments.uriOf(index), span: sourceSpanOf(segments, index) };
  return { macro: { name, ...(definition === undefined ? {} : { definition }), invocation } };
}

function sourceSpanOf(segments: Segments, index: number): SourceSpan {
  const start = segments.offsetOf(index);
  return { start, end: start + segments.lengthOf(index) };
}

/**
 * The origin of a span that came from one invocation: an argument, an invocation inside of an argument, or else the whole
 * invocation.
 */
function withinInvocation(lookup: Lookup, first: number, last: number, start: number, end: number): Origin {
  const { segments } = lookup;
  const uri = segments.uriOf(first);
  let from = Number.POSITIVE_INFINITY;
  let to = -1;
  let isExact = true;
  let inner: Expansion["inner"] | undefined;
  for (let index = first; index <= last; index += 1) {
    const viewStart = segments.startOf(index) ?? 0;
    const viewEnd = endOf(lookup, index);
    const argument = segments.argumentOf(index);
    const own = segments.innerOf(index);
    if (argument !== undefined) {
      const isLinear = argument.end - argument.start === viewEnd - viewStart;
      const segmentStart = isLinear ? argument.start + Math.max(0, start - viewStart) : argument.start;
      const segmentEnd = isLinear ? argument.end - Math.max(0, viewEnd - end) : argument.end;
      if (!isLinear && (start > viewStart || end < viewEnd)) isExact = false;
      if (to >= 0 && segmentStart !== to) isExact = false;
      from = Math.min(from, segmentStart);
      to = Math.max(to, segmentEnd);
    } else if (own !== undefined) {
      isExact = false;
      from = Math.min(from, own.span.start);
      to = Math.max(to, own.span.end);
      if (inner === undefined || own.span.end - own.span.start > inner.span.end - inner.span.start) inner = own;
    } else return { location: { uri, span: sourceSpanOf(segments, first) }, exact: false, ...macroOf(segments, first) };
  }
  const span: SourceSpan = { start: from, end: Math.max(from, to) };
  if (inner === undefined || inner.span.start !== span.start || inner.span.end !== span.end)
    return { location: { uri, span }, exact: isExact, ...macroOf(segments, first) };
  const { macro: name, definition } = inner;
  return {
    location: { uri, span },
    exact: false,
    macro: { name, ...(definition === undefined ? {} : { definition }), invocation: { uri, span } },
  };
}

function nextExpansion(lookup: Lookup, index: number): number {
  if (lookup.nextExpansion === undefined) {
    const { segments } = lookup;
    lookup.nextExpansion = new Int32Array(segments.length);
    let next = segments.length;
    for (let at = segments.length - 1; at >= 0; at -= 1) {
      if (segments.isExpanded(at)) next = at;
      lookup.nextExpansion[at] = next;
    }
  }
  return lookup.nextExpansion[index] ?? Number.POSITIVE_INFINITY;
}

function isLinear({ segments, text }: ViewParts, index: number): boolean {
  const start = segments.startOf(index);
  if (start === undefined || segments.isExpanded(index)) return false;
  return segments.lengthOf(index) === endOf({ segments, text }, index) - start;
}

/** The offset in the file; for a part that is spelled otherwise there, its start or its end. */
function offsetIn(lookup: ViewParts, index: number, offset: number, otherwise: "start" | "end"): number {
  const { segments } = lookup;
  const length = segments.lengthOf(index);
  const within = offset - (segments.startOf(index) ?? 0);
  const relative = isLinear(lookup, index) ? Math.min(Math.max(0, within), length) : otherwise === "start" ? 0 : length;
  return segments.offsetOf(index) + relative;
}

function coversStart(lookup: ViewParts, index: number, offset: number): boolean {
  return isLinear(lookup, index) || offset <= (lookup.segments.startOf(index) ?? 0);
}

function coversEnd(lookup: ViewParts, index: number, offset: number): boolean {
  return isLinear(lookup, index) || offset >= endOf(lookup, index);
}

/** True if the span contains a directive, an inactive branch or a spliced header. */
function isInterrupted({ blanks, splices }: ViewParts, start: number, end: number): boolean {
  if (endOfLast(blanks, Math.max(start, end - 1)) > start) return true;
  return splices.some((splice) => (splice.start > start && splice.start < end) || (splice.end > start && splice.end < end));
}

/** The smallest location that contains both; if they are in different files, includes stand for the headers. */
function covering(lookup: ViewParts, from: UnitLocation, fromAt: number, to: UnitLocation, toAt: number): UnitLocation {
  const outsideOf = (at: number, other: number) =>
    lookup.splices.find((splice) => splice.start <= at && at < splice.end && !(splice.start <= other && other < splice.end))?.site;
  const head = outsideOf(fromAt, toAt) ?? from;
  const tail = outsideOf(toAt, fromAt) ?? to;
  if (head.uri !== tail.uri) return head;
  const start = Math.min(head.span.start, tail.span.start);
  return { uri: head.uri, span: { start, end: Math.max(start, head.span.end, tail.span.end) } };
}

// ---------------------------------------------------------------- from the author's code to the View

/** A part of a file, and its place in the View. */
interface Place {
  readonly from: number;
  readonly to: number;
  readonly view: number;
  readonly isLinear: boolean;
}

interface Places {
  readonly plain: readonly Place[];
  /** Arguments of macros. */
  readonly spelled: readonly Place[];
  readonly invocations: readonly Place[];
}

function placesOf(lookup: ViewParts): ReadonlyMap<string, Places> {
  const found = new Map<string, { plain: Place[]; spelled: Place[]; invocations: Place[] }>();
  for (let index = 0; index < lookup.segments.length; index += 1) {
    const segment = lookup.segments.at(index) as Segment;
    let of = found.get(segment.uri);
    if (of === undefined) {
      of = { plain: [], spelled: [], invocations: [] };
      found.set(segment.uri, of);
    }
    const { start, offset, length, expansion } = segment;
    const viewLength = endOf(lookup, index) - start;
    if (expansion === undefined) of.plain.push({ from: offset, to: offset + length, view: start, isLinear: length === viewLength });
    else {
      if (index === 0 || !lookup.segments.areOfOneInvocation(index - 1, index))
        of.invocations.push({ from: offset, to: offset + length, view: start, isLinear: false });
      const spelled = expansion.argument ? expansion.spelling?.span : undefined;
      if (spelled !== undefined)
        of.spelled.push({ from: spelled.start, to: spelled.end, view: start, isLinear: spelled.end - spelled.start === viewLength });
    }
  }
  return new Map(
    [...found].map(([uri, { plain, spelled, invocations }]) => [
      uri,
      { plain: disjoint(plain), spelled: disjoint(spelled), invocations: disjoint(invocations) },
    ]),
  );
}

/** Sorted and without overlaps. If a part of the file is in the View more than once, its first place counts. */
function disjoint(places: Place[]): readonly Place[] {
  places.sort((a, b) => a.from - b.from || a.view - b.view);
  const result: Place[] = [];
  let covered = 0;
  for (const place of places) {
    if (place.to <= covered) continue;
    const cut = Math.max(0, covered - place.from);
    result.push(
      cut === 0 ? place : { from: covered, to: place.to, view: place.isLinear ? place.view + cut : place.view, isLinear: place.isLinear },
    );
    covered = place.to;
  }
  return result;
}

function find(places: readonly Place[], offset: number): Place | undefined {
  const place = places[countUpTo(places.length, (at) => places[at]?.from, offset) - 1];
  return place !== undefined && offset < place.to ? place : undefined;
}
