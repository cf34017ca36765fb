/**
 * The segments of a View as numbers. A View has thousands of segments, few of which are ever looked at; as objects, they would be
 * most of what a checked file keeps in memory. `origin.ts` reads them, `view-writer.ts` writes them.
 */
import { areEqual, countUpTo } from "../../lists.ts";
import type { SourceSpan } from "../../source.ts";
import type { Macro } from "../macros/macros.ts";
import type { Expansion, Segment, Segments } from "./view.ts";

/** The fields of a segment in the table of numbers. */
const Field = {
  /** The start in the View's text. */
  start: 0,
  /** The number of its file. */
  file: 1,
  offset: 2,
  length: 3,
  /** The number of the outermost macro; `none` if the text came from no macro, and then the fields after it are meaningless. */
  macro: 4,
  /** The number of the file that spells it, or `none`. */
  speller: 5,
  spellingStart: 6,
  spellingEnd: 7,
  isArgument: 8,
  /** The number of the smallest invocation within the arguments, or `none`. */
  inner: 9,
} as const;
const fields = 10;
const none = -1;

/** What the numbers stand for. */
interface Numbered {
  readonly files: readonly string[];
  readonly macros: readonly Pick<Expansion, "macro" | "definition">[];
  readonly inners: readonly NonNullable<Expansion["inner"]>[];
}

class SegmentTable implements Segments {
  readonly length: number;
  readonly #numbers: Int32Array;
  readonly #values: Numbered;
  #used: ReadonlySet<string> | undefined;

  constructor(numbers: Int32Array, values: Numbered) {
    this.length = numbers.length / fields;
    this.#numbers = numbers;
    this.#values = values;
  }

  at(index: number): Segment | undefined {
    if (index < 0 || index >= this.length) return undefined;
    const expansion = this.#expansionOf(index);
    return {
      start: this.#field(index, Field.start),
      uri: this.uriOf(index),
      offset: this.offsetOf(index),
      length: this.lengthOf(index),
      ...(expansion === undefined ? {} : { expansion }),
    };
  }

  startOf(index: number): number | undefined {
    return this.#numbers[index * fields];
  }

  uriOf(index: number): string {
    return this.#values.files[this.#field(index, Field.file)] ?? "";
  }

  offsetOf(index: number): number {
    return this.#field(index, Field.offset);
  }

  lengthOf(index: number): number {
    return this.#field(index, Field.length);
  }

  isExpanded(index: number): boolean {
    return this.#field(index, Field.macro) !== none;
  }

  macroOf(index: number): Pick<Expansion, "macro" | "definition"> | undefined {
    return this.#values.macros[this.#field(index, Field.macro)];
  }

  argumentOf(index: number): SourceSpan | undefined {
    const isArgument = this.isExpanded(index) && this.#field(index, Field.isArgument) === 1;
    return isArgument && this.#field(index, Field.speller) !== none ? this.#spellingOf(index) : undefined;
  }

  innerOf(index: number): Expansion["inner"] {
    return this.isExpanded(index) ? this.#values.inners[this.#field(index, Field.inner)] : undefined;
  }

  areOfOneInvocation(one: number, other: number): boolean {
    const isSame = (which: number) => this.#field(one, which) === this.#field(other, which);
    return this.isExpanded(one) && this.isExpanded(other) && isSame(Field.file) && isSame(Field.offset) && isSame(Field.length);
  }

  areIn(uri: string): boolean {
    this.#used ??= new Set(Array.from({ length: this.length }, (_, index) => this.uriOf(index)));
    return this.#used.has(uri);
  }

