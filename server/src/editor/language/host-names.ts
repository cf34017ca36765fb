/**
 * Finds where host code names a kernel by its text: in the string of `clCreateKernel`, in constructors of C++ wrappers, in calls of the
 * driver APIs, PyOpenCL and CuPy, and as an attribute of a PyOpenCL program. Other strings may mean something else.
 */
import { languageOfName } from "../../dialect.ts";
import { type Files, type Location, type SourceSpan, textOf } from "../../source.ts";
import { literally, wordPattern } from "../../words.ts";
import { codeTokens } from "../names/tokens.ts";

/** Calls with a kernel's name among their arguments. */
const callees =
  /^(?:clCreateKernel|Kernel|KernelFunctor|make_kernel|(?:cu|hip)ModuleGetFunction|RawKernel|get_function|get_kernel|name_expressions)$/;

const parts =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<long>"""[\s\S]*?"""|'''[\s\S]*?''')|(?<literal>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<word>[A-Za-z_]\w*)|[^\s\w]/g;
const pythonParts = new RegExp(parts.source.replace("\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/", "#[^\\n]*"), "g");

interface Part {
  readonly text: string;
  readonly start: number;
  readonly isLiteral: boolean;
}

/** Where the host names a kernel, and the files that define a kernel of that name: if there are several, host code may mean any. */
export interface HostNames {
  readonly kernelFiles: readonly string[];
  readonly places: readonly Location[];
}

/** Every place at which host code names this kernel, in the files of the workspace and in one more, which may be outside of it. */
export function namesInHosts(kernel: string, files: Files, also: string): HostNames {
  const word = wordPattern(kernel);
  // Between the qualifier and the name stand words, attributes, and in literals the ends of lines.
  const between = String.raw`(?:[\s\w*&:"\\]|\((?:[^()]|\([^()]*\))*\))*?`;
  const defining = new RegExp(String.raw`\b(?:(?:__)?kernel|__global__)\b${between}\b${literally(kernel)}\s*\(`);
  const naming = [...new Set([...files.list(), ...(files.scripts?.() ?? []), also])].filter((uri) => word.test(textOf(files, uri)));
  return {
    kernelFiles: naming.filter((uri) => defining.test(textOf(files, uri))),
    places: naming
      .filter((uri) => languageOfName(uri) !== "opencl")
      .flatMap((uri) => hostNamesOf(kernel, textOf(files, uri), isPython(uri)).map((span) => ({ uri, span }))),
  };
}

function isPython(uri: string): boolean {
  return /\.pyw?$/i.test(uri);
}

/** The function of a host file around a place; undefined outside of functions. */
export function hostFunctionAround({ uri, span }: Location, text: string) {
  const found = isPython(uri) ? pythonFunctionAround(text, span.start) : functionAround(text, span.start);
  return found === undefined ? undefined : ({ kind: "host", uri, ...found } as const);
}

interface FunctionAround {
  readonly name: string;
  readonly span: SourceSpan;
  readonly nameSpan: SourceSpan;
}

/** The outermost function around the offset, from its name to its last brace: braces that follow parentheses after a word. */
function functionAround(text: string, offset: number): FunctionAround | undefined {
  const tokens = codeTokens(text).filter(({ kind }) => kind !== "comment");
  /** The index of the token of each open bracket. */
  const open: number[] = [];
  const functions: { readonly name: number; readonly open: number }[] = [];
  let parameters: { readonly name: number } | undefined;
  for (const [index, token] of tokens.entries()) {
    if (/^[([{]$/.test(token.text)) {
      if (token.text === "{" && parameters !== undefined && functions.length === 0) functions.push({ name: parameters.name, open: index });
      open.push(index);
    } else if (/^[)\]}]$/.test(token.text)) {
      const first = open.pop();
      const [outer] = functions;
      if (outer !== undefined && first === outer.open) {
        functions.pop();
        const name = tokens[outer.name];
        if (name !== undefined && name.start <= offset && offset < token.end)
          return { name: name.text, span: { start: name.start, end: token.end }, nameSpan: { start: name.start, end: name.end } };
      }
      if (token.text === ")" && first !== undefined && tokens[first - 1]?.kind === "word") parameters = { name: first - 1 };
    }
    if (/^[;}=]$/.test(token.text)) parameters = undefined;
  }
  return undefined;
}

