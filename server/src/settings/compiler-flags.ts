/**
 * Reads command-line flags as written for clang and nvcc, and keeps those that change the meaning of a qualifier: language,
 * standard, architectures, macros, include paths. It runs no compiler and reads no file itself. Unknown flags are returned by name,
 * because most flags of a build are about code generation.
 */
import { type CompileSettings, type ForcedInclude, singlePrecision } from "../dialect.ts";
import { quoted } from "../printable.ts";
import type { Location } from "../source.ts";
import { wordsOf } from "./command-line.ts";
import { architectureOf, cplusplusStandardOf, extensionSwitches, languageOf, openclStandardOf } from "./flag-values.ts";

/** A flag, and its place; a flag of a command line has none. */
export interface Flag {
  readonly text: string;
  readonly location?: Location | undefined;
}

/** A mistake in a flag. */
export interface FlagProblem {
  readonly message: string;
  readonly location?: Location | undefined;
}

/** The settings that flags can change. */
export type FlagSettings = Omit<CompileSettings, "limits" | "origin">;

/** The settings from the flags, and the flags without an effect. */
export interface FlagReading {
  readonly settings: FlagSettings;
  /** Flags without an effect here, as written. */
  readonly ignored: readonly string[];
  /** Mistakes in known flags: `unknown OpenCL standard 'CL9'`. */
  readonly problems: readonly FlagProblem[];
}

/** Resolves the folders and response files that flags refer to. */
export interface FlagContext {
  /** The name of the folder or file behind a path in a flag. */
  resolve(path: string): string;
  /** The text of a response file; undefined if it cannot be read. */
  readResponseFile?(name: string): string | undefined;
}

interface Reading {
  settings: { -readonly [Key in keyof FlagSettings]: FlagSettings[Key] };
  macros: { name: string; value: string | undefined }[];
  includePaths: string[];
  forcedIncludes: ForcedInclude[];
  extensions: Map<string, boolean>;
  architectures: number[];
  ignored: string[];
  problems: FlagProblem[];
  context: FlagContext;
  /** The flag that is being read. */
  location: Location | undefined;
  responseFiles: number;
  /** How many characters may still be read. */
  responseCharacters: number;
  hasTooManyPaths: boolean;
}

/** The limit on response files. A build has a few; more than this are a mistake or a cycle. */
const mostResponseFiles = 200;
const mostResponseCharacters = 4_000_000;
const mostFlags = 100_000;
const mostIncludePaths = 1_000;
const mostProblems = 1_000;

/** The settings of an empty command. */
export const noFlags: FlagSettings = { macros: [], includePaths: [], forcedIncludes: [] };

/** Reads the arguments of one compiler call, without the compiler's own name. */
export function readFlags(flags: readonly (string | Flag)[], context: FlagContext): FlagReading {
  const reading: Reading = {
    settings: { ...noFlags },
    macros: [],
    includePaths: [],
    forcedIncludes: [],
    extensions: new Map(),
    architectures: [],
    ignored: [],
    problems: [],
    context,
    location: undefined,
    responseFiles: 0,
    responseCharacters: mostResponseCharacters,
    hasTooManyPaths: false,
  };
  const expanded: Flag[] = [];
  expandResponseFiles(
    flags.map((flag) => (typeof flag === "string" ? { text: flag } : flag)),
    expanded,
    reading,
    [],
  );
  read(expanded, reading);
  const { settings, extensions, architectures } = reading;
  return {
    settings: {
      ...settings,
      macros: reading.macros,
      includePaths: reading.includePaths,
      forcedIncludes: reading.forcedIncludes,
      ...(extensions.size > 0 ? { openclExtensions: extensions } : {}),
      ...(architectures.length > 0 ? { architectures: [...new Set(architectures)].sort((a, b) => a - b) } : {}),
    },
    ignored: reading.ignored,
    problems: reading.problems,
  };
}

