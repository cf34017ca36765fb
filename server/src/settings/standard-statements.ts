/**
 * Finds statements about the OpenCL standard in a project's own files: `-cl-std` in build scripts and in the options that host code
 * passes to `clBuildProgram`. `CL_TARGET_OPENCL_VERSION` selects the host's API and has no effect on kernels. Building a program
 * without `-cl-std` is a statement too: then it is in the newest OpenCL C 1.x of the device (OpenCL API 3.0 §5.8.6.5).
 */
import type { OpenCLStandard } from "../dialect.ts";
import { mayEmbed, tokensOf } from "../embedded/embedded.ts";
import { isSign } from "../embedded/host-tokens.ts";
import { withoutComments } from "../embedded/join.ts";
import type { HostToken } from "../embedded/literals.ts";
import { append } from "../lists.ts";
import type { Location } from "../source.ts";
import { isBuildFile, withoutRemarks } from "./builds/build-languages.ts";
import { openclStandardOf } from "./flag-values.ts";
import { hole, type NamedTexts, namedTexts, optionText } from "./option-texts.ts";

/** A place that names an OpenCL standard. */
export interface StandardStatement {
  /** `default`: a build without `-cl-std`. `other`: a standard that is unknown here. `open`: a build whose options are unknown. */
  readonly standard: OpenCLStandard | "default" | "other" | "open";
  /** For `default` and `open`: the names of kernel files in the host program, which are what it builds. */
  readonly builds?: readonly string[];
  readonly location: Location;
  /** False if the file builds no program itself, so that its options may be for something else. Then they can only contradict others. */
  readonly isCertain: boolean;
  /** How the statement begins that adds the option to others: one that begins so elsewhere adds to the same options. */
  readonly into?: string;
  /** For `default`: the same call with a standard is in the file, so both are tried. */
  readonly isFallback?: true;
}

const cSources = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|inl|cu)$/i;
const pythonSources = /\.py$/i;

/** True for names of Python sources. */
export function isPythonSource(name: string): boolean {
  return pythonSources.test(name);
}

/** True for files that may name the standard, by their names: build scripts, and sources of hosts in any language. */
export function maySayStandard(name: string): boolean {
  return isBuildFile(name) || cSources.test(name) || mayEmbed(name);
}

/** How programs are built in one of the languages' libraries. */
interface BuildCall {
  /** Matches texts that use the library. */
  readonly text: RegExp;
  /** Matches the function or method. */
  readonly name: RegExp;
  /**
   * Where the options are: an argument, among all arguments, or in calls that follow in the same statement. By default they are after
   * the devices, which some bindings of `clBuildProgram` pass without their number.
   */
  readonly options?: number | "any" | RegExp;
  /** Only behind `.` or `->`, or only behind one of these words and `::`. */
  readonly behind?: "member" | RegExp;
}

const buildCalls: readonly BuildCall[] = [
  // C, and the functions of the same name in JOCL, LWJGL and Go's bindings
  { text: /\b[cC][lL](?:Build|Compile)Program\b/, name: /^(?:cl|CL)(?:Build|Compile)Program$/ },
  // C++, Python
  { text: /\bcl::Program\b|\bpyopencl\b/, name: /^build$/, options: "any", behind: "member" },
  // JogAmp
  { text: /\bcom\.jogamp\.opencl\b/, name: /^build$/, options: "any", behind: "member" },
  // Cloo
  { text: /\b(?:Cloo|ComputeProgram)\b/, name: /^Build$/, options: 1, behind: "member" },
  // Go
  { text: /"(?:[\w.-]+\/)+(?:gocl|go-opencl|opencl)(?:\/\w+)*"/, name: /^BuildProgram$/, options: 1, behind: "member" },
  // Rust
  { text: /\bocl::/, name: /^builder$/, options: /^cmplr_opt$/, behind: /^(?:Program|ProQue)$/ },
  { text: /\bocl(?:_core|::core)\b/, name: /^build_program$/, options: 2 },
  { text: /\bopencl3::/, name: /^create_and_build_from_source$/, options: 2 },
];

/** A word of each pattern above: most texts use none of the libraries. */
const library = /Program|ocl|opencl|Cloo/;

/** True for a text of a host that builds programs itself. */
export function buildsPrograms(text: string): boolean {
  return library.test(text) && buildCalls.some((call) => call.text.test(text));
}

