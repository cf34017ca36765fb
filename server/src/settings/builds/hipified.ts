/**
 * Infers whether HIP's compiler compiles a file that is written for CUDA: a build script that translates its sources to HIP, or compiles
 * them as HIP, names the file, and names CUDA nowhere. Settings override the inference.
 */
import { folderOf, resolveName } from "../../names.ts";
import { type Files, textOf } from "../../source.ts";
import { withoutRemarks } from "./build-languages.ts";
import { createScriptAnswers } from "./script-answers.ts";

/** Answers which files a project compiles as HIP. */
export interface HipInference {
  /** True if HIP's compiler alone compiles this file. */
  isHip(name: string): boolean;
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

const asHip = /\bhipify\b|\bhip_add_(?:library|executable)\b|\b(?:LANGUAGES?[^()]*|enable_language\s*\(\s*)\bHIP\b/i;
/** A script with these words may build the file for CUDA as well. Names of files may contain them. */
const forCuda = /(?<![A-Za-z])CUDA(?![A-Za-z])|\bnvcc\b|\bcuda_(?:add|compile)\w*|\bcudatoolkit\b/i;
const sourceName = /(?<![\w./-])[\w./-]+\.(?:cuh?|hip|h|hh|hpp|c|cc|cpp|cxx)(?![\w.])/g;

/** Creates the inference. It reads build scripts once, and again when one of them changes. */
export function createHipInference(files: Files): HipInference {
  const sourcesIn = (script: string): readonly string[] => {
    const text = textOf(files, script);
    if (!asHip.test(text)) return [];
    const said = withoutRemarks(script, text);
    if (!asHip.test(said) || forCuda.test(said.replace(sourceName, " "))) return [];
    return [...said.matchAll(sourceName)].map(([name]) => resolveName(folderOf(script), name));
  };
  const answers = createScriptAnswers(files, sourcesIn, []);
  return {
    isHip: (name) => [...answers.all().values()].some((sources) => sources.includes(name)),
    changed: answers.changed,
  };
}
