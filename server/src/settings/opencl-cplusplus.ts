/**
 * Recognizes C++ for OpenCL in a source whose name does not say it: `.cl` is the extension of OpenCL C, but projects use it for both.
 * Only constructs that no OpenCL C source can contain count; a word such as `class` or `private` alone does not.
 */
import { type CompileSettings, isStandardConfigured, type Language, languageOfName } from "../dialect.ts";
import type { FileUri, Span } from "../source.ts";

const constructs = [
  /\btemplate\s*<\s*(?:typename\b|class\b|>|\w+\s+\w+\s*[,>=])/,
  /\b(?:public|protected|private)\s*:(?!:)/,
  /\bnamespace\s+\w+(?:\s*::\s*\w+)*\s*\{/,
  /\busing\s+(?:namespace\s+\w|\w+\s*=)/,
  /\bclass\s+\w+\s*(?:\bfinal\s*)?[:{]/,
  /\b(?:static|const|reinterpret|addrspace)_cast\s*</,
  /\w\s*::\s*~?[A-Za-z_]/,
  /\boperator(?<=\w\soperator)(?<!\b(?:return|case|else|do|sizeof)\soperator)\s*(?:[-+*/%^&|~!=<>]{1,3}|\(\s*\)|\[\s*\])\s*\(/,
  /\benum\s+(?:class|struct)\s+\w+/,
  // A lambda.
  /\[\s*[&=]?\s*\]\s*\([^()]*\)\s*(?:\{|->|mutable\b|__(?:global|local|private|constant|generic)\b)/,
  // The address space of a member function's object.
  /\)\s*(?:(?:const|volatile)\s+)*__(?:global|local|private|constant|generic)\s*(?:[;{]|->|noexcept\b)/,
];
const construct = new RegExp(constructs.map(({ source }) => source).join("|"));

/** A kernel that is a template, which C++ for OpenCL forbids: a tool that generates code reads it, or a compiler with a dialect of its own. */
const kernelTemplate = /\btemplate\s*<[^{};()]*>\s*(?:__attribute__\s*\(\([^{};]*?\)\)\s*)?(?:__)?kernel\b/;

/**
 * The settings of a source. If none of them names the OpenCL standard, the source selects C++ for OpenCL by its first construct of
 * that language. The standard that host code passes to a build is a guess from other files, which the source's own text overrides.
 */
export function withCplusplus(settings: CompileSettings, uri: FileUri, textOf: () => string): CompileSettings {
  const language: Language | undefined = settings.language ?? languageOfName(uri);
  if (language !== "opencl" || isStandardConfigured(settings) || /\.(clcpp|clpp)$/i.test(uri)) return settings;
  const span = cplusplusIn(textOf());
  return span === undefined ? settings : { ...settings, openclStandard: "clc++2021", standardFrom: { uri, span } };
}

/** The first construct of C++ that a compiler reads in any case; undefined if there is none. */
export function cplusplusIn(text: string): Span | undefined {
  const tags = tagsOnly(text);
  // One after the other, the patterns take less than half of the time of all as one.
  if (!constructs.some((each) => each.test(text)) && tags.size === 0) return undefined;
  const code = unconditional(text);
  const found = construct.exec(code) ?? tagAsType(tags, code);
  return found === undefined || kernelTemplate.test(code) ? undefined : { start: found.index, end: found.index + found[0].length };
}

const declaredTags = /\b(?:struct|union|enum)\s+([A-Za-z_]\w*)\s*\{/g;

/** The tags of structures that are also written without `struct`, but are no names of type definitions or macros. A header may define them. */
function tagsOnly(text: string): ReadonlySet<string> {
  const declared = new Set([...text.matchAll(declaredTags)].map(([, tag = ""]) => tag));
  if (declared.size === 0 || /^[ \t]*#[ \t]*include\b/m.test(text)) return new Set();
  const isAlone = (tag: string) => new RegExp(`\\b${tag}\\b(?<!\\b(?:struct|union|enum)\\s+${tag})`).test(text);
  const isDefined = (tag: string) => new RegExp(`(?:\\btypedef\\b[^;{}]*|#[ \\t]*define[^\\n]*|\\}[^;{}]*)\\b${tag}\\b`).test(text);
  return new Set([...declared].filter((tag) => isAlone(tag) && !isDefined(tag)));
}

/** A declaration whose type is such a tag, which C does not have as the name of a type. */
function tagAsType(tags: ReadonlySet<string>, code: string): RegExpExecArray | undefined {
  for (const [, tag = ""] of code.matchAll(declaredTags)) {
    const use = tags.has(tag) ? new RegExp(`[;{}]\\s*(?:const\\s+)?${tag}\\s+[A-Za-z_]\\w*\\s*[;=(\\[]`).exec(code) : null;
    if (use !== null) return use;
  }
  return undefined;
}

/** The text whose comments, literals, directives and conditional parts are blank. A file for several languages tests which one reads it. */
function unconditional(text: string): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, " ");
  let depth = 0;
  return text
    .replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, blank)
    .replace(/(?:[^\n\\]|\\(?:\r?\n)?)*(?:\n|$)/g, (line) => {
      const directive = /^\s*#\s*(\w*)/.exec(line)?.[1];
      if (directive?.startsWith("if") === true) depth += 1;
      if (directive === "endif") depth = Math.max(0, depth - 1);
      return directive !== undefined || depth > 0 ? blank(line) : line;
    });
}
