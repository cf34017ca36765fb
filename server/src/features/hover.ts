/**
 * Explains what stands at a place to somebody who writes kernels: words that name an address or memory space, variables
 * that have one, kernels and their parameters. Everything else is left to other tools. The texts are those of `hover/`.
 */
import type { CompileSettings } from "../dialect.ts";
import type { Span } from "../source.ts";
import { cudaParts } from "./hover/cuda.ts";
import { judgedBy } from "./hover/dialects.ts";
import { type OpenCLView, openclParts } from "./hover/opencl.ts";
import { type Target, targetAt } from "./hover/target.ts";
import type { ReadFile, Reading } from "./readings.ts";

/** Markdown about what is at an offset of a file, and the place that it is about; undefined where there is nothing to say. */
export function hoverAt(
  { uri, settings, readings }: ReadFile,
  offset: number,
): { readonly markdown: string; readonly span: Span } | undefined {
  const found = readings.flatMap((reading) => {
    const target = targetAt(reading.unit, reading.facts, uri, offset);
    return target === undefined ? [] : [{ ...reading, target }];
  });
  const first = found[0];
  if (first === undefined || first.target.location.uri !== uri) return undefined;
  const parts = partsOf(found, settings);
  if (parts === undefined) return undefined;
  const { target } = first;
  const expansion = target.macro === undefined ? [] : [`\`${target.macro}\` stands for \`${target.text}\` here`];
  const dialects = readings.map(({ dialect }) => dialect);
  return { markdown: joined([...expansion, ...parts, judgedBy(dialects, settings)]), span: target.location.span };
}

function partsOf(found: readonly (Reading & { readonly target: Target })[], settings: CompileSettings): readonly string[] | undefined {
  const first = found[0];
  if (first === undefined) return undefined;
  if (first.dialect.language === "cuda") return cudaParts(first.target, first.facts, first.dialect);
  const views = found.flatMap(({ dialect, facts, target }): readonly OpenCLView[] =>
    dialect.language === "opencl" ? [{ dialect, facts, target }] : [],
  );
  return openclParts(views, settings.limits);
}

/** Paragraphs; lists that follow each other are one. */
function joined(parts: readonly string[]): string {
  const isList = (text: string | undefined) => text?.startsWith("- ") === true;
  return parts.map((part, index) => (index === 0 ? part : `${isList(parts[index - 1]) && isList(part) ? "\n" : "\n\n"}${part}`)).join("");
}