const flag = /-cl-std=([^\s"',;)\]}\\]*)/g;
/** Matches a literal that consists of options, rather than a text about them or a script with them. */
const areOptions = /^\s*-[\w-]+[^{}]*$/;
/** Longer literals are sources rather than options. */
const longestOptions = 1000;

/** True for a literal with the options of a build. */
export function isOptions(text: string): boolean {
  return text.length <= longestOptions && areOptions.test(text);
}

/** Matches the C++ bindings of the OpenCL API, which build a program of their own and which many projects contain a copy of. */
const bindings = /^[ \t]*#[ \t]*define[ \t]+_*(?:CL2?|OPENCL)_HPP_*[ \t]*$/m;

/** True for a file that names the option at all. In a C source a comment does not: it is code that is no longer compiled. */
export function mentionsStandard(name: string, text: string): boolean {
  return text.includes("cl-std") && !bindings.test(text) && (!cSources.test(name) || withoutComments(text).includes("cl-std"));
}

/** Every standard that the text names for a build, with its place. Comments are skipped. */
export function standardStatements(uri: string, text: string): readonly StandardStatement[] {
  const mayBuild = buildsPrograms(text);
  if ((!mayBuild && !text.includes("-cl-std=")) || bindings.test(text)) return [];
  if (isBuildFile(uri)) return flagsIn(withoutRemarks(uri, text)).map(({ value, at, length }) => statement(uri, value, at, length));
  if (!cSources.test(uri) && !mayEmbed(uri)) return [];
  const tokens = tokensOf(uri, text);
  const names = namedTexts(text);
  const fallbacks = mayBuild ? fallbacksIn(uri, tokens) : [];
  return [
    ...optionsIn(uri, tokens, names).map((each) => ({ ...each, isCertain: mayBuild })),
    ...fallbacks,
    // The standard of a binary was chosen when it was built.
    ...(/\bclCreateProgramWithBinary\b/.test(text) && !/\bclCreateProgramWithSource\b/.test(text)
      ? []
      : buildsWithoutStandard(uri, text, tokens, names).filter(({ location }) =>
          fallbacks.every((other) => other.location.span.start !== location.span.start),
        )),
  ];
}

function flagsIn(text: string): readonly { readonly value: string; readonly at: number; readonly length: number }[] {
  return [...text.matchAll(flag)].map(({ 0: whole, 1: value = "", index }) => ({ value, at: index, length: whole.length }));
}

function statement(uri: string, value: string, start: number, length: number): StandardStatement {
  // `-cl-std=CL` is a valid standard, but usually a version is appended to it.
  const standard = value.toLowerCase() === "cl" ? undefined : openclStandardOf(value);
  return { standard: standard ?? "other", location: { uri, span: { start, end: start + length } }, isCertain: true };
}

function optionsIn(uri: string, tokens: readonly HostToken[], names: NamedTexts): readonly StandardStatement[] {
  return tokens.flatMap((token, index): readonly StandardStatement[] => {
    if (token.kind !== "literal" || !isOptions(token.value)) return [];
    if (!token.value.includes("-cl-std=")) return [];
    // Flags in text that is appended to the literal are found where that text is written.
    const own = flagsIn(token.value).length;
    const into = startOfAddition(tokens, index);
    return flagsIn(optionText(tokens, index, names))
      .slice(0, own)
      .map(({ value }) => ({
        ...statement(uri, value.includes(hole) ? "" : value, token.start, token.end - token.start),
        ...(into === undefined ? {} : { into }),
      }));
  });
}

/** The start of a statement that appends a literal to options; undefined for one that builds with it, or sets something. */
function startOfAddition(tokens: readonly HostToken[], index: number): string | undefined {
  let start = index;
  while (start > 0 && index - start < 40 && !/^[;{}]$/.test(spelled(tokens.slice(start - 1, start)))) start -= 1;
  const text = spelled(tokens.slice(start, index)).replace(/^(?:else |if \( [^()]*\) )+/, "");
  return /\+ =|\b(?:append|push_back|emplace_back|emplace|insert|add|Add|strn?cat|sn?printf)\b/.test(text) ? text : undefined;
}

/** Stands for every kernel file, in a host program that completes a name: `load(path + name + ".cl")`, `printf("m%05d.cl", mode)`. */
export const everyFile = "*";

/** Names of kernel files in literals. */
export function kernelFilesIn(tokens: readonly HostToken[]): readonly string[] {
  const found = tokens.flatMap((token) => {
    if (token.kind !== "literal") return [];
    return /^\.(?:cl|ocl|opencl)$|%[^/\\\s]*\.(?:cl|ocl|opencl)$/.test(token.value)
      ? [everyFile]
      : [...token.value.matchAll(kernelFile)].map(([, name = ""]) => name);
  });
  return [...new Set(found)];
}

const kernelFile = /(?:^|[/\\"'\s])([\w.-]+\.(?:cl|ocl|opencl))\b/g;

/** The statements of builds that name no standard, and of those whose options are unknown. */
function buildsWithoutStandard(uri: string, text: string, tokens: readonly HostToken[], names: NamedTexts): readonly StandardStatement[] {
  const calls = buildCalls.filter((call) => call.text.test(text));
  if (calls.length === 0) return [];
  const builds = kernelFilesIn(tokens);
  return tokens.flatMap((token, index): readonly StandardStatement[] => {
    if (token.kind !== "word" || !isSign(tokens[index + 1], "(")) return [];
    const call = calls.find(({ name, behind }) => name.test(token.text) && isBehind(tokens, index, behind));
    if (call === undefined) return [];
    const standard = standardOf(call, tokens, index, names);
    const location = { uri, span: { start: token.start, end: token.end } };
    if (standard === undefined) return [];
    return [{ standard, location, isCertain: true, builds }];
  });
}

function isBehind(tokens: readonly HostToken[], index: number, behind: BuildCall["behind"]): boolean {
  if (behind === undefined) return true;
  if (behind === "member") return isMember(tokens, index);
  const owner = tokens[index - 3];
  return isSign(tokens[index - 1], ":") && isSign(tokens[index - 2], ":") && owner?.kind === "word" && behind.test(owner.text);
}

/** What the options of a call say; undefined if they name a standard, which is a statement of its own. */
function standardOf(
  { options }: BuildCall,
  tokens: readonly HostToken[],
  index: number,
  names: NamedTexts,
): "default" | "open" | undefined {
  if (options instanceof RegExp) {
    const behind = optionsBehind(tokens, index, options);
    return behind.length === 0 ? "default" : standardOfOptions(behind.flat(), names);
  }
  const values = argumentsAt(tokens, index + 2);
  return options === "any" ? standardOfMethod(values) : standardOfOptions(values[options ?? (values.length === 5 ? 2 : 3)], names);
}

/** The arguments of the calls with such names until the statement ends. */
function optionsBehind(tokens: readonly HostToken[], index: number, name: RegExp): readonly (readonly HostToken[])[] {
  const found: (readonly HostToken[])[] = [];
  for (let at = index; at < tokens.length && at < index + 400 && !isSign(tokens[at], ";"); at += 1) {
    const token = tokens[at];
    if (token?.kind === "word" && name.test(token.text) && isSign(tokens[at + 1], "(")) append(found, argumentsAt(tokens, at + 2));
  }
  return found;
}

/** Words and signs around the literals of options that add nothing to them. */
const wrapping = /^(?:CString|new|unwrap|expect|byte|Some|IntPtr|Zero|[&[\](),:.?!])$/;

/** What an argument says that is the options; undefined if it names a standard, which is a statement of its own. */
function standardOfOptions(written: readonly HostToken[] | undefined, names: NamedTexts): "default" | "open" | undefined {
  if (written === undefined || written.some(namesStandard)) return undefined;
  const options = written.filter((token) => token.kind === "literal" || !wrapping.test(token.text));
  if (options.length > 0 && options.every((token) => token.kind === "literal" && !token.hasHoles)) return "default";
  const [only] = options;
  if (options.length !== 1 || only?.kind !== "word") return "open";
  if (isEmpty(only.text)) return "default";
  const text = names(only.text);
  if (text === undefined) return "open";
  return text.includes("-cl-std") ? undefined : "default";
}

/** The same for the method `build` of bindings, whose arguments are devices, options, or both. */
function standardOfMethod(values: readonly (readonly HostToken[])[]): "default" | "open" | undefined {
  const all = values.flat();
  if (all.some(namesStandard)) return undefined;
  const written = values.filter((value) => value.some(({ kind }) => kind === "literal"));
  if (written.length > 0)
    return written.flat().every((token) => (token.kind === "literal" ? !token.hasHoles : /^(?:options|[[\]=,])$/.test(token.text)))
      ? "default"
      : "open";
  return values.length < 2 && !/options|flags|args|std/i.test(textOf(all)) ? "default" : "open";
}

/** Calls that repeat another call without the standard in its options: `build(p, "-cl-std=CL2.0 " + more) || build(p, more)`. */
function fallbacksIn(uri: string, tokens: readonly HostToken[]): readonly StandardStatement[] {
  const found: StandardStatement[] = [];
  const given = callsWithStandard(tokens);
  if (given.length === 0) return found;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "word" || !isSign(tokens[index + 1], "(")) continue;
    const calls = given.filter(({ name }) => name === token.text);
    if (calls.length === 0) continue;
    const values = argumentsAt(tokens, index + 2);
    if (calls.some((call) => isRepetition(values, call)))
      found.push({
        standard: "default",
        location: { uri, span: { start: token.start, end: token.end } },
        isCertain: true,
        isFallback: true,
      });
  }
  return found;
}

interface CallWithStandard {
  readonly name: string;
  readonly values: readonly (readonly HostToken[])[];
  /** The index of the argument that names a standard. */
  readonly at: number;
}

function callsWithStandard(tokens: readonly HostToken[]): readonly CallWithStandard[] {
  return tokens.flatMap((token, index): readonly CallWithStandard[] => {
    if (!namesStandard(token)) return [];
    let depth = 0;
    for (let open = index - 1; open > 0 && index - open < 200; open -= 1) {
      const sign = tokens[open];
      const callee = tokens[open - 1];
      if (isSign(sign, ";") || isSign(sign, "{")) return [];
      if (isSign(sign, ")")) depth += 1;
      if (!isSign(sign, "(") || depth-- > 0) continue;
      // A conversion such as `std::string("…")` is a part of the argument.
      if (callee?.kind !== "word" || /^(?:string|str|String|if|while|return)$/.test(callee.text)) {
        depth = 0;
        continue;
      }
      const values = argumentsAt(tokens, open + 1);
      return [{ name: callee.text, values, at: values.findIndex((value) => value.some(namesStandard)) }];
    }
    return [];
  });
}

/** True for the arguments of the same call, except that its options are without a standard. */
function isRepetition(values: readonly (readonly HostToken[])[], { values: others, at }: CallWithStandard): boolean {
  const options = values[at];
  if (options === undefined || values.length !== others.length || options.some(namesStandard)) return false;
  if (values.some((value, index) => index !== at && spelled(value) !== spelled(others[index] ?? []))) return false;
  const words = new Set((others[at] ?? []).map((token) => (token.kind === "word" ? token.text : "")));
  return options.every((token) =>
    token.kind === "literal"
      ? token.value === "" || isOptions(token.value)
      : token.kind === "sign" || isEmpty(token.text) || words.has(token.text),
  );
}

function isEmpty(word: string): boolean {
  return /^(?:NULL|nullptr|None|null|nil|0)$/.test(word);
}

function spelled(tokens: readonly HostToken[]): string {
  return tokens.map((token) => (token.kind === "literal" ? JSON.stringify(token.value) : token.text)).join(" ");
}

function namesStandard(token: HostToken): boolean {
  return token.kind === "literal" && token.value.includes("-cl-std");
}

function textOf(tokens: readonly HostToken[]): string {
  return tokens.map((token) => (token.kind === "literal" ? "" : token.text)).join(" ");
}

/** The arguments of a call, each as a list of its tokens. `from` is after the opening parenthesis. */
function argumentsAt(tokens: readonly HostToken[], from: number): readonly (readonly HostToken[])[] {
  const values: HostToken[][] = [];
  let depth = 0;
  for (const token of tokens.slice(from, from + 200)) {
    const sign = token.kind === "sign" ? token.text : "";
    if (")]}".includes(sign) && sign !== "" && depth-- === 0) break;
    if ("([{".includes(sign) && sign !== "") depth += 1;
    if (sign === "," && depth === 0) values.push([]);
    else {
      if (values.length === 0) values.push([]);
      values[values.length - 1]?.push(token);
    }
  }
  return values;
}

/** True behind `.` and `->`. */
function isMember(tokens: readonly HostToken[], index: number): boolean {
  return isSign(tokens[index - 1], ".") || (isSign(tokens[index - 1], ">") && isSign(tokens[index - 2], "-"));
}
