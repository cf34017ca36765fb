/**
 * Infers whether Microsoft's compiler compiles the host code of a CUDA source: a Visual Studio project lists the source, or a build
 * script of its folders passes `-ccbin cl.exe` or sets CMake's variable for it. Settings override the inference.
 */
import { folderOf, foldersUpTo, resolveName } from "../../names.ts";
import { type Files, textOf } from "../../source.ts";
import { withoutRemarks } from "./build-languages.ts";
import { createScriptAnswers } from "./script-answers.ts";

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
const compiled = /<CudaCompile\b[^<>]*?\bInclude\s*=\s*"([^"<>]*)"/g;

const nothing: Built = { sources: [], folder: undefined };

/** Creates the inference for a root. It reads build scripts once, and again when one of them changes. */
export function createHostCompilerInference(root: string, files: Files): HostCompilerInference {
  const read = (script: string): Built => {
    const text = textOf(files, script);
    const folder = folderOf(script);
    if (!/CudaCompile|-ccbin|--compiler-bindir|CUDA_HOST_COMPILER/.test(text)) return nothing;
    const said = withoutRemarks(script, text);
    const sources = [...said.matchAll(compiled)].flatMap(([, list = ""]) =>
      list
        .split(";")
        .map((path) => resolveName(folder, path.replace(/^\$\((?:ProjectDir|MSBuildThisFileDirectory)\)/, "").replaceAll("\\", "/"))),
    );
    return { sources, folder: passed.test(said) ? folder : undefined };
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
