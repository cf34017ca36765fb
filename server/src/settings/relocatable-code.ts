/**
 * Infers whether the build scripts of a CUDA file's folders request relocatable device code: `-rdc=true`, `-dc`, CMake's
 * `CUDA_SEPARABLE_COMPILATION`, `dlink=True` of PyTorch's extensions, Visual Studio's `GenerateRelocatableDeviceCode`. A script without
 * them proves nothing, and settings override the inference.
 */
import { foldersUpTo } from "../names.ts";
import type { Files } from "../source.ts";
import { withoutRemarks } from "./builds/build-languages.ts";
import { builtBy, createScriptAnswers } from "./builds/script-answers.ts";

/** Answers whether device code of several files is linked together. */
export interface RelocatableInference {
  /** True if a script in the file's folder, or in one above it, requests it. */
  of(name: string): boolean;
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

const asked =
  /(?<![\w-])(?:-{1,2}rdc[= ]true|--relocatable-device-code[= ]true|-dc|--device-c|-fgpu-rdc)(?![\w-])|\b(?:CMAKE_)?CUDA_SEPARABLE_COMPILATION"?[\s,=]+"?(?:ON|TRUE|YES|1)\b|\b(?:CMAKE_)?CUDA_RESOLVE_DEVICE_SYMBOLS"?[\s,=]+"?(?:ON|TRUE|YES|1)\b|<GenerateRelocatableDeviceCode\b[^<>]*>\s*true\s*<|\bdlink\s*=\s*True\b/i;

/** Creates the inference for a root. It reads build scripts once, and again when one of them changes. */
export function createRelocatableInference(root: string, files: Files): RelocatableInference {
  const asks = (name: string): boolean => {
    const text = files.read(name);
    if (text === "absent" || text === "unread" || !/cuda|nvcc|gpu-rdc/i.test(text)) return false;
    return asked.test(withoutRemarks(name, text));
  };
  const answers = createScriptAnswers(files, asks, false);
  return {
    of: (name) => {
      const found = new Set([...answers.all()].filter(([, isAsked]) => isAsked).map(([script]) => builtBy(script)));
      return found.size > 0 && foldersUpTo(name, root).some((folder) => found.has(folder));
    },
    changed: answers.changed,
  };
}
