/**
 * Decides by its text whether a file with an extension of OpenCL is a source of OpenCL. Host programs have such names too
 * (`scan.cpp.opencl`, `main.cl`), and so have Common Lisp, Cool and other languages, templates that a program fills in, and texts for C++ that
 * quote their lines. Any other file with device code is OpenCL; one without is not if its unconditional code needs the host, or if
 * nothing in it looks like C.
 */
import { withoutComments } from "./join.ts";

/** A kernel, a pointer into an address space, or a work-item function. */
const deviceCode =
  /\b(?:__)?kernel\b[\s\w]{0,200}?\bvoid\b|\bvoid\s+(?:__)?kernel\s+\w+\s*\(|\b__(?:kernel|global|local|constant|private)\b|\b(?:global|local|constant)\s+(?:(?:const|volatile|unsigned|struct)\s+)*\w+\s*\*|\bget_(?:global|local|group)_id\s*\(|\bCLK_\w+_MEM_FENCE\b/;

/** A line of a literal with a kernel; raw literals are not made of lines. */
const quotedKernel = /(?<!R)"[^"\n]*\b(?:__kernel|kernel\s+(?:void|__attribute__))\b/;

/** Headers that only a host can include: its OpenCL API, and the standard libraries of C and C++. */
const hostHeaders =
  /^[ \t]*#[ \t]*include[ \t]*(?:[<"](?:CL|OpenCL)\/\w+\.h(?:pp)?[>"]|[<"]cl(?:2|_ext|_gl|_platform)?\.h(?:pp)?[>"]|<[a-z_]+>|<(?:stdio|stdlib|string|time|errno|signal|unistd|pthread|windows|malloc|locale|setjmp)\.h>|<(?:sys|bits|boost|Eigen|thrust)\/)/m;
/** The API's functions and objects, C++'s standard library and namespaces, and the entry point of a program. */
const hostWords =
  /\bcl(?:Create(?:Context|Buffer|CommandQueue|Program|Kernel|Image|SubDevices|Sampler|UserEvent)\w*|Get(?:Platform|Device|Context|Program|Kernel|Event|MemObject|CommandQueue)\w*|Enqueue\w+|BuildProgram|CompileProgram|LinkProgram|(?:Release|Retain)\w+|SetKernelArg\w*|Finish|Flush|WaitForEvents)\s*\(|\bcl_(?:mem|context|device_id|command_queue|program|platform_id|kernel|event)\b|\bstd\s*::|\b(?:int|void|auto)\s+main\s*\(/;

/** A kernel of CUDA or HIP. */
const cudaKernel = /\b__global__\b[^;{}]{0,300}?\bvoid\b|\bvoid\s+__global__\b/;

/** Constructs without which a text is neither C nor C++: directives, declarations, definitions. */
const cWords =
  /^[ \t]*#[ \t]*(?:include[ \t]*["<]|define[ \t]+\w|ifn?def[ \t]+\w|if[ \t]+\S|pragma[ \t]+\w|undef[ \t]+\w|endif\b)|[;{}]\s*$|\btypedef\b|\bstruct\s+\w+\s*\{|\)\s*\{/m;

/** Languages that share an extension with OpenCL, each by constructs that C does not have. All of them must occur. */
const others: readonly (readonly RegExp[])[] = [
  // Lisp: the first form, after comments.
  [
    /^\ufeff?(?:\s|;[^\n]*(?:\n|$)|#![^\n]*\n|#\|(?:[^|]|\|(?!#))*\|#)*(?:['`]?\(\s*(?:[\w:*+%!?/<>=-]+(?:\s+[^\s)]|\s*\n)|lambda\b)|#[+-]\s*[:(])/,
  ],
  // Cool: classes that inherit, and features whose type follows a colon.
  [/^[ \t]*class\s+[A-Z]\w*\s+inherits\s+[A-Z]\w*\s*\{/m],
  [/^[ \t]*class\s+[A-Z]\w*\s*\{/m, /\)\s*:\s*[A-Z]\w*\s*\{|\b[a-z]\w*\s*:\s*[A-Z]\w*\s*(?:<-|;)/],
  // Prolog and its relatives.
  [/^(?:[a-z]\w*(?:\([^\n]*\))?)?[ \t]*:-/m],
  // The Object Constraint Language.
  [/^[ \t]*context[ \t]+[\w:]+[^\n;]*(?:\n\s*)?\b(?:inv|pre|post|def|body|init|derive)\b[ \t]*\w*[ \t]*:/m],
  // The command language of IRAF.
  [/^[ \t]*procedure[ \t]+\w+[ \t]*(?:\([^()]*\))?[ \t]*$/m, /^[ \t]*(?:begin|end)\b/m],
  // OCaml and its relatives.
  [/^[ \t]*(?:let[ \t]+(?:rec[ \t]+)?\w+[^\n;]*=|open[ \t]+[A-Z]\w*[ \t]*(?:;;)?[ \t]*$|module[ \t]+[A-Z]\w*[ \t]*=)/m],
  // Make: variables, and rules that are followed by commands behind a tab.
  [/^\w+[ \t]*[:?+]?=[^;{}\n]*$/m, /^[\w.%$()/ -]+:(?![:=])[^\n;]*\n\t\S/m],
];

/**
 * Constructs of a template, which becomes OpenCL only when a program fills it in: a statement of the template (`{% if x %}`), and a
 * name in place of a type (`{{T}} x;`). In C, no name follows either.
 */
const template = /\{%[-+~]?\s*\w[^{}]*%\}|\{\{\s*[A-Za-z_]\w*\s*\}\}[ \t]+[A-Za-z_]\w*[ \t]*[,;=)[]/;

/** How much of a text is read. The language shows at its beginning, and open files are asked about after each edit. */
const longestRead = 65_536;

/** True for the text of a source of OpenCL, as far as a text with such a name can tell. */
export function isOpenCLText(whole: string): boolean {
  const text = whole.slice(0, longestRead);
  const isSuspicious =
    hostWords.test(text) ||
    hostHeaders.test(text) ||
    !cWords.test(text) ||
    isOfAnother(text) ||
    cudaKernel.test(text) ||
    template.test(text) ||
    quotedKernel.test(text);
  if (!isSuspicious) return true;
  const code = withoutCommentsAndLiterals(text);
  if (template.test(code)) return false;
  if (deviceCode.test(code)) return true;
  if (quotedKernel.test(withoutComments(text))) return false;
  return !hasCudaKernel(code) && !needsHost(code) && (cWords.test(code) || isShort(code)) && !isOfAnother(code);
}

/** Where the first construct of a template is in a text of device code; undefined for other texts. */
export function templateIn(whole: string): number | undefined {
  const text = whole.slice(0, longestRead);
  if (!template.test(text)) return undefined;
  const code = withoutCommentsAndLiterals(text);
  return template.test(code) && deviceCode.test(code) ? text.search(template) : undefined;
}

/** True for CUDA or HIP in a file with an extension of OpenCL: it has kernels of theirs whatever is defined, and no device code of OpenCL. */
export function isCudaText(whole: string): boolean {
  const text = whole.slice(0, longestRead);
  if (!cudaKernel.test(text)) return false;
  const code = withoutCommentsAndLiterals(text);
  return !deviceCode.test(code) && hasCudaKernel(code);
}

function hasCudaKernel(code: string): boolean {
  return cudaKernel.test(code) && cudaKernel.test(unconditional(code));
}

function isOfAnother(text: string): boolean {
  return others.some((constructs) => constructs.every((construct) => construct.test(text)));
}

/** True for the text of a file that has just been begun, or that is a part of an expression. */
function isShort(code: string): boolean {
  return !code.trim().includes("\n");
}

/** True for the text of a header that only a host can compile. */
export function isHostText(whole: string): boolean {
  const text = whole.slice(0, longestRead);
  if (!hostWords.test(text) && !hostHeaders.test(text)) return false;
  return needsHost(withoutCommentsAndLiterals(text));
}

function needsHost(code: string): boolean {
  const everywhere = unconditional(code);
  return hostHeaders.test(everywhere) || hostWords.test(everywhere);
}

/** Comments and literals are blank; names in `#include` stay. */
function withoutCommentsAndLiterals(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|\/\/[^\n]*|(^[ \t]*#[ \t]*include[^\n]*)|R"([^()\\\s"]{0,16})\([\s\S]*?\)\2"|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\.|[^'\\\n])'/gm,
    (part, directive: string | undefined) => directive ?? (part.startsWith("/") ? " " : '""'),
  );
}

/** Conditions that say nothing about host and device: systems and compilers of hosts. */
const ofSystems = /\b_*(?:APPLE|MACOSX?|OSX|DARWIN|WIN32|WIN64|WINDOWS|MSC_VER|MSVC|LINUX|UNIX|CYGWIN|MINGW\w*|GNUC|ANDROID)_*\b/i;

/**
 * The code that every compiler reads: conditional parts are left out, except for those that depend on the system alone and those
 * that an include guard encloses. A file for both sides tests which compiler reads it.
 */
function unconditional(code: string): string {
  const kept: string[] = [];
  const open: boolean[] = [];
  let guard: string | undefined;
  let isStart = true;
  for (const line of code.split("\n")) {
    const directive = /^[ \t]*#[ \t]*(\w+)[ \t]*(.*)/.exec(line);
    const [, name = "", rest = ""] = directive ?? [];
    if (name.startsWith("if")) {
      if (isStart && (name === "ifndef" || /^!\s*defined\b/.test(rest))) guard = rest.match(/\w+/g)?.at(-1);
      open.push(ofSystems.test(rest));
    } else if (name === "endif") open.pop();
    else if (name === "define" && guard !== undefined && open.length === 1 && rest.split(/\W/)[0] === guard) {
      open[0] = true;
      guard = undefined;
    } else if (open.every((isNeutral) => isNeutral)) kept.push(line);
    if (line.trim() !== "" && !/^[ \t]*#[ \t]*pragma[ \t]+once/.test(line)) isStart = false;
  }
  return kept.join("\n");
}
