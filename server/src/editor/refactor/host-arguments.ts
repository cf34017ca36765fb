/** Connects the parameters of a kernel with the calls of `clSetKernelArg` that set them. */
import type { ReadFile } from "../../diagnostics/analyzed-files.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import { type Edit, type Files, type Location, type SourceSpan, textOf } from "../../source.ts";
import { touch } from "../../spans.ts";
import { namesInHosts } from "../language/host-names.ts";

/** The access to the files of the workspace. */
interface OtherFiles {
  readonly files: Files;
  read(uri: string): ReadFile;
}

/**
 * The parameter that the call at a span sets; undefined unless the file creates the kernel's object once, with its name as a string,
 * and one file of the workspace defines a kernel of that name.
 */
export function hostArgumentAt(uri: string, span: SourceSpan, { files, read }: OtherFiles): Location | undefined {
  const text = textOf(files, uri);
  for (const match of text.matchAll(/\bclSetKernelArg\s*\(\s*(\w+)\s*,\s*(\d+)[uU]?\s*,[^;]*\)/g)) {
    if (!touch({ start: match.index, end: match.index + match[0].length }, span)) continue;
    const [, object = "", index = ""] = match;
    const kernel = kernelOf(object, text);
    return kernel === undefined ? undefined : parameterOf(kernel, Number(index), uri, files, read);
  }
  return undefined;
}

/** The calls that set the arguments of a kernel. */
export interface HostCalls {
  /** The number that an argument always has; undefined unless the host passes the address of a constant. */
  valueOf(index: number): string | undefined;
  /** The edits that leave the argument out: its call goes, and the later arguments move up. */
  without(index: number): readonly Edit[];
}

const setsArgument = /\bclSetKernelArg\s*\(\s*(\w+)\s*,\s*(\d+)[uU]?\s*,([^;()]*(?:\([^;()]*\)[^;()]*)*)\)/g;

/**
 * The calls for a kernel with so many parameters that a file defines; undefined unless one file creates the kernel once and sets each of
 * its arguments in a statement of its own, and no other file defines such a kernel.
 */
export function hostCallsFor(kernel: string, parameters: number, uri: string, files: Files): HostCalls | undefined {
  const { kernelFiles, places } = namesInHosts(kernel, files, uri);
  const [created, again] = places;
  if (created === undefined || again !== undefined || kernelFiles.length !== 1) return undefined;
  const text = textOf(files, created.uri);
  const all = [...text.matchAll(setsArgument)];
  const owners = all.map(([, object = ""]) => kernelOf(object, text));
  // A call in another form, such as one in a loop over the arguments, may be for this kernel.
  if (owners.includes(undefined) || text.match(/\bclSetKernelArg\b/g)?.length !== all.length) return undefined;
  const calls = all
    .filter((_, at) => owners[at] === kernel)
    .flatMap(({ index: start, 0: whole, 1: object = "", 2: given = "", 3: value = "" }) => {
      const statement = statementAround(text, start, start + whole.length);
      const digits = start + whole.indexOf(given, whole.indexOf(object) + object.length);
      return statement === undefined
        ? []
        : [{ index: Number(given), digits: { start: digits, end: digits + given.length }, value, statement }];
    });
  if (
    calls.length !== parameters ||
    !calls.every(({ index }, _, them) => index < parameters && them.filter((each) => each.index === index).length === 1)
  )
    return undefined;
  return {
    valueOf(index) {
      const variable = /,\s*&\s*(\w+)\s*$/.exec(calls.find((call) => call.index === index)?.value ?? "")?.[1];
      if (variable === undefined) return undefined;
      const declared = new RegExp(`\\b(?:const|constexpr)\\b[\\w\\s]*\\b${variable}\\s*=\\s*([-+]?[\\d.][\\w.]*)\\s*;`, "g");
      const [only, other] = [...text.matchAll(declared)];
      return other === undefined ? only?.[1] : undefined;
    },
    without: (index) =>
      calls.flatMap((call): Edit[] => {
        if (call.index < index) return [];
        const [span, now] = call.index === index ? [call.statement, ""] : [call.digits, `${call.index - 1}`];
        return [{ location: { uri: created.uri, span }, text: now }];
      }),
  };
}

/**
 * The statement that consists of a call, or assigns or checks its result, with its line; undefined for a call in another expression, and
 * for a declaration, which later statements may need.
 */
function statementAround(text: string, start: number, end: number): SourceSpan | undefined {
  const before = /(?:^|[;{}])\s*((?:[A-Za-z_]\w*\s*(?:\|?=\s*|\(\s*))?)$/.exec(text.slice(0, start));
  const head = before?.[1];
  const after = (head?.includes("(") === true ? /^\s*\)\s*;[ \t]*\n?/ : /^\s*;[ \t]*\n?/).exec(text.slice(end));
  if (head === undefined || after === null) return undefined;
  const from = start - head.length;
  return { start: from - (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0), end: end + after[0].length };
}

/** The name of the kernel that a variable holds. */
function kernelOf(object: string, text: string): string | undefined {
  const given = [
    ...text.matchAll(new RegExp(`(?<![.>\\w])${object}\\s*=(?!=)\\s*(?:clCreateKernel\\s*\\(\\s*\\w+\\s*,\\s*"(\\w+)")?`, "g")),
  ];
  const names = new Set(given.map(([, name]) => name));
  return names.size === 1 ? given[0]?.[1] : undefined;
}

function parameterOf(kernel: string, index: number, host: string, files: Files, read: OtherFiles["read"]): Location | undefined {
  const [only, ...others] = namesInHosts(kernel, files, host).kernelFiles;
  if (only === undefined || others.length > 0) return undefined;
  for (const { name, declarations } of read(only).readings[0]?.facts.functions ?? []) {
    if (name !== kernel) continue;
    const declaration = declarations.find(({ execution, isDefinition }) => execution.kernel && isDefinition);
    const symbol = declaration?.parameters[index]?.symbol;
    if (symbol !== undefined) return codeAt(symbol.place);
  }
  return undefined;
}
