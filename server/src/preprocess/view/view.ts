/**
 * The text that the parser reads, with the mapping back to the author's text. A View is text in one canonical spelling with
 * directives and inactive branches blank and macros expanded; its segments tell where every part came from. `preprocessor.ts`
 * creates it.
 */
import type { SourceSpan, UnitLocation, UnitUri, ViewSpan } from "../../source.ts";

/** A part of the View's text with one origin. Segments are sorted, adjacent, and cover the whole text. */
export interface Segment {
  /** The start in the View's text; the end is the start of the next one. */
  readonly start: number;
  readonly uri: string;
  /** The start in that file's text. */
  readonly offset: number;
  /**
   * The length in the file. If it equals the length in the View and `expansion` is absent, offsets map one to one; otherwise (a
   * respelled keyword, an expansion) every offset maps to the whole.
   */
  readonly length: number;
  /** Present if the text came from a macro invocation; `offset` and `length` are then those of the outermost invocation. */
  readonly expansion?: Expansion;
}

/** The segments of a View, in order, as a table: `at` makes an object of one, and each of the other methods reads a part of it. */
export interface Segments {
  readonly length: number;
  /** The segment at an index; undefined if there is none. */
  at(index: number): Segment | undefined;
  /** The start of the segment at an index, which is not negative; undefined if there is none. */
  startOf(index: number): number | undefined;
  uriOf(index: number): string;
  offsetOf(index: number): number;
  lengthOf(index: number): number;
  /** True if the segment came from a macro invocation. */
  isExpanded(index: number): boolean;
  /** The outermost macro that the segment came from. */
  macroOf(index: number): Pick<Expansion, "macro" | "definition"> | undefined;
  /** Where the author wrote the segment as an argument of an invocation. */
  argumentOf(index: number): SourceSpan | undefined;
  innerOf(index: number): Expansion["inner"];
  /** True if both segments came from one invocation. */
  areOfOneInvocation(one: number, other: number): boolean;
  /** True if one of them is in this file: the View's own, or one that is included in the middle of a declaration. */
  areIn(uri: string): boolean;
  equals(other: Segments): boolean;
  /** The index of the segment that contains an offset of the View: the last that begins at or before it. 0 if there is none. */
  indexAt(offset: number): number;
}

/** The macro invocation that a part of a View came from. */
export interface Expansion {
  /** The outermost macro's name. */
  readonly macro: string;
  /** Where that macro is defined; absent for predefined and command-line macros. */
  readonly definition?: UnitLocation;
  /**
   * Where this very part was spelled: in the macro's body, or, for a macro argument, in the invocation (then an edit there is an
   * edit of the author's code). Absent if it has no single place (`##`, `#`, predefined macros).
   */
  readonly spelling?: UnitLocation;
  /** The author wrote this part as an argument of the invocation. */
  readonly argument: boolean;
  /** The smallest invocation within the outermost one's arguments that the part came from. */
  readonly inner?: { readonly macro: string; readonly definition?: UnitLocation; readonly span: SourceSpan };
}

/** The origin of a span of the View. */
export interface Origin {
  /** The author's code for it; for an expansion the invocation, or the argument if the whole span is one argument. */
  readonly location: UnitLocation;
  /** True if the author's text at `location` equals the span, so that an edit may replace it. */
  readonly exact: boolean;
  /** Present if any part came from a macro: the outermost macro and its definition. */
  readonly macro?: { readonly name: string; readonly definition?: UnitLocation; readonly invocation: UnitLocation };
}

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
  readonly segments: Segments;
  /** The places of directives and inactive branches in the View, sorted: start, end, start, end, and so on. */
  readonly blanks: Int32Array;
  /** The places of comments and line continuations, in the same form; without those of shortened gaps. */
  readonly comments: Int32Array;
  /** Sorted by start, outer ones first. */
  readonly splices: readonly Splice[];
}

