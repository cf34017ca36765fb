/** Which language a source is written in, where neither its name nor the settings say so: its own words do. */
import { type CompileSettings, type Language, languageOfName } from "../dialect.ts";
import { findEmbedded, mayEmbed, outsideLiterals } from "../embedded/embedded.ts";

/** Headers with neutral names belong to the language whose words they use; undefined for other files. */
export function languageOfText(uri: string, text: string): Language | undefined {
  const cuda = /\b__(global|device|constant|shared|managed|grid_constant)__\b/;
  const opencl = /\b(__kernel|kernel\s+void|__global\s|__local\s|get_global_id)\b/;
  // Headers have all kinds of names, or only one part.
  if (!mayEmbed(uri) && /\.\w+$/.test(uri)) return undefined;
  if (!cuda.test(text) && !opencl.test(text)) return undefined;
  const code = outsideLiterals(uri, text);
  if (cuda.test(code)) return "cuda";
  // A C or C++ source with such words has them for something else, and so has a header of the host's.
  return opencl.test(code) && !/\.(c|cc|cpp|cxx|c\+\+)$/i.test(uri) && !isOfTheHost(text, code) ? "opencl" : undefined;
}

/** C++ that no kernel language has a use for: SYCL names its parameters `global`, hosts have members called `get_global_id`. */
function isOfTheHost(text: string, code: string): boolean {
  // A header for both sides asks which one reads it.
  if (/\b__OPENCL_(C_|CPP_)?VERSION__\b/.test(text)) return false;
  return /\bnamespace (\w+ (: ?: \w+ )*)?\{|\btemplate <|\b(public|protected|private) :|\bstd : ?:|\bclass \w+ [:{;]|\busing (namespace|\w+ =)/.test(
    code,
  );
}

/**
 * A source of the host's languages that is worth checking all the same: it has device code in its literals, or is HIP, whose
 * compiler takes files of any name.
 */
export function hasDeviceCode(uri: string, text: string): boolean {
  return mayEmbed(uri) && (findEmbedded(uri, text).length > 0 || (includesHip.test(text) && languageOfText(uri, text) === "cuda"));
}

const includesHip = /^[ \t]*#[ \t]*include[ \t]*[<"]hip\/hip_runtime/m;

/** The settings of a source; whether CUDA means HIP it says itself where they do not, by the runtime's header. */
export function withHip(settings: CompileSettings, uri: string, textOf: () => string): CompileSettings {
  if (settings.hip !== undefined || (settings.language ?? languageOfName(uri)) === "opencl") return settings;
  return includesHip.test(textOf()) ? { ...settings, hip: true } : settings;
}