/** Joins two settings. Single values of the second replace those of the first; macros and paths are appended. */
export function mergeFlags(first: FlagSettings, second: FlagSettings): FlagSettings {
  const extensions = new Map([...(first.openclExtensions ?? []), ...(second.openclExtensions ?? [])]);
  return {
    ...first,
    ...second,
    macros: [...first.macros, ...second.macros],
    includePaths: [...first.includePaths, ...second.includePaths],
    forcedIncludes: [...first.forcedIncludes, ...second.forcedIncludes],
    ...(extensions.size > 0 ? { openclExtensions: extensions } : {}),
  };
}

/** Replaces `@file`, `--options-file file` and `-optf file` by the flags in that file; `within` are the enclosing files. */
function expandResponseFiles(flags: readonly Flag[], expanded: Flag[], reading: Reading, within: readonly string[]): void {
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i];
    if (flag === undefined) continue;
    const named = responseFileOf(flag.text, flags[i + 1]?.text);
    if (named === undefined) {
      if (expanded.length === mostFlags) report(`more than ${mostFlags} flags: those from here on have no effect`, flag, reading);
      if (expanded.length <= mostFlags) expanded.push(flag);
      continue;
    }
    if (named.usesNext) i++;
    for (const path of named.paths) expandResponseFile(path, flag, expanded, reading, within);
  }
}

function expandResponseFile(path: string, flag: Flag, expanded: Flag[], reading: Reading, within: readonly string[]): void {
  const { context } = reading;
  const name = context.resolve(path);
  if (within.includes(name)) {
    report(`the response file ${quoted(path)} includes itself`, flag, reading);
    return;
  }
  reading.responseFiles++;
  if (reading.responseFiles === mostResponseFiles + 1)
    report(`more than ${mostResponseFiles} response files: those from here on have no effect`, flag, reading);
  if (reading.responseFiles > mostResponseFiles) return;
  const text = context.readResponseFile?.(name);
  if (text === undefined || text.length > reading.responseCharacters) {
    const why = text === undefined ? "cannot read the response file" : "too much text with the response file";
    report(`${why} ${quoted(path)}`, flag, reading);
    return;
  }
  reading.responseCharacters -= text.length;
  const words = wordsOf(text).map(({ text: word, start, end }) => ({ text: word, location: { uri: name, span: { start, end } } }));
  expandResponseFiles(words, expanded, reading, [...within, name]);
}

function report(message: string, { location }: Pick<Flag, "location">, { problems }: Reading): void {
  if (problems.length < mostProblems) problems.push({ message, location });
}

/** The response files that a flag names. nvcc accepts several after one flag, separated by commas. */
function responseFileOf(flag: string, next: string | undefined): { paths: readonly string[]; usesNext: boolean } | undefined {
  if (flag.startsWith("@") && flag.length > 1) return { paths: [flag.slice(1)], usesNext: false };
  const joined = /^(?:--options-file|-optf)=(.+)$/.exec(flag);
  if (joined?.[1] !== undefined) return { paths: joined[1].split(","), usesNext: false };
  if ((flag === "--options-file" || flag === "-optf") && next !== undefined) return { paths: next.split(","), usesNext: true };
  return undefined;
}

type Effect = (value: string, reading: Reading, flag: string) => void;

const define: Effect = (value, reading) => {
  const equals = value.indexOf("=");
  if (equals < 0) reading.macros.push({ name: value, value: "1" });
  else reading.macros.push({ name: value.slice(0, equals), value: value.slice(equals + 1) });
};
const undefine: Effect = (value, reading) => void reading.macros.push({ name: value, value: undefined });
const includePath: Effect = (value, reading) => {
  const { includePaths: paths, context } = reading;
  if (paths.length < mostIncludePaths) paths.push(context.resolve(value));
  else if (!reading.hasTooManyPaths) {
    reading.hasTooManyPaths = true;
    report(`more than ${mostIncludePaths} include paths: those from here on are not searched`, reading, reading);
  }
};
const includePaths: Effect = (value, reading, flag) => {
  for (const path of value.split(",")) includePath(path, reading, flag);
};
const forceInclude: Effect = (value, reading) => void reading.forcedIncludes.push({ name: value, uri: reading.context.resolve(value) });
const ignore: Effect = (_value, reading, flag) => void reading.ignored.push(flag);

