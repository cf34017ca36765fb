/**
 * Reads command-line flags as written for clang and nvcc, and keeps those that change the meaning of a qualifier: language,
 * standard, architectures, macros, include paths. It runs no compiler and reads no file itself. Unknown flags are returned by name,
 * because most flags of a build are about code generation.
 */
import { type CompileSettings, type ForcedInclude, singlePrecision } from "../dialect.ts";
import { quoted } from "../printable.ts";
import type { Location } from "../source.ts";
import { wordsOf } from "./command-line.ts";
import {
  architectureOf,
  cplusplusStandardOf,
  extensionSwitches,
  isOtherArchitecture,
  languageOf,
  openclStandardOf,
} from "./flag-values.ts";

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
export interface ParsedFlags {
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

interface FlagParse {
  settings: { -readonly [Key in keyof FlagSettings]: FlagSettings[Key] };
  macros: { name: string; value: string | undefined }[];
  includePaths: string[];
  forcedIncludes: ForcedInclude[];
  extensions: Map<string, boolean>;
  architectures: number[];
  specificArchitectures: number[];
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
export function readFlags(flags: readonly (string | Flag)[], context: FlagContext): ParsedFlags {
  const parse: FlagParse = {
    settings: { ...noFlags },
    macros: [],
    includePaths: [],
    forcedIncludes: [],
    extensions: new Map(),
    architectures: [],
    specificArchitectures: [],
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
    parse,
    [],
  );
  read(expanded, parse);
  const { settings, extensions } = parse;
  const inOrder = (architectures: readonly number[]) => [...new Set(architectures)].sort((a, b) => a - b);
  const architectures = inOrder([...parse.architectures, ...parse.specificArchitectures]);
  const specificArchitectures = inOrder(parse.specificArchitectures.filter((each) => !parse.architectures.includes(each)));
  return {
    settings: {
      ...settings,
      macros: parse.macros,
      includePaths: parse.includePaths,
      forcedIncludes: parse.forcedIncludes,
      ...(extensions.size > 0 ? { openclExtensions: extensions } : {}),
      ...(architectures.length > 0 ? { architectures } : {}),
      ...(specificArchitectures.length > 0 ? { specificArchitectures } : {}),
    },
    ignored: parse.ignored,
    problems: parse.problems,
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
function expandResponseFiles(flags: readonly Flag[], expanded: Flag[], parse: FlagParse, within: readonly string[]): void {
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i];
    if (flag === undefined) continue;
    const named = responseFileOf(flag.text, flags[i + 1]?.text);
    if (named === undefined) {
      if (expanded.length === mostFlags) report(`more than ${mostFlags} flags: those from here on have no effect`, flag, parse);
      if (expanded.length <= mostFlags) expanded.push(flag);
      continue;
    }
    if (named.usesNext) i++;
    for (const path of named.paths) expandResponseFile(path, flag, expanded, parse, within);
  }
}

function expandResponseFile(path: string, flag: Flag, expanded: Flag[], parse: FlagParse, within: readonly string[]): void {
  const { context } = parse;
  const name = context.resolve(path);
  if (within.includes(name)) {
    report(`the response file ${quoted(path)} includes itself`, flag, parse);
    return;
  }
  parse.responseFiles++;
  if (parse.responseFiles === mostResponseFiles + 1)
    report(`more than ${mostResponseFiles} response files: those from here on have no effect`, flag, parse);
  if (parse.responseFiles > mostResponseFiles) return;
  const text = context.readResponseFile?.(name);
  if (text === undefined || text.length > parse.responseCharacters) {
    const why = text === undefined ? "cannot read the response file" : "too much text with the response file";
    report(`${why} ${quoted(path)}`, flag, parse);
    return;
  }
  parse.responseCharacters -= text.length;
  const words = wordsOf(text).map(({ text: word, start, end }) => ({ text: word, location: { uri: name, span: { start, end } } }));
  expandResponseFiles(words, expanded, parse, [...within, name]);
}

function report(message: string, { location }: Pick<Flag, "location">, { problems }: FlagParse): void {
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

type Effect = (value: string, parse: FlagParse, flag: string) => void;

const define: Effect = (value, parse) => {
  const equals = value.indexOf("=");
  if (equals < 0) parse.macros.push({ name: value, value: "1" });
  else parse.macros.push({ name: value.slice(0, equals), value: value.slice(equals + 1) });
};
const undefine: Effect = (value, parse) => void parse.macros.push({ name: value, value: undefined });
const includePath: Effect = (value, parse) => {
  const { includePaths: paths, context } = parse;
  if (paths.length < mostIncludePaths) paths.push(context.resolve(value));
  else if (!parse.hasTooManyPaths) {
    parse.hasTooManyPaths = true;
    report(`more than ${mostIncludePaths} include paths: those from here on are not searched`, parse, parse);
  }
};
const includePaths: Effect = (value, parse, flag) => {
  for (const path of value.split(",")) includePath(path, parse, flag);
};
const forceInclude: Effect = (value, parse) => void parse.forcedIncludes.push({ name: value, uri: parse.context.resolve(value) });
const ignore: Effect = (_value, parse, flag) => void parse.ignored.push(flag);

const architecture: Effect = (value, parse, flag) => {
  for (const name of value.split(",")) {
    const capability = architectureOf(name);
    if (capability !== undefined) (name.endsWith("a") ? parse.specificArchitectures : parse.architectures).push(capability);
    else if (/^(sm|compute|lto)_/.test(name)) report(`unknown architecture ${quoted(name)}; expected one such as 'sm_90'`, parse, parse);
    // clang takes the names of processors there on some systems.
    else if (!isOtherArchitecture(name)) parse.ignored.push(flag);
  }
};

// The virtual architecture decides what the front end accepts; `code=` only selects what is generated from it.
const generateCode: Effect = (value, parse, flag) => {
  const arch = /(?:^|,)arch=([^,]+)/.exec(value)?.[1];
  if (arch === undefined) report(`${quoted(flag)} names no architecture`, parse, parse);
  else architecture(arch, parse, flag);
};

const openclStandard: Effect = (value, parse) => {
  const standard = openclStandardOf(value);
  if (standard === undefined) report(`unknown OpenCL standard ${quoted(value)}`, parse, parse);
  else parse.settings.openclStandard = standard;
};

const standard: Effect = (value, parse, flag) => {
  const year = cplusplusStandardOf(value);
  if (year !== undefined) parse.settings.cplusplusStandard = year;
  else if (/^cl/i.test(value)) openclStandard(value, parse, flag);
  // Standards to come begin with later digits.
  else if (/^(?:c|gnu)\+\+(?:[01][\da-z]|[89]\d)$/.test(value)) report(`unknown C++ standard ${quoted(value)}`, parse, parse);
  else parse.ignored.push(flag);
};

const language: Effect = (value, parse, flag) => {
  const named = languageOf(value);
  if (named === undefined) parse.ignored.push(flag);
  else parse.settings.language = named;
  if (named === "cuda") parse.settings.hip = value === "hip";
  if (value === "clcpp") parse.settings.openclStandard ??= "clc++1.0";
};

const relocatable: Effect = (value, parse) => {
  parse.settings.relocatableDeviceCode = value === "true";
};

const hostCompiler: Effect = (value, parse, flag) => {
  // nvcc takes the compiler's path or the folder that contains it.
  if (/(?:^|[\\/])cl(?:\.exe)?$|[\\/]MSVC[\\/]|\$\(VC/i.test(value)) parse.settings.hostCompiler = "msvc";
  else parse.ignored.push(flag);
};

function relaxConstexpr(parse: FlagParse): void {
  parse.settings.relaxesConstexpr = true;
}

function compileAtRuntime(parse: FlagParse): void {
  parse.settings.runtime = "device-by-default";
}

function allowDeviceInitialization(parse: FlagParse, isAllowed: boolean): void {
  parse.settings.allowsDeviceInitialization = isAllowed;
}

const extensions: Effect = (value, parse) => {
  for (const [name, isOn] of extensionSwitches(value)) parse.extensions.set(name, isOn);
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

const plain: ReadonlyMap<string, (parse: FlagParse) => void> = new Map([
  ["-dc", (parse) => relocatable("true", parse, "")],
  ["--device-c", (parse) => relocatable("true", parse, "")],
  ["-dw", (parse) => relocatable("true", parse, "")],
  ["--device-w", (parse) => relocatable("true", parse, "")],
  ["-fgpu-allow-device-init", (parse) => allowDeviceInitialization(parse, true)],
  ["-fno-gpu-allow-device-init", (parse) => allowDeviceInitialization(parse, false)],
  ["-default-device", compileAtRuntime],
  ["--device-as-default-execution-space", compileAtRuntime],
  ["-expt-relaxed-constexpr", relaxConstexpr],
  ["--expt-relaxed-constexpr", relaxConstexpr],
  ["-fgpu-rdc", (parse) => relocatable("true", parse, "")],
  ["-fno-gpu-rdc", (parse) => relocatable("false", parse, "")],
  ["-cl-single-precision-constant", (parse) => void parse.extensions.set(singlePrecision, true)],
  ["-cl-fast-relaxed-math", (parse) => define("__FAST_RELAXED_MATH__", parse, "")],
] satisfies [string, (parse: FlagParse) => void][]);

function read(flags: readonly Flag[], parse: FlagParse): void {
  for (let i = 0; i < flags.length; i++) {
    const flag = flags[i]?.text ?? "";
    parse.location = flags[i]?.location;
    // `-Xclang` passes one flag to the compiler proper, where it has the same meaning.
    if (flag === "" || flag === "-Xclang" || flag === "--") continue;
    const simple = plain.get(flag);
    if (simple !== undefined) {
      simple(parse);
      continue;
    }
    const match = matchValued(flag);
    if (match === undefined) {
      parse.ignored.push(flag);
    } else if (match.value !== undefined) {
      match.effect(match.value, parse, flag);
    } else if (i + 1 < flags.length) {
      i++;
      const next = flags[i]?.text ?? "";
      match.effect(next, parse, `${flag} ${next}`);
    } else {
      report(`${quoted(flag)} needs a value`, parse, parse);
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
