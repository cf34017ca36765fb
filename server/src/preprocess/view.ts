/**
 * What the parser reads, and the way back to what the author wrote. A View is text in one canonical spelling with
 * directives and inactive branches blank and macros expanded; its segments say where every part came from. Producing it
 * is `preprocessor.ts`'s work.
 */
import type { Location, Span } from "../source.ts";

/** A stretch of the View's text with one origin. Segments are sorted, adjacent, and cover the whole text. */
export interface Segment {
  /** Where the stretch starts in the View's text; it ends where the next one starts. */
  readonly start: number;
  readonly uri: string;
  /** Where it starts in that file's text. */
  readonly offset: number;
  /**
   * Length in the file. Where it equals the length in the View and `expansion` is absent, offsets map one to one;
   * otherwise (a respelled keyword, an expansion) every offset maps to the whole.
   */
  readonly length: number;
  /** Present where the text came out of a macro invocation; `offset` and `length` are then the outermost invocation's. */
  readonly expansion?: Expansion;
}

/** The macro invocation that a stretch of a View came out of. */
export interface Expansion {
  /** The outermost macro's name. */
  readonly macro: string;
  /** Where that macro is defined; absent for predefined and command-line macros. */
  readonly definition?: Location;
  /**
   * Where this very stretch was spelled: in the macro's body, or, for a macro argument, at the invocation (then an edit
   * there is an edit of the author's code). Absent when it has no single place (`##`, `#`, predefined macros).
   */
  readonly spelling?: Location;
  /** The stretch was written by the author as an argument of the invocation. */
  readonly argument: boolean;
  /** The smallest invocation inside of the outermost one's arguments that the stretch came out of. */
  readonly inner?: { readonly macro: string; readonly definition?: Location; readonly span: Span };
}

/** Where a span of the View came from. */
export interface Origin {
  /** The author's code for it; for an expansion the invocation, or the argument when the whole span is one argument. */
  readonly location: Location;
  /** True where the author's text at `location` is exactly what the span says, so that an edit may replace it. */
  readonly exact: boolean;
  /** Present when any part came out of a macro: the outermost macro and its definition. */
  readonly macro?: { readonly name: string; readonly definition?: Location; readonly invocation: Location };
}

/** What the parser reads, with the way back to the author's text. */
export interface View {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** Maps a span of the View to the author's code. Total: any span gives a location. */
  origin(span: Span): Origin;
  /** The first View offset that came from this offset of that file, or undefined where it left nothing (a directive, an inactive branch). */
  offsetOf(uri: string, offset: number): number | undefined;
}

/** A `#include` at file scope. `unit` is absent when the header is missing, unread, or cut off by a cycle. */
export interface IncludeSite {
  /** Where in the including View's text the header's declarations take effect. */
  readonly at: number;
  /** As written, with its quotes or brackets. */
  readonly name: string;
  readonly location: Location;
  readonly unit?: Unit;
  /** How many of the including unit's `switches` stand in front of it; absent for none. Both may stand at one offset of the View. */
  readonly switchesBefore?: number;
}

/** `#pragma OPENCL EXTENSION name : behavior` (OpenCL C 3.0 §6.10): from here on in the View an extension is on or off. */
export interface ExtensionSwitch {
  readonly at: number;
  /** `all` for every extension. */
  readonly name: string;
  readonly isOn: boolean;
}

/** A source or a modular header after preprocessing. Equal units are the same object, so that caches may key on it. */
export interface Unit {
  readonly uri: string;
  readonly view: View;
  readonly includes: readonly IncludeSite[];
  readonly notes: readonly PreprocessorNote[];
  /** In order; absent where there are none. */
  readonly switches?: readonly ExtensionSwitch[];
  /** Where in the View a `#pragma unroll` without a factor stood; absent where there are none. */
  readonly unrolls?: readonly number[];
  /**
   * What of the files' own text holds in the compilation for the device alone: branches whose condition asks for the pass
   * (`__CUDA_ARCH__`), and invocations of macros that are defined in such. Absent where there are none.
   */
  readonly ofOnePass?: readonly Location[];
  /** Headers whose text stands in the View itself. */
  readonly spliced?: readonly string[];
  /** Headers that the host had not read yet. */
  readonly unread?: readonly string[];
  /** Nobody said how the file is built, and the build may put a header in front of it that enables `cl_khr_fp16`. */
  readonly mayEnableHalf?: true;
  /** A header is missing, or a name was looked up among all files: any file of the workspace may change what the unit is. */
  readonly asksWorkspace?: true;
  /** Of a piece of a file: the row that it belongs to. */
  readonly row?: UnitRow;
  /** It asks for `__CUDA_ARCH__`: the host's compiler reads other text than the device's, and this is the device's. */
  readonly asksArchitecture?: true;
}

/** The pieces of a file, each a unit of its own. An edit moves them, so that this says how they stand at the moment. */
export interface UnitRow {
  /** In the order of the file. */
  readonly units: readonly Unit[];
  /** Where a piece starts in the file, by the uri of its unit; undefined for any other uri. */
  startOf(uri: string): number | undefined;
}

/** Something that the preprocessor could not do; shown as a note at most, never as a finding. */
export interface PreprocessorNote {
  readonly kind:
    | "missing-header"
    | "unread-header"
    | "include-cycle"
    | "include-depth"
    | "macro-limit"
    | "macro-arguments"
    | "contested-macro"
    | "assumed-define"
    | "malformed"
    | "error-directive"
    | "kept-keyword"
    | "too-large";
  readonly message: string;
  readonly location: Location;
  /** Of a kept keyword: the word, and what a directive would have it mean. */
  readonly word?: string;
  readonly meaning?: string;
}
