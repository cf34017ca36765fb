/** Finds the parameter of a kernel that a call of `clSetKernelArg` sets. */
import type { ReadFile } from "../../diagnostics/readings.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import { type Files, type Location, type SourceSpan, textOf } from "../../source.ts";
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
