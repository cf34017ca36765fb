/** Which files hosts hand to the core, judged by their names alone. */
import { languageOfName } from "../dialect.ts";
import { maySayStandard } from "../settings/standard-statements.ts";

const headers = /\.(h|hh|hpp|hxx|h\+\+|inc|inl|inl|ipp|tpp|def|impl|cuh|clh)$/i;
/** Headers of C++ libraries have no extension; what else has none (`Makefile`, `LICENSE`) begins with a capital. */
const plainHeaders = /^[a-z_][a-z0-9_]*$/;
const hostSources = /\.(c|cc|cpp|cxx|c\+\+)$/i;

/** Files that are checked when a folder is: CUDA, HIP and OpenCL sources. */
export function isChecked(name: string): boolean {
  return languageOfName(name) !== undefined;
}

/** A header by its name; it is checked in the context of a file that includes it. */
export function isHeader(name: string): boolean {
  return headers.test(name) || plainHeaders.test(name.slice(name.lastIndexOf("/") + 1));
}

/** Files that can be part of what is compiled: those that are checked, headers, and sources that include those. */
export function isSource(name: string): boolean {
  return isChecked(name) || isHeader(name) || hostSources.test(name);
}

/** Files that can matter to the ones that are checked: sources, and those that say how kernels are built. */
export function isOfInterest(name: string): boolean {
  return isSource(name) || maySayStandard(name);
}
