/**
 * Formats a source with the clang-format that is installed, by the `.clang-format` of its project. Without such a file nothing is
 * formatted, because the program's own style is not the author's.
 */
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { programOf } from "./programs.ts";

/** A file that takes longer is left as it is. */
const mostMilliseconds = 10_000;

/** The formatter of this machine; undefined if none is installed. It gives the new text of a file, or undefined if it fails. */
export function clangFormat(): ((name: string, text: string) => Promise<string | undefined>) | undefined {
  const program = programOf("clang-format");
  if (program === undefined) return undefined;
  return (name, text) => {
    const path = pathOf(name);
    if (path === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const run = execFile(
        program,
        // Other names than those of C and C++ would be formatted as text of another language.
        ["--style=file", "--fallback-style=none", `--assume-filename=${path.replace(/\.[^./\\]*$/, "")}.cpp`],
        { cwd: dirname(path), timeout: mostMilliseconds, maxBuffer: 64 * 2 ** 20 },
        (error, output) => resolve(error === null ? output : undefined),
      );
      run.stdin?.on("error", () => undefined);
      run.stdin?.end(text);
    });
  };
}

function pathOf(name: string): string | undefined {
  try {
    return name.startsWith("file:///") ? fileURLToPath(name) : undefined;
  } catch {
    return undefined;
  }
}