/** The text that the parser reads, with the mapping back to the author's text. */
export interface View {
  readonly text: string;
  readonly segments: Segments;
  /** What it was created from, to compare it with others. */
  readonly parts: ViewParts;
  /** Maps a span of the View to the author's code. Total: any span gives a location. */
  origin(span: ViewSpan): Origin;
  /** The first View offset that came from this offset of that file, or undefined if it left nothing (a directive, an inactive branch). */
  offsetOf(uri: string, offset: number): number | undefined;
  /** True if the blank at this View offset stands for a part of a comment or of a line continuation, rather than for white space. */
  isComment(offset: number): boolean;
}

/** An `#include` at file scope. `unit` is absent if the header is missing, unread, or cut off by a cycle. */
export interface IncludeSite {
  /** Where in the including View's text the header's declarations take effect. */
  readonly at: number;
  /** As written, with its quotes or brackets. */
  readonly name: string;
  readonly location: UnitLocation;
  readonly unit?: Unit;
  /** How many of the including unit's `switches` precede it; absent for none. Both may be at one offset of the View. */
  readonly switchesBefore?: number;
  /** The pieces of the header follow this one, because it is open too. `unit` is absent until a semantic model is made of all pieces. */
  readonly isFollowed?: true;
}

/** `#pragma OPENCL EXTENSION name : behavior` (OpenCL C 3.0 §6.10): from here on in the View an extension is enabled or disabled. */
export interface ExtensionSwitch {
  readonly at: number;
  /** `all` for every extension. */
  readonly name: string;
  readonly isOn: boolean;
}

/** A source or a modular header after preprocessing. Equal units are the same object, so that caches may key on it. */
export interface Unit {
  readonly uri: UnitUri;
  readonly view: View;
  readonly includes: readonly IncludeSite[];
  readonly notes: readonly PreprocessorNote[];
  /** The branches of conditionals that are left out, in order; absent if there are none. */
  readonly inactiveBranches?: readonly InactiveBranch[];
  /** In order; absent if there are none. */
  readonly switches?: readonly ExtensionSwitch[];
  /** Where the View had a `#pragma unroll` without a factor; absent if there are none. */
  readonly unrolls?: readonly number[];
  /**
   * Parts of the files' own text that only the compilation for the device reads: branches whose condition tests for the pass
   * (`__CUDA_ARCH__`), and invocations of macros that are defined in such. Absent if there are none.
   */
  readonly ofOnePass?: readonly UnitLocation[];
  /** Headers whose text is in the View itself. */
  readonly spliced?: readonly string[];
  /** Headers that the host had not read yet. */
  readonly unread?: readonly string[];
  /** The questions of its includes, as in `resolve.ts`, without those of headers that are units of their own. */
  readonly includeQuestions?: readonly string[];
  /** The names whose definitions were looked up among all files, also in its headers. */
  readonly lookedUpNames?: readonly string[];
  /** For a piece of a file: the row that it belongs to. */
  readonly row?: UnitRow;
  /** It tests `__CUDA_ARCH__`: the host's compiler reads other text than the device's, which this is. */
  readonly testsArchitecture?: true;
}

/** The pieces of a file, each a unit of its own. An edit moves them; this gives their present positions. */
export interface UnitRow {
  /** In the order of the file. */
  readonly units: readonly Unit[];
  /** The start of a piece in the file, by the uri of its unit; undefined for any other uri. */
  startOf(uri: string): number | undefined;
}

/** A branch of a conditional that is left out, with the reason in words. */
export interface InactiveBranch<At = UnitLocation> {
  readonly message: string;
  /** The directive. */
  readonly location: At;
}

/** Something that the preprocessor could not do; shown at most as a note, never as a finding. */
export interface PreprocessorNote {
  readonly kind:
    | "missing-header"
    | "unread-header"
    | "include-cycle"
    | "include-depth"
    | "macro-limit"
    | "macro-arguments"
    | "conflicting-macro"
    | "assumed-define"
    | "malformed"
    | "error-directive"
    | "kept-keyword"
    | "too-large";
  readonly message: string;
  readonly location: UnitLocation;
  /** For a kept keyword: the word, and the meaning that a directive would give it. For a conflicting macro: the macro that decides it. */
  readonly word?: string;
  readonly meaning?: string;
  /** For a missing header: its name, with its quotes or brackets. */
  readonly header?: string;
}
