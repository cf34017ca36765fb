/**
 * Infers whether some build script or Python source of the project passes `--expt-relaxed-constexpr` to nvcc, with which device code
 * may call constexpr functions of the host, or builds with PyTorch or Paddle, which pass it by themselves. A project without either
 * proves nothing, and settings override the inference.
 */
import type { Files } from "../source.ts";
import { isBuildFile } from "./builds/build-languages.ts";
import { isPythonSource } from "./standard-statements.ts";

/** Answers whether the project relaxes the rule for constexpr functions. */
export interface RelaxedConstexprInference {
  isRelaxed(): boolean;
  /** Reports that these files were edited, created or deleted. True if the answer may differ now. */
  changed(names: readonly string[]): boolean;
}

const option = /(?<![\w-])-{1,2}expt-relaxed-constexpr\b/;
/** The module with which Python builds an extension: `torch.utils.cpp_extension`, whose `COMMON_NVCC_FLAGS` have the option; Paddle's too. */
const extensionModule = /\bcpp_extension\b/;
/** PyTorch's package for CMake appends the option to `CMAKE_CUDA_FLAGS` (`Caffe2/public/cuda.cmake`). */
const torchPackage = /\bfind_package\s*\(\s*(?:Torch|Caffe2)\b/i;

/** Creates the inference. It reads the files once, and again when one of them changes. */
export function createRelaxedConstexprInference(files: Files): RelaxedConstexprInference {
  let answer: boolean | undefined;
  const mayTell = (name: string): boolean => isBuildFile(name) || isPythonSource(name);
  return {
    isRelaxed() {
      if (answer !== undefined) return answer;
      const names = files.list().filter(mayTell);
      const found = names.some((name) => relaxes(name, files.read(name)));
      // While one of them is unread, the answer is not kept.
      if (found || !names.some((name) => files.read(name) === "unread")) answer = found;
      return found;
    },
    changed(names) {
      if (answer === undefined || !names.some(mayTell)) return false;
      answer = undefined;
      return true;
    },
  };
}

function relaxes(name: string, text: string): boolean {
  return option.test(text) || (isPythonSource(name) ? extensionModule : torchPackage).test(text);
}
