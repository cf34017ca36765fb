/**
 * Explains code to authors of kernels: words for address or memory spaces, variables in such a space, pointers, kernels, their
 * launches and the functions around them. Other tools explain everything else. The texts are in `hover/`.
 */
import type { AnalyzedUnit, ReadFile, ReadUnit } from "../diagnostics/analyzed-files.ts";
import type { CompileSettings } from "../dialect.ts";
import { type SourceSpan, textOf } from "../source.ts";
import { explainCuda } from "./hover/cuda.ts";
import { judgedBy } from "./hover/dialects.ts";
import { type Explanation, written } from "./hover/explanation.ts";
import { explainLaunch, launchAt } from "./hover/launches.ts";
import { explainMeaning, type PlacedFiles } from "./hover/names.ts";
import { explainNumber } from "./hover/numbers.ts";
import { explainOpenCL, type OpenCLView } from "./hover/opencl.ts";
import { type HoverTarget, targetAt } from "./hover/target.ts";
import { meaningOf } from "./names/meaning.ts";
import { numberAt, wordAt } from "./names/tokens.ts";

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
  const explanation = first?.target.location.uri === uri ? explanationOf(found, settings) : undefined;
  if (first === undefined || explanation === undefined) return launchHover({ uri, settings, readings }, offset);
  const { target, dialect } = first;
  const notes = target.macro === undefined ? [] : [`${target.macro} stands for ${target.text} here`];
  const dialects = readings.map((reading) => reading.dialect);
  return { markdown: written(explanation, dialect.language, notes, judgedBy(dialects, settings)), span: target.location.span };
}

/** Markdown about a name that `hoverAt` does not explain, in a file that is read as one unit. */
export function nameHoverAt({ uri, settings, readings }: ReadFile, offset: number, sources: PlacedFiles): ReturnType<typeof hoverAt> {
  const [reading] = readings;
  const { files } = sources;
  const text = textOf(files, uri);
  const word = wordAt(text, offset) ?? numberAt(text, offset);
  if (reading === undefined || word === undefined) return undefined;
  const span = { start: word.start, end: word.end } as SourceSpan;
  const dialects = readings.map(({ dialect }) => dialect);
  const callee = () => targetAt(reading.unit, reading.facts, uri, span.start)?.function;
  const explanation =
    word.kind === "literal"
      ? explainNumber(word.text, reading.dialect)
      : isDirective(text, span)
        ? undefined
        : explainMeaning(word.text, meaningOf(reading, uri, text, span, files), reading, dialects, sources, callee);
  if (explanation === undefined) return undefined;
  return { markdown: written(explanation, reading.dialect.language, [], judgedBy(dialects, settings)), span };
}

/** True for the word behind the `#` of a directive. */
function isDirective(text: string, { start }: SourceSpan): boolean {
  return /(?:^|\n)[ \t]*#[ \t]*$/.test(text.slice(Math.max(0, start - 100), start));
}

/** A launch is explained where its `<<<…>>>` has no name with a meaning of its own. */
function launchHover({ uri, settings, readings }: ReadUnit, offset: number): ReturnType<typeof hoverAt> {
  const [first] = readings;
  if (first === undefined || first.dialect.language !== "cuda") return undefined;
  const { unit, facts, dialect } = first;
  const at = unit.uri === uri ? unit.view.offsetOf(uri, offset) : undefined;
  const launch = at === undefined ? undefined : launchAt(unit, facts, at);
  const explanation = launch === undefined ? undefined : explainLaunch(launch, facts, dialect);
  if (launch === undefined || explanation === undefined) return undefined;
  const dialects = readings.map((reading) => reading.dialect);
  const markdown = written(explanation, dialect.language, [], judgedBy(dialects, settings));
  return { markdown, span: unit.view.origin(launch.span).location.span };
}

function explanationOf(
  found: readonly (AnalyzedUnit & { readonly target: HoverTarget })[],
  settings: CompileSettings,
): Explanation | undefined {
  const first = found[0];
  if (first === undefined) return undefined;
  if (first.dialect.language === "cuda") return explainCuda(first.target, first.facts, first.dialect);
  const views = found.flatMap(({ dialect, facts, target }): readonly OpenCLView[] =>
    dialect.language === "opencl" ? [{ dialect, facts, target }] : [],
  );
  return explainOpenCL(views, settings.limits);
}