  equals(other: Segments): boolean {
    return (
      other instanceof SegmentTable &&
      areEqual(this.#numbers, other.#numbers) &&
      JSON.stringify(this.#values) === JSON.stringify(other.#values)
    );
  }

  indexAt(offset: number): number {
    return Math.max(0, countUpTo(this.length, (index) => this.#numbers[index * fields], offset) - 1);
  }

  #field(index: number, which: number): number {
    return this.#numbers[index * fields + which] ?? none;
  }

  #spellingOf(index: number): SourceSpan {
    return { start: this.#field(index, Field.spellingStart), end: this.#field(index, Field.spellingEnd) };
  }

  #expansionOf(index: number): Expansion | undefined {
    const macro = this.macroOf(index);
    if (macro === undefined) return undefined;
    const speller = this.#values.files[this.#field(index, Field.speller)];
    const inner = this.innerOf(index);
    return {
      ...macro,
      ...(speller === undefined ? {} : { spelling: { uri: speller, span: this.#spellingOf(index) } }),
      argument: this.#field(index, Field.isArgument) === 1,
      ...(inner === undefined ? {} : { inner }),
    };
  }
}

/** The segments of a View without text. */
export const noSegments: Segments = new SegmentTable(new Int32Array(0), { files: [], macros: [], inners: [] });

/** The only segment of a View that is the text of a file. */
export function oneSegment(uri: string, length: number): Segments {
  const writer = createSegmentWriter();
  writer.add(0, uri, 0, length, true);
  return writer.finish();
}

/** A part of an expansion. */
export interface ExpandedPart {
  readonly macro: Macro;
  /** The file that spells the part, and the place there; undefined if no file spells it. */
  readonly speller: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly isArgument: boolean;
  readonly inner: Expansion["inner"] | undefined;
}

/** Writes the segments of a View from left to right. */
export interface SegmentWriter {
  /** Text that a file contains at `offset`, as it is there if `isLinear`. */
  add(start: number, uri: string, offset: number, length: number, isLinear: boolean): void;
  /** A part of `text` characters of the expansion of the invocation at `offset` in a file. */
  addExpanded(start: number, uri: string, offset: number, length: number, part: ExpandedPart, text: number): void;
  /** An expansion begins: its parts continue no earlier one. */
  beginExpansion(): void;
  finish(): Segments;
}

/** Creates the writer of one View's segments. A part that continues the one before it, here and where it came from, joins it. */
export function createSegmentWriter(): SegmentWriter {
  const numbers: number[] = [];
  const files = numbering<string>();
  const macros = numbering<Macro>();
  const inners = numbering<NonNullable<Expansion["inner"]>>();
  /** The last segment's first field; negative before the first segment, and where nothing may continue it. */
  let last = none;
  const field = (which: number) => numbers[last + which] ?? none;
  return {
    add: (start, uri, offset, length, isLinear) => {
      const file = files.of(uri);
      const continues =
        isLinear &&
        last >= 0 &&
        field(Field.macro) === none &&
        field(Field.file) === file &&
        field(Field.offset) + field(Field.length) === offset &&
        field(Field.length) === start - field(Field.start);
      if (continues) {
        numbers[last + Field.length] = field(Field.length) + length;
        return;
      }
      last = numbers.length;
      numbers.push(start, file, offset, length, none, none, 0, 0, 0, none);
    },
    addExpanded: (start, uri, offset, length, part, text) => {
      const speller = part.speller === undefined ? none : files.of(part.speller);
      const inner = part.inner === undefined ? none : inners.of(part.inner);
      const isArgument = part.isArgument ? 1 : 0;
      const continues =
        last >= 0 &&
        speller !== none &&
        field(Field.speller) === speller &&
        field(Field.isArgument) === isArgument &&
        field(Field.inner) === inner &&
        part.end - part.start === text &&
        field(Field.spellingEnd) === part.start &&
        field(Field.spellingEnd) - field(Field.spellingStart) === start - field(Field.start);
      if (continues) {
        numbers[last + Field.spellingEnd] = part.end;
        return;
      }
      last = numbers.length;
      numbers.push(start, files.of(uri), offset, length, macros.of(part.macro), speller, part.start, part.end, isArgument, inner);
    },
    beginExpansion: () => {
      last = none;
    },
    finish: () =>
      new SegmentTable(new Int32Array(numbers), {
        files: files.all(),
        macros: macros.all().map(({ name, definition }) => ({ macro: name, ...(definition === undefined ? {} : { definition }) })),
        inners: inners.all(),
      }),
  };
}

/** Gives numbers to values, in the order in which they are first met. */
function numbering<Value>(): { of(value: Value): number; all(): readonly Value[] } {
  const numbers = new Map<Value, number>();
  let latest: Value | undefined;
  let number = none;
  return {
    of: (value) => {
      if (value === latest) return number;
      latest = value;
      number = numbers.get(value) ?? numbers.size;
      numbers.set(value, number);
      return number;
    },
    all: () => [...numbers.keys()],
  };
}
