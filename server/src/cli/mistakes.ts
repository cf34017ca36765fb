/** Mistakes in the command line, in this program's words: each begins with its name, and says what was probably meant. */
import { enumerated } from "../lists.ts";
import { quoted } from "../printable.ts";
import { nearest } from "../settings/settings-file.ts";

/** Options of nvcc and clang that begin like those of this program. Its own are never misspelled as one of these. */
const compilerOptions =
  /^--(?:std|gpu-architecture|gpu-code|offload-arch|generate-code|define-macro|undefine-macro|include-path|pre-include|relocatable-device-code|device-c|expt-|extended-lambda|extra-device-vectorization|use_fast_math|default-stream|cuda-|hip-|rocm-|gcc-toolchain|options-file|machine|x|sysroot|target)/;

/** The message about a mistake that commander has found, which it words as `error: unknown option '--x'`. */
export function mistakeOf(text: string): string {
  const said = text.replace(/^error: /, "").trimEnd();
  const [, option = "", given = "", reason = ""] =
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)\.$/s.exec(said) ?? [];
  if (option !== "") return refused(option, given, reason);
  const [, value = "", argument = "", why = ""] =
    /^command-argument value '(.*)' is invalid for argument '(\w+)'\. (.*)\.$/s.exec(said) ?? [];
  if (argument !== "") return refused(`<${argument}>`, value, why);
  const [, unknown = ""] = /^unknown option '([^']*)'/.exec(said) ?? [];
  if (unknown === "-v") return messageOf("unknown option '-v'; --version prints the version, and 'check --verbose' says more of a check");
  // Own options of one letter are -j, -o, -V and -h.
  if (/^-[^-]/.test(unknown) || compilerOptions.test(unknown))
    return messageOf(`unknown option ${quoted(unknown)}; compiler flags go after '--', as in 'check k.cl -- -DTILE=16'`);
  const [, what = said, near] = /^(.*?)\n\(Did you mean (?:one of )?([^,?]*).*\?\)$/s.exec(said) ?? [];
  return messageOf(what, near);
}

/** The message about a value that commander refuses: it lists the choices, or says what the value must be. */
function refused(what: string, given: string, reason: string): string {
  const allowed = /^Allowed choices are (.*)$/.exec(reason)?.[1]?.split(", ");
  const wanted = allowed === undefined ? reason.replace(/^It must be /, "") : enumerated(allowed, "or");
  return messageOf(`${what} takes ${wanted}, not ${quoted(given)}`, allowed && nearest(given, allowed));
}

function messageOf(what: string, near?: string): string {
  return `gpu-qualifiers: ${what}${near === undefined ? "" : `; did you mean '${near}'?`}\n`;
}
