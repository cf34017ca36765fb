/**
 * Infers whether Microsoft's compiler compiles the host code of a CUDA source in some build: a Visual Studio project lists the source, or
 * a build script of its folders passes `-ccbin cl.exe`, sets CMake's variable for it, or chooses what it does with CUDA by this compiler
 * or by Windows, where nvcc has no other. Settings override the inference.
 */
import { baseNameOf, folderOf, foldersUpTo, resolveName } from "../../names.ts";
import { type Files, textOf } from "../../source.ts";
import { withoutRemarks } from "./build-languages.ts";
import { builtBy, createScriptAnswers } from "./script-answers.ts";

/** Answers which host compiler a project names. */
export interface HostCompilerInference {
  /** True if Microsoft's compiler compiles the host code of this source. */
  isMicrosoft(name: string): boolean;
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

/** The sources and folders whose host code Microsoft's compiler compiles, according to one script. */
interface Built {
  readonly sources: readonly string[];
  readonly folder: string | undefined;
}

const passed =
  /(?<![\w-])(?:-ccbin|--compiler-bindir)[= ,"']+[^\s"',]*?(?<![\w.])cl(?:\.exe)?(?=["'\s,)]|$)|\bCMAKE_CUDA_HOST_COMPILER"?[\s=]+"?(?:[^\s"()]*[\\/])?cl(?:\.exe)?"?\s*[)\s]/i;
/**
 * Matches a condition about Microsoft's compiler in CMake that is about CUDA, too, or decides something about CUDA. Its branch ends at the
 * next one, or where another condition begins.
 */
const decided =
  /\b(?:else)?if\s?\((?=[^\n]{0,300}\bMSVC\b)(?:[^\n]{0,300}CUDA|[^\n]{0,300}\n(?:(?![ \t]*(?:else(?:if)?|endif|if)\b)[^\n]*\n){0,40}?(?![ \t]*(?:else(?:if)?|endif|if)\b)[^\n]{0,300}(?:CUDA_|COMPILE_LANGUAGE:CUDA|\bcuda_|nvcc))/i;
/** Matches a condition about Windows in Python that is about nvcc, too, or the first line of whose branch is. */
const decidedInPython =
  /^[ \t]*(?:el)?if\b(?=[^\n]{0,300}(?:["']Windows["']|\bwin32\b|["']nt["']))(?:[^\n]{0,300}|[^\n]{0,300}\n[^\n]{0,300})\bnvcc\b/m;
const compiled = /<CudaCompile\b[^<>]*?\bInclude\s*=\s*"([^"<>]*)"/g;

const nothing: Built = { sources: [], folder: undefined };

/** Creates the inference for a root. It reads build scripts once, and again when one of them changes. */
export function createHostCompilerInference(root: string, files: Files): HostCompilerInference {
  const read = (script: string): Built => {
    const text = textOf(files, script);
    const folder = folderOf(script);
    if (!/CudaCompile|-ccbin|--compiler-bindir|CUDA_HOST_COMPILER|MSVC|nvcc/.test(text)) return nothing;
    const said = withoutRemarks(script, text);
    // Copies of CMake's own modules are for every project.
    const name = baseNameOf(script);
    const isDecided = /^(?:CMakeLists\.txt|(?!Find).*\.cmake)$/.test(name)
      ? decided.test(said)
      : /\.py$/.test(name) && decidedInPython.test(said);
    const sources = [...said.matchAll(compiled)].flatMap(([, list = ""]) =>
      list
        .split(";")
        .map((path) => resolveName(folder, path.replace(/^\$\((?:ProjectDir|MSBuildThisFileDirectory)\)/, "").replaceAll("\\", "/"))),
    );
    return { sources, folder: passed.test(said) ? folder : isDecided ? builtBy(script) : undefined };
  };
  const built = createScriptAnswers(files, read, nothing);
  return {
    isMicrosoft: (name) => {
      const found = [...built.all().values()];
      if (found.some(({ sources }) => sources.includes(name))) return true;
      const folders = new Set(found.flatMap(({ folder }) => folder ?? []));
      return folders.size > 0 && foldersUpTo(name, root).some((folder) => folders.has(folder));
    },
    changed: built.changed,
  };
}