/** The nearest `def` above the offset that is indented less than its line. */
function pythonFunctionAround(text: string, offset: number): FunctionAround | undefined {
  const lines = [...text.matchAll(/^([ \t]*)(.*)$/gm)];
  const at = lines.findLastIndex(({ index }) => index <= offset);
  let indent = lines[at]?.[1]?.length ?? 0;
  for (let line = at; line >= 0; line -= 1) {
    const [, spaces = "", code = ""] = lines[line] ?? [];
    const start = lines[line]?.index ?? 0;
    const name = /^(?:[a-z]+[ \t]+)?def[ \t]+([A-Za-z_]\w*)/.exec(code)?.[1];
    if (code === "" || spaces.length >= indent) continue;
    if (name !== undefined) {
      const from = start + spaces.length + code.indexOf(name, code.indexOf("def") + 3);
      const end =
        lines.slice(line + 1).find(([, deep = "", rest = ""]) => rest !== "" && deep.length <= spaces.length)?.index ?? text.length;
      return { name, span: { start, end }, nameSpan: { start: from, end: from + name.length } };
    }
    indent = spaces.length;
  }
  return undefined;
}

/** The places of the kernel's name in the text of a host file. */
function hostNamesOf(kernel: string, text: string, python: boolean): readonly SourceSpan[] {
  if (!text.includes(kernel)) return [];
  const found: SourceSpan[] = [];
  const before: Part[] = [];
  const programs = python ? programsIn(text) : new Set<string>();
  const open: (string | undefined)[] = [];
  /** The function that the last closed bracket called. */
  let called: string | undefined;
  for (const match of text.matchAll(python ? pythonParts : parts)) {
    const { comment, long, literal } = match.groups ?? {};
    if (comment !== undefined) continue;
    const part: Part = { text: match[0], start: match.index, isLiteral: literal !== undefined || long !== undefined };
    if (/^[([{]$/.test(part.text)) open.push(calleeBefore(before));
    else if (/^[)\]}]$/.test(part.text)) called = open.pop();
    const [object, sign] = before.slice(-2);
    const isOfProgram = object !== undefined && (programs.has(object.text) || (python && object.text === ")" && called === "build"));
    const callee = open.at(-1);
    const isArgument =
      callee !== undefined && (callees.test(callee) || (python && callee === "getattr" && sign?.text === "," && isOfProgram));
    if (isArgument && literal !== undefined && literal.slice(1, -1) === kernel) found.push(spanOf(part.start + 1, kernel));
    if (part.text === kernel && sign?.text === "." && isOfProgram) found.push(spanOf(part.start, kernel));
    before.push(part);
  }
  return found;
}

function spanOf(start: number, name: string): SourceSpan {
  return { start, end: start + name.length } as SourceSpan;
}

/** The function that the bracket after these parts calls, the class of the variable that it initializes, or the parameter that gets a list. */
function calleeBefore(before: readonly Part[]): string | undefined {
  let at = before.length - 1;
  if (before[at]?.text === ">") {
    for (let depth = 0; at >= 0; at -= 1) {
      if (before[at]?.text === ">") depth += 1;
      else if (before[at]?.text === "<" && --depth === 0) break;
    }
    at -= 1;
  }
  if (before[at]?.text === "=") at -= 1;
  const called = before[at];
  if (called === undefined || called.isLiteral) return undefined;
  const type = before[at - 1];
  return type !== undefined && !callees.test(called.text) && /^\w+$/.test(called.text) && callees.test(type.text) ? type.text : called.text;
}

/** The variables and attributes of a Python file that hold a program: `self.prg = cl.Program(context, source).build()`. */
function programsIn(text: string): ReadonlySet<string> {
  const assigned = /^[ \t]*(?:[A-Za-z_]\w*\.)*([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=[ \t(\\]*(?:\n[ \t]*)?(?:[A-Za-z_]\w*\.)*Program\(/gm;
  return new Set([...text.matchAll(assigned)].map(([, name = ""]) => name));
}
