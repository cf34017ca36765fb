/** Maps between a View and the author's text in both directions: from a span to its origin, and from a place to its part of the View. */
import { countUpTo } from "../lists.ts";
import type { SourceSpan, UnitLocation, ViewSpan } from "../source.ts";
import type { Expansion, Origin, Segment, View } from "./view.ts";

/** A header whose text is in the View, and its include. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly site: UnitLocation;
}

/** The parts of a View. */
export interface ViewParts {
  readonly uri: string;
  readonly text: string;
  readonly segments: readonly Segment[];
  /** The places of directives and inactive branches, as View offsets, sorted. */
  readonly blanks: readonly ViewSpan[];
  /** The places of comments and line continuations, sorted; without those of shortened gaps. */
  readonly comments: readonly ViewSpan[];
  /** Sorted by start, outer ones first. */
  readonly splices: readonly Splice[];
}

/** Creates the View from a writer's parts. Tables for the reverse mapping are built on first use. */
export function createView(parts: ViewParts): View {
  const { text, segments } = parts;
  const lookup: Lookup = { ...parts, nextExpansion: undefined };
  let places: ReadonlyMap<string, Places> | undefined;
  return {
    text,
    segments,
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

interface Lookup extends ViewParts {
  /** For each segment, the index of the next one from there on that came from a macro. */
  nextExpansion: Int32Array | undefined;
}

function endOf({ segments, text }: ViewParts, index: number): number {
  return segments[index + 1]?.start ?? text.length;
}

function isWithin(spans: readonly ViewSpan[], offset: number): boolean {
  const index = countUpTo(spans.length, (at) => spans[at]?.start, offset) - 1;
  return index >= 0 && offset < (spans[index]?.end ?? 0);
}

// ---------------------------------------------------------------- from the View to the author's code

function originOf(lookup: Lookup, span: ViewSpan): Origin {
  const { segments, text } = lookup;
  const start = Math.min(Math.max(0, span.start), text.length);
  const end = Math.min(Math.max(start, span.end), text.length);
  const indexAt = (offset: number) => Math.max(0, countUpTo(segments.length, (at) => segments[at]?.start, offset) - 1);
  const first = indexAt(start);
  const last = Math.max(first, indexAt(Math.max(start, end - 1)));
  const head = segments[first];
  const tail = segments[last];
  if (head === undefined || tail === undefined) return { location: { uri: lookup.uri, span: { start: 0, end: 0 } }, exact: false };
  if (head.expansion !== undefined && isSameInvocation(head, tail)) return withinInvocation(lookup, first, last, start, end);

  const expansion = nextExpansion(lookup, first);
  const by = expansion <= last ? segments[expansion] : undefined;
  const from: UnitLocation = {
    uri: head.uri,
    span: { start: startIn(lookup, first, start), end: endIn(lookup, first, Math.min(end, endOf(lookup, first))) },
  };
  const to: UnitLocation =
    first === last ? from : { uri: tail.uri, span: { start: startIn(lookup, last, tail.start), end: endIn(lookup, last, end) } };
  const location = first === last ? from : covering(lookup, from, start, to, Math.max(start, end - 1));
  const isWhole = coversStart(lookup, first, start) && coversEnd(lookup, last, end);
  const isExact = by === undefined && isWhole && !isInterrupted(lookup, start, end);
  return { location, exact: isExact, ...(by === undefined ? {} : macroOf(by)) };
}

function isSameInvocation(a: Segment, b: Segment): boolean {
  return a.expansion !== undefined && b.expansion !== undefined && a.uri === b.uri && a.offset === b.offset && a.length === b.length;
}

function macroOf({ expansion, uri, offset, length }: Segment): Pick<Origin, "macro"> {
  if (expansion === undefined) return {};
  const { macro: name, definition } = expansion;
  return {
    macro: {
      name,
      ...(definition === undefined ? {} : { definition }),
      invocation: { uri, span: { start: offset, end: offset + length } },
    },
  };
}

/**
 * The origin of a span that came from one invocation: an argument, an invocation inside of an argument, or else the whole
 * invocation.
 */
function withinInvocation(lookup: Lookup, first: number, last: number, start: number, end: number): Origin {
  const { segments } = lookup;
  const head = segments[first] as Segment;
  const { uri } = head;
  let from = Number.POSITIVE_INFINITY;
  let to = -1;
  let isExact = true;
  let inner: Expansion["inner"] | undefined;
  for (let index = first; index <= last; index += 1) {
    const segment = segments[index] as Segment;
    const { expansion } = segment;
    const viewEnd = endOf(lookup, index);
    if (expansion?.argument === true && expansion.spelling !== undefined) {
      const { span } = expansion.spelling;
      const isLinear = span.end - span.start === viewEnd - segment.start;
      const segmentStart = isLinear ? span.start + Math.max(0, start - segment.start) : span.start;
      const segmentEnd = isLinear ? span.end - Math.max(0, viewEnd - end) : span.end;
      if (!isLinear && (start > segment.start || end < viewEnd)) isExact = false;
      if (to >= 0 && segmentStart !== to) isExact = false;
      from = Math.min(from, segmentStart);
      to = Math.max(to, segmentEnd);
    } else if (expansion?.inner !== undefined) {
      isExact = false;
      from = Math.min(from, expansion.inner.span.start);
      to = Math.max(to, expansion.inner.span.end);
      if (inner === undefined || expansion.inner.span.end - expansion.inner.span.start > inner.span.end - inner.span.start)
        inner = expansion.inner;
    } else return { location: { uri, span: { start: head.offset, end: head.offset + head.length } }, exact: false, ...macroOf(head) };
  }
  const span: SourceSpan = { start: from, end: Math.max(from, to) };
  if (inner === undefined || inner.span.start !== span.start || inner.span.end !== span.end)
    return { location: { uri, span }, exact: isExact, ...macroOf(head) };
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
      if (segments[at]?.expansion !== undefined) next = at;
      lookup.nextExpansion[at] = next;
    }
  }
  return lookup.nextExpansion[index] ?? Number.POSITIVE_INFINITY;
}

