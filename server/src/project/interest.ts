/** Decides by their names which files hosts pass to the core. */
import { languageOfName } from "../dialect.ts";
import { mayEmbed } from "../embedded/embedded.ts";
import { isPythonSource, maySayStandard } from "../settings/standard-statements.ts";

const headers = /\.(h|hh|hpp|hxx|h\+\+|inc|inl|inl|ipp|tpp|def|impl|cuh|clh)$/i;
/**
 * Matches names without an extension that headers of C++ libraries have. Other files without one (`Makefile`, `LICENSE`) begin with
 * a capital.
 */
const plainHeaders = /^[a-z_][a-z0-9_]*$/;
const hostSources = /\.(c|cc|cpp|cxx|c\+\+)$/i;

/** True for files that are checked with their folder: CUDA, HIP and OpenCL sources. */
export function isChecked(name: string): boolean {
  return languageOfName(name) !== undefined;
}

/** True for the name of a header; a header is checked in the context of a file that includes it. */
export function isHeader(name: string): boolean {
  return headers.test(name) || plainHeaders.test(name.slice(name.lastIndexOf("/") + 1));
}

/** True for files that may be part of a compilation: those that are checked, headers, and sources that include those. */
export function isSource(name: string): boolean {
  return isChecked(name) || isHeader(name) || hostSources.test(name);
}

/** True for scripts that may run kernels. */
export function isScript(name: string): boolean {
  return isPythonSource(name);
}

/** True for files that may affect a check or be checked: sources, hosts with kernels in literals, and scripts that build kernels. */
export function isOfInterest(name: string): boolean {
  return isSource(name) || mayEmbed(name) || maySayStandard(name);
}
