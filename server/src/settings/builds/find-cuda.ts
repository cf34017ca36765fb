/**
 * Infers that CMake's old module FindCUDA compiles the project's CUDA sources. It gives nvcc the option `-DNVCC` for every source
 * (`FindCUDA/run_nvcc.cmake` of CMake 3.25), which no compiler defines by itself, so that headers with `#ifdef NVCC` around their
 * specifiers have them. A project that also enables CUDA as a language of CMake may build without the macro. Settings override it.
 */
import { isWithin } from "../../names.ts";
import { type Files, type Location, textOf } from "../../source.ts";
import { withoutRemarks } from "./build-languages.ts";
import { builtBy, createScriptAnswers } from "./script-answers.ts";

/** The macro that FindCUDA defines. */
interface DefinedMacro {
  readonly name: string;
  readonly value: string;
  /** The call in the script. */
  readonly location: Location;
}

/** Answers which sources FindCUDA compiles. */
export interface FindCuda {
  /** The macro that FindCUDA defines for a source below a script that uses it; none for any other. */
  of(name: string): readonly DefinedMacro[];
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

/** What a script says. */
interface Answer {
  /** A call of a function of FindCUDA that compiles sources. */
  readonly call?: { readonly start: number; readonly end: number };
  /** True if CUDA is a language of CMake. */
  readonly isNative: boolean;
}

const script = /(?:\/|^)CMakeLists\.txt$|\.cmake$/;
const nothing: Answer = { isNative: false };
const compiles = /\bcuda_(?:add_(?:library|executable)|compile(?:_ptx|_cubin|_fatbin)?|wrap_srcs)\b(?=\s*\()/i;
const definesCompiles = /\b(?:macro|function)\s*\(\s*cuda_(?:add_library|compile|wrap_srcs)\b/i;
const native = /\benable_language\s*\([^()]*\bCUDA\b|\bproject\s*\([^()]*\bCUDA\b|\bLANGUAGE\s+"?CUDA\b/i;

/** Creates the inference. It reads each script once, and again when it changes. */
export function createFindCuda(files: Files): FindCuda {
  const answers = createScriptAnswers(
    files,
    (name) => answerIn(name, textOf(files, name)),
    nothing,
    (name) => script.test(name),
  );
  return {
    of: (name) => {
      const all = [...answers.all()];
      if (all.some(([, { isNative }]) => isNative)) return [];
      return all
        .flatMap(([uri, { call }]) =>
          call !== undefined && isWithin(name, builtBy(uri)) ? [{ name: "NVCC", value: "1", location: { uri, span: call } }] : [],
        )
        .slice(0, 1);
    },
    changed: (names) => answers.changed(names),
  };
}

function answerIn(name: string, given: string): Answer {
  if (!/cuda/i.test(given)) return nothing;
  const text = withoutRemarks(name, given);
  // A copy of the module is not a use of it.
  const call = definesCompiles.test(text) ? null : compiles.exec(text);
  return {
    isNative: native.test(text),
    ...(call === null ? {} : { call: { start: call.index, end: call.index + call[0].length } }),
  };
}