function isLinear(lookup: ViewParts, index: number): boolean {
  const segment = lookup.segments[index];
  return segment !== undefined && segment.expansion === undefined && segment.length === endOf(lookup, index) - segment.start;
}

function startIn(lookup: ViewParts, index: number, offset: number): number {
  const segment = lookup.segments[index] as Segment;
  return isLinear(lookup, index) ? segment.offset + Math.min(Math.max(0, offset - segment.start), segment.length) : segment.offset;
}

function endIn(lookup: ViewParts, index: number, offset: number): number {
  const segment = lookup.segments[index] as Segment;
  return isLinear(lookup, index)
    ? segment.offset + Math.min(Math.max(0, offset - segment.start), segment.length)
    : segment.offset + segment.length;
}

function coversStart(lookup: ViewParts, index: number, offset: number): boolean {
  return isLinear(lookup, index) || offset <= (lookup.segments[index]?.start ?? 0);
}

function coversEnd(lookup: ViewParts, index: number, offset: number): boolean {
  return isLinear(lookup, index) || offset >= endOf(lookup, index);
}

/** True if the span contains a directive, an inactive branch or a spliced header. */
function isInterrupted({ blanks, splices }: ViewParts, start: number, end: number): boolean {
  const blank = blanks[countUpTo(blanks.length, (at) => blanks[at]?.start, Math.max(start, end - 1)) - 1];
  if (blank !== undefined && blank.end > start) return true;
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
  let previous: Segment | undefined;
  for (const [index, segment] of lookup.segments.entries()) {
    let of = found.get(segment.uri);
    if (of === undefined) {
      of = { plain: [], spelled: [], invocations: [] };
      found.set(segment.uri, of);
    }
    const { start, offset, length, expansion } = segment;
    const viewLength = endOf(lookup, index) - start;
    if (expansion === undefined) of.plain.push({ from: offset, to: offset + length, view: start, isLinear: length === viewLength });
    else {
      if (previous === undefined || !isSameInvocation(previous, segment))
        of.invocations.push({ from: offset, to: offset + length, view: start, isLinear: false });
      const spelled = expansion.argument ? expansion.spelling?.span : undefined;
      if (spelled !== undefined)
        of.spelled.push({ from: spelled.start, to: spelled.end, view: start, isLinear: spelled.end - spelled.start === viewLength });
    }
    previous = segment;
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
