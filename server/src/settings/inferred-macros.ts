/**
 * Infers values of macros that the host program sets when it builds kernels, to a number that only its run knows:
 * `"-D VECT_SIZE=%d"`. If every branch of `#if VECT_SIZE == 1 … #elif VECT_SIZE == 2 … #endif` defines the same macro, one of them is
 * taken in every build, and the first stands for all: the code is judged as that build sees it. Settings override the inference.
 */
import { tokensOf } from "../embedded/embedded.ts";
import { meaningOf } from "../encoding.ts";
import { type Files, type Location, textOf } from "../source.ts";
import { isBuildFile } from "./builds/build-languages.ts";
import { hole, namedTexts, optionText } from "./option-texts.ts";
import { isOptions, maySayStandard } from "./standard-statements.ts";

/** A macro that the host program defines, with a value that kernels test. */
export interface InferredMacro {
  readonly name: string;
  readonly value: string;
  /** The option in the host program. */
  readonly location: Location;
  /** Macros of which each makes another program of the source in place of this one. */
  readonly others?: readonly { readonly name: string; readonly value: string }[];
}

/** Answers which macros the builds of a project's kernels define. */
export interface MacroInference {
  macros(): readonly InferredMacro[];
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

/** An option that defines a macro, with its place. */
interface Option {
  readonly name: string;
  readonly location: Location;
}

/** The tests of a macro that are one after the other, without `#else`. */
export interface Chain {
  readonly name: string;
  /** In the order of the branches. */
  readonly values: readonly string[];
}

/** Creates the inference. It reads host sources and kernels once, and again when one of them changes. */
export function createMacroInference(files: Files): MacroInference {
  const options = new Map<string, readonly Option[]>();
  const chains = new Map<string, readonly Chain[]>();
  let names: ReadonlySet<string> | undefined;
  let known: readonly InferredMacro[] | undefined;
  const readOptions = (uri: string): boolean => isHostSource(uri) && replace(options, uri, optionsIn(uri, textOf(files, uri)));
  const readChains = (uri: string): boolean =>
    isKernelSource(uri) && replace(chains, uri, chainsIn(textOf(files, uri), names ?? new Set()));
  const inferred = () => infer([...options.values()].flat(), [...chains.values()].flat());
  const gather = (): readonly InferredMacro[] => {
    if (known !== undefined) return known;
    const listed = files.list();
    // While one of the files is unread, it is unknown what it says.
    if (listed.some((uri) => (isHostSource(uri) || isKernelSource(uri)) && files.read(uri) === "unread")) return [];
    for (const uri of listed) readOptions(uri);
    names = namesOf(options);
    chains.clear();
    if (names.size > 0) for (const uri of listed) readChains(uri);
    known = inferred();
    return known;
  };
  return {
    macros: gather,
    changed: (uris) => {
      // Nothing has been requested yet.
      if (known === undefined) return false;
      const before = known;
      const haveOptions = uris.map(readOptions).includes(true);
      const haveChains = uris.map(readChains).includes(true);
      if (haveOptions) known = undefined;
      else if (haveChains || uris.some((uri) => options.has(uri))) known = inferred();
      return meaningOf(before) !== meaningOf(gather());
    },
  };
}

/** Replaces what is known about a file; true if its meaning differs. */
function replace<Value>(all: Map<string, readonly Value[]>, uri: string, found: readonly Value[]): boolean {
  const before = all.get(uri) ?? [];
  if (found.length > 0) all.set(uri, found);
  else all.delete(uri);
  return meaningOf(before) !== meaningOf(found);
}

function namesOf(options: ReadonlyMap<string, readonly Option[]>): ReadonlySet<string> {
  return new Set([...options.values()].flat().map(({ name }) => name));
}

function isHostSource(uri: string): boolean {
  return maySayStandard(uri) && !isBuildFile(uri);
}

const kernels = /\.(?:cl|clh|clcpp|clpp|ocl|opencl|h|hh|hpp|hxx|inc|inl|def)$/i;

function isKernelSource(uri: string): boolean {
  return kernels.test(uri);
}

/** The macros that are set to a number of which a chain knows all values: the first value that each chain knows. */
function infer(options: readonly Option[], chains: readonly Chain[]): readonly InferredMacro[] {
  const found = new Map<string, InferredMacro>();
  for (const { name, location } of options) {
    if (found.has(name)) continue;
    const own = chains.filter((chain) => chain.name === name);
    const value = own[0]?.values.find((candidate) => own.every(({ values }) => values.includes(candidate)));
    if (value !== undefined) found.set(name, { name, value, location });
  }
  return [...found.values()];
}

// ---------------------------------------------------------------- options in host sources

const mayDefine = /-D ?[A-Za-z_]\w*=(?:%|["'])/;
const defined = new RegExp(`(?:^|\\s)-D ?([A-Za-z_]\\w*)=${hole}(?=\\s|$)`, "g");

/** The macros that options of a host program set to unknown values. Comments are skipped. */
function optionsIn(uri: string, text: string): readonly Option[] {
  if (!mayDefine.test(text)) return [];
  const tokens = tokensOf(uri, text);
  const names = namedTexts(text);
  return tokens.flatMap((token, index): readonly Option[] => {
    if (token.kind !== "literal" || !isOptions(token.value) || !mayDefine.test(`"${token.value}"`)) return [];
    const location = { uri, span: { start: token.start, end: token.end } };
    return [...optionText(tokens, index, names).matchAll(defined)].map(([, name = ""]) => ({ name, location }));
  });
}

// ---------------------------------------------------------------- conditionals in kernels

const directive = /^[ \t]*#[ \t]*(\w+)[ \t]*(.*)$/gm;
const equality = /^\(?\s*([A-Za-z_]\w*)\s*==\s*(\d+)\s*\)?$/;

interface Open {
  /** Absent if a branch tests something else. */
  name: string | undefined;
  readonly values: string[];
  /** The macros that every branch so far defines. */
  shared: Set<string> | undefined;
  /** The macros that the current branch defines. */
  own: Set<string>;
}

/** The chains of tests of these names in which every branch has another value and defines a common macro. Zero means undefined. */
export function chainsIn(text: string, names: ReadonlySet<string>): readonly Chain[] {
  if (!/#[ \t]*elif/.test(text) || ![...names].some((name) => text.includes(name))) return [];
  const chains: Chain[] = [];
  const open: Open[] = [];
  for (const [, word = "", rest = ""] of text.matchAll(directive)) {
    const current = open[open.length - 1];
    const test = equality.exec(rest.replace(/\/\/.*|\/\*.*?\*\//g, "").trim());
    const [, name = "", value = ""] = test ?? [];
    const isTest = names.has(name) && Number(value) !== 0;
    if (word === "if" || word === "ifdef" || word === "ifndef") {
      open.push({ name: word === "if" && isTest ? name : undefined, values: [value], shared: undefined, own: new Set() });
    } else if (current === undefined) continue;
    else if (word === "define") current.own.add(/^\w*/.exec(rest)?.[0] ?? "");
    else if (word.startsWith("elif")) {
      endBranch(current);
      if (word !== "elif" || !isTest || name !== current.name || current.values.includes(value)) current.name = undefined;
      current.values.push(value);
    } else if (word === "else") current.name = undefined;
    else if (word === "endif") {
      endBranch(current);
      open.pop();
      if (current.name !== undefined && current.values.length > 1 && (current.shared?.size ?? 0) > 0)
        chains.push({ name: current.name, values: current.values });
    }
  }
  return chains;
}

function endBranch(open: Open): void {
  const { own, shared } = open;
  open.shared = shared === undefined ? own : new Set([...shared].filter((name) => own.has(name)));
  open.own = new Set();
}
