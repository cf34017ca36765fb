/**
 * Reads `.clangd`: the flags that its fragments add, the files that these apply to, and its mistakes. It is the only file that
 * imports yaml and re2js. Only the parts of a fragment that can contain flags are read, so nested aliases are never expanded.
 */
import { RE2JS } from "re2js";
import { type Alias, Composer, type CST, type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, Parser } from "yaml";
import { quoted } from "../printable.ts";
import { type SettingsProblem, spanWithin } from "./problems.ts";

/** The contents of a `.clangd` file. */
export interface ClangdFile {
  /** The flags for a file. Its path counts from the folder of the `.clangd`. */
  flagsFor(path: string): readonly PlacedFlag[];
  readonly problems: readonly SettingsProblem[];
}

/** A flag, and its place in the file. */
export interface PlacedFlag {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Fragment {
  matches(path: string): boolean;
  readonly flags: readonly PlacedFlag[];
}

const longestText = 256 * 1024;
const deepest = 64;
/** The limit on the number of aliases, because each is searched for among all nodes. */
const mostAliases = 100;
/** The limit on the size of all patterns of a file together, because matching takes that many steps for each letter of a path. */
const largestPatterns = 2_000;

/** Reads a `.clangd` file; `problems` lists its mistakes. */
export function readClangdFile(text: string): ClangdFile {
  try {
    return read(text);
  } catch {
    // The parser is recursive, and throws an exception if the text is nested too deeply.
    return { flagsFor: () => [], problems: [{ message: "not read: it is nested too deeply", span: { start: 0, end: 0 } }] };
  }
}

function read(text: string): ClangdFile {
  const problems: SettingsProblem[] = [];
  if (text.length > longestText) {
    const message = `not read: it is larger than ${longestText / 1024} KB`;
    return { flagsFor: () => [], problems: [{ message, span: { start: 0, end: 0 } }] };
  }
  const tokens = [...new Parser(new LineCounter().addNewLine).parse(text)];
  const deep = tooDeep(tokens);
  if (deep !== undefined) {
    const message = `not read: it is nested more than ${deepest} levels deep`;
    return { flagsFor: () => [], problems: [{ message, span: { start: deep, end: Math.min(deep + 1, text.length) } }] };
  }
  const budget = { aliases: mostAliases, patterns: largestPatterns };
  const fragments: Fragment[] = [];
  // The parser finds duplicate keys by comparing all pairs, which is quadratic.
  for (const document of new Composer({ uniqueKeys: false, logLevel: "silent" }).compose(tokens)) {
    for (const { code, pos } of document.errors)
      problems.push({ message: `not valid YAML: ${wordsOf(code)}`, span: spanWithin(text, pos[0], pos[1]) });
    if (document.errors.length === 0) fragments.push(readFragment(document, problems, budget));
  }
  return {
    flagsFor: (path) => fragments.flatMap((fragment) => (fragment.matches(path) ? fragment.flags : [])),
    problems,
  };
}

interface Budget {
  aliases: number;
  patterns: number;
}

function readFragment(document: Document.Parsed, problems: SettingsProblem[], budget: Budget): Fragment {
  const root = document.contents;
  const valueOf = (node: unknown, key: string): Node | undefined => {
    if (!isMap(node)) return undefined;
    const pair = node.items.find((item) => isScalar(item.key) && item.key.value === key);
    return resolved(pair?.value, document, problems, budget);
  };
  if (root !== null && !isMap(root)) problems.push({ message: "expected a map, such as 'CompileFlags:'", span: spanOf(root) });
  const texts = (path: readonly [string, string]) =>
    textsOf(valueOf(valueOf(root, path[0]), path[1]), path.join("."), document, problems, budget);
  const patterns = (key: string) => texts(["If", key]).map((pattern) => compiled(pattern, problems, budget));
  const wanted = patterns("PathMatch");
  const unwanted = patterns("PathExclude");
  return {
    matches: (path) => (wanted.length === 0 || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path)),
    flags: texts(["CompileFlags", "Add"]),
  };
}

/** A test for paths that a pattern matches. As in clangd, it must match the whole path. An invalid pattern matches nothing. */
function compiled({ text, start, end }: PlacedFlag, problems: SettingsProblem[], budget: Budget): (path: string) => boolean {
  const fail = (message: string) => {
    problems.push({ message, span: { start, end } });
    return () => false;
  };
  try {
    const expression = text.length > largestPatterns ? undefined : RE2JS.compile(text);
    budget.patterns -= expression?.programSize() ?? largestPatterns;
    if (expression === undefined || budget.patterns < 0) return fail("too complex for a pattern: it would take too long");
    return (path) => expression.matches(path);
  } catch {
    return fail(`${quoted(text)} is not a regular expression`);
  }
}

/** The texts of a list; as in clangd, a single text may replace the list. */
function textsOf(
  node: Node | undefined,
  name: string,
  document: Document.Parsed,
  problems: SettingsProblem[],
  budget: Budget,
): readonly PlacedFlag[] {
  if (node === undefined || (isScalar(node) && node.value === null)) return [];
  const items = isSeq(node) ? node.items : [node];
  return items.flatMap((item) => {
    const value = resolved(item, document, problems, budget);
    if (isScalar(value) && value.value !== null && typeof value.value !== "object") {
      // `Add: [-DX=1, 2]`: numbers and booleans are used as written.
      const text = typeof value.value === "string" ? value.value : (value.source ?? String(value.value));
      const { start, end } = spanOf(value);
      return [{ text, start, end }];
    }
    if (value !== undefined) problems.push({ message: `expected text in '${name}'`, span: spanOf(value) });
    return [];
  });
}

/** The node that an alias stands for. One step is enough, because YAML has no alias of an alias. */
function resolved(node: unknown, document: Document.Parsed, problems: SettingsProblem[], budget: Budget): Node | undefined {
  if (!isAlias(node)) return isMap(node) || isSeq(node) || isScalar(node) ? node : undefined;
  budget.aliases--;
  if (budget.aliases === -1)
    problems.push({ message: `more than ${mostAliases} aliases: those from here on have no effect`, span: spanOf(node) });
  if (budget.aliases < 0) return undefined;
  return (node as Alias).resolve(document) ?? undefined;
}

function spanOf({ range }: Pick<Node, "range">): { readonly start: number; readonly end: number } {
  return { start: range?.[0] ?? 0, end: range?.[1] ?? 0 };
}

/** Where the text is nested too deeply, found without recursion. */
function tooDeep(documents: readonly CST.Token[]): number | undefined {
  const waiting = documents.map((token): { readonly token: CST.Token; readonly depth: number } => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > deepest) return token.offset;
    for (const inner of childrenOf(token)) waiting.push({ token: inner, depth: depth + 1 });
  }
  return undefined;
}

function childrenOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === "document") return token.value === undefined ? [] : [token.value];
  if (!("items" in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((inner) => inner !== undefined && inner !== null));
}

/** Spells the code `BAD_INDENT` as `bad indent`. */
function wordsOf(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