const architecture: Effect = (value, reading) => {
  for (const name of value.split(",")) {
    const capability = architectureOf(name);
    if (capability !== undefined) reading.architectures.push(capability);
    else if (/^(sm|compute|lto)_/.test(name)) report(`unknown architecture ${quoted(name)}`, reading, reading);
  }
};

// The virtual architecture decides what the front end accepts; `code=` only selects what is generated from it.
const generateCode: Effect = (value, reading, flag) => {
  const arch = /(?:^|,)arch=([^,]+)/.exec(value)?.[1];
  if (arch === undefined) report(`${quoted(flag)} names no architecture`, reading, reading);
  else architecture(arch, reading, flag);
};

const openclStandard: Effect = (value, reading) => {
  const standard = openclStandardOf(value);
  if (standard === undefined) report(`unknown OpenCL standard ${quoted(value)}`, reading, reading);
  else reading.settings.openclStandard = standard;
};

const standard: Effect = (value, reading, flag) => {
  const year = cplusplusStandardOf(value);
  if (year !== undefined) reading.settings.cplusplusStandard = year;
  else if (/^cl/i.test(value)) openclStandard(value, reading, flag);
  else reading.ignored.push(flag);
};

const language: Effect = (value, reading, flag) => {
  const named = languageOf(value);
  if (named === undefined) reading.ignored.push(flag);
  else reading.settings.language = named;
  if (named === "cuda") reading.settings.hip = value === "hip";
  if (value === "clcpp") reading.settings.openclStandard ??= "clc++1.0";
};

const relocatable: Effect = (value, reading) => {
  reading.settings.relocatableDeviceCode = value === "true";
};

