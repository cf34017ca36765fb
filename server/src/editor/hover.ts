/**
 * Explains code to authors of kernels: words for address or memory spaces, variables in such a space, pointers, kernels and the
 * functions around them. Other tools explain everything else. The texts are in `hover/`.
 */
import type { Reading, ReadUnit } from "../diagnostics/readings.ts";
import type { CompileSettings } from "../dialect.ts";
import type { SourceSpan } from "../source.ts";
import { explainCuda } from "./hover/cuda.ts";
import { judgedBy } from "./hover/dialects.ts";
import { type Explanation, written } from "./hover/explanation.ts";
import { explainOpenCL, type OpenCLView } from "./hover/opencl.ts";
import { type Target, targetAt } from "./hover/target.ts";

/** Markdown about the code at an offset of a file or piece, and the place that it describes; undefined if there is nothing to explain. */
export function hoverAt(
  { uri, settings, readings }: ReadUnit,
  offset: number,
): { readonly markdown: string; readonly span: SourceSpan } | undefined {
  const found = readings.flatMap((reading) => {
    const target = targetAt(reading.unit, reading.facts, uri, offset);
    return target === undefined ? [] : [{ ...reading, target }];
  });
  const first = found[0];
  if (first === undefined || first.target.location.uri !== uri) return undefined;
  const explanation = explanationOf(found, settings);
  if (explanation === undefined) return undefined;
  const { target, dialect } = first;
  const notes = target.macro === undefined ? [] : [`${target.macro} stands for ${target.text} here`];
  const dialects = readings.map((reading) => reading.dialect);
  return { markdown: written(explanation, dialect.language, notes, judgedBy(dialects, settings)), span: target.location.span };
}

function explanationOf(found: readonly (Reading & { readonly target: Target })[], settings: CompileSettings): Explanation | undefined {
  const first = found[0];
  if (first === undefined) return undefined;
  if (first.dialect.language === "cuda") return explainCuda(first.target, first.facts, first.dialect);
  const views = found.flatMap(({ dialect, facts, target }): readonly OpenCLView[] =>
    dialect.language === "opencl" ? [{ dialect, facts, target }] : [],
  );
  return explainOpenCL(views, settings.limits);
}