const hostCompiler: Effect = (value, reading, flag) => {
  // nvcc takes the compiler's path or the folder that contains it.
  if (/(?:^|[\\/])cl(?:\.exe)?$|[\\/]MSVC[\\/]|\$\(VC/i.test(value)) reading.settings.hostCompiler = "msvc";
  else reading.ignored.push(flag);
};

function relaxConstexpr(reading: Reading): void {
  reading.settings.relaxesConstexpr = true;
}

function compileAtRuntime(reading: Reading): void {
  reading.settings.runtime = "device-by-default";
}

function allowDeviceInitialization(reading: Reading, isAllowed: boolean): void {
  reading.settings.allowsDeviceInitialization = isAllowed;
}

const extensions: Effect = (value, reading) => {
  for (const [name, isOn] of extensionSwitches(value)) reading.extensions.set(name, isOn);
};

/** Flags with a value. It follows `=`, or a space if `separate`, or the name directly if `joined`. */
const valued: ReadonlyMap<string, { readonly effect: Effect; readonly joined?: true; readonly onlyEquals?: true }> = new Map([
  ["-D", { effect: define, joined: true }],
  ["--define-macro", { effect: define }],
  ["-U", { effect: undefine, joined: true }],
  ["--undefine-macro", { effect: undefine }],
  ["-I", { effect: includePath, joined: true }],
  ["-isystem", { effect: includePath, joined: true }],
  ["-iquote", { effect: includePath, joined: true }],
  ["-idirafter", { effect: includePath, joined: true }],
  ["-cxx-isystem", { effect: includePath, joined: true }],
  ["--include-path", { effect: includePaths }],
  ["--system-include", { effect: includePaths }],
  ["--include-directory", { effect: includePath }],
  ["-include", { effect: forceInclude, joined: true }],
  ["--include", { effect: forceInclude }],
  ["--pre-include", { effect: forceInclude }],
  ["-imacros", { effect: forceInclude }],
  ["-std", { effect: standard }],
  ["--std", { effect: standard }],
  ["-cl-std", { effect: openclStandard, onlyEquals: true }],
  ["-cl-ext", { effect: extensions, onlyEquals: true }],
  ["-x", { effect: language, joined: true }],
  ["--x", { effect: language }],
  ["--language", { effect: language }],
  ["-arch", { effect: architecture }],
  ["--gpu-architecture", { effect: architecture }],
  ["--cuda-gpu-arch", { effect: architecture, onlyEquals: true }],
  ["--offload-arch", { effect: architecture }],
  ["-gencode", { effect: generateCode }],
  ["--generate-code", { effect: generateCode }],
  ["-rdc", { effect: relocatable }],
  ["--relocatable-device-code", { effect: relocatable }],
  // The argument after one of these is its value, not a flag.
  ...["-o", "--output-file", "-Xcompiler", "--compiler-options", "-Xptxas", "--ptxas-options", "-Xlinker", "-Xnvlink", "-Xcudafe"].map(
    ignored,
  ),
  ...["-Xarch_host", "-Xarch_device", "-Xassembler", "-Xpreprocessor", "-mllvm", "-target", "--target", "-L", "-l", "-MF", "-MT"].map(
    ignored,
  ),
  ["-ccbin", { effect: hostCompiler }],
  ["--compiler-bindir", { effect: hostCompiler }],
  ...["-MQ", "-MJ", "-maxrregcount", "--maxrregcount", "-isysroot", "--sysroot", "-code"].map(ignored),
  ...["--gpu-code", "-t", "--threads", "-odir", "--output-directory", "-diag-suppress", "--diag-suppress", "-default-stream"].map(ignored),
  ...["--default-stream", "-ftz", "-prec-div", "-prec-sqrt", "-fmad", "-std-lib", "-stdlib"].map(ignored),
] satisfies [string, { effect: Effect; joined?: true; onlyEquals?: true }][]);

function ignored(name: string): [string, { effect: Effect }] {
  return [name, { effect: ignore }];
}

const plain: ReadonlyMap<string, (reading: Reading) => void> = new Map([
  ["-dc", (reading) => relocatable("true", reading, "")],
  ["--device-c", (reading) => relocatable("true", reading, "")],
  ["-dw", (reading) => relocatable("true", reading, "")],
  ["--device-w", (reading) => relocatable("true", reading, "")],
  ["-fgpu-allow-device-init", (reading) => allowDeviceInitialization(reading, true)],
  ["-fno-gpu-allow-device-init", (reading) => allowDeviceInitialization(reading, false)],
  ["-default-device", compileAtRuntime],
  ["--device-as-default-execution-space", compileAtRuntime],
  ["-expt-relaxed-constexpr", relaxConstexpr],
  ["--expt-relaxed-constexpr", relaxConstexpr],
  ["-fgpu-rdc", (reading) => relocatable("true", reading, "")],
  ["-fno-gpu-rdc", (reading) => relocatable("false", reading, "")],
  ["-cl-single-precision-constant", (reading) => void reading.extensions.set(singlePrecision, true)],
  ["-cl-fast-relaxed-math", (reading) => define("__FAST_RELAXED_MATH__", reading, "")],
] satisfies [string, (reading: Reading) => void][]);

function read(flags: readonly Flag[], reading: Reading): void {
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]?.text ?? "";
    reading.location = flags[i]?.location;
    // `-Xclang` passes one flag to the compiler proper, where it has the same meaning.
    if (flag === "" || flag === "-Xclang" || flag === "--") continue;
    const simple = plain.get(flag);
    if (simple !== undefined) {
      simple(reading);
      continue;
    }
    const match = matchValued(flag);
    if (match === undefined) {
      reading.ignored.push(flag);
    } else if (match.value !== undefined) {
      match.effect(match.value, reading, flag);
    } else if (i + 1 < flags.length) {
      i++;
      const next = flags[i]?.text ?? "";
      match.effect(next, reading, `${flag} ${next}`);
    } else {
      report(`${quoted(flag)} needs a value`, reading, reading);
    }
  }
}

/** The flag's effect. `value` is undefined if the value is the next argument. */
function matchValued(flag: string): { effect: Effect; value: string | undefined } | undefined {
  const equals = flag.indexOf("=");
  if (equals > 0) {
    const named = valued.get(flag.slice(0, equals));
    if (named !== undefined && !(named.joined && flag.length > 2 && flag.slice(0, equals).length === 2)) {
      return { effect: named.effect, value: flag.slice(equals + 1) };
    }
  }
  const exact = valued.get(flag);
  if (exact !== undefined) return exact.onlyEquals ? undefined : { effect: exact.effect, value: undefined };
  for (const [name, { effect, joined }] of valued) {
    if (joined && flag.startsWith(name)) return { effect, value: flag.slice(name.length) };
  }
  return undefined;
}
