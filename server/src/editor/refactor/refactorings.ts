/** Collects all refactorings at a place. Each decides in its own file whether to offer itself. */
import type { ReadFile } from "../../diagnostics/analyzed-files.ts";
import { type Files, type SourceSpan, textOf } from "../../source.ts";
import type { Summary } from "../../summary/summary.ts";
import { wordPattern } from "../../words.ts";
import { gridConstantRefactorings, kernelsAt, subjectAt } from "./grid-constant.ts";
import { hostArgumentAt } from "./host-arguments.ts";
import { constantRefactorings } from "./host-constant.ts";
import { parameterRefactorings } from "./kernel-parameter.ts";
import { openclConstantRefactorings } from "./opencl-constant.ts";
import { qualifyRefactorings } from "./qualify-pointer.ts";
import type { Refactoring } from "./refactoring.ts";

/** The access of refactorings to the rest of the workspace. */
export interface RefactoringContext {
  readonly files: Files;
  read(uri: string): ReadFile;
  /** The file's summary; undefined if it is neither CUDA nor OpenCL. */
  summaryOf(uri: string): Summary | undefined;
  /** The summaries of all checked files. */
  summaries(): readonly Summary[];
}

/** How many unchecked files are read for the light bulb. */
const mostUnchecked = 24;

/** The refactorings at the span, each of which keeps valid code valid. */
export function refactoringsAt(uri: string, span: SourceSpan, context: RefactoringContext): readonly Refactoring[] {
  const file = context.read(uri);
  const [first] = file.readings;
  if (first === undefined || textOf(context.files, uri).includes("clSetKernelArg")) {
    const parameter = hostArgumentAt(uri, span, context);
    if (parameter !== undefined) return qualifyRefactorings(context.read(parameter.uri), parameter.span, context);
  }
  if (first === undefined) return [];
  const isNamedElsewhere = (name: string) => filesWith(name, context).some((other) => other !== uri);
  if (first.dialect.language === "opencl")
    return [...qualifyRefactorings(file, span, context), ...openclConstantRefactorings(first, uri, span, context.files, isNamedElsewhere)];
  return [
    ...annotations(uri, span, file, context),
    ...constantRefactorings(first, uri, span, isNamedElsewhere),
    ...parameterRefactorings(first.facts, uri, span, isNamedElsewhere),
  ];
}

function annotations(uri: string, span: SourceSpan, { readings: [first] }: ReadFile, context: RefactoringContext): readonly Refactoring[] {
  const { summaryOf, summaries } = context;
  const own = summaryOf(uri);
  if (first === undefined || own === undefined) return [];
  const { facts, dialect } = first;
  const subject = subjectAt(uri, span, facts);
  const names = kernelsAt(subject, own);
  const isTooOld = dialect.language === "cuda" && dialect.architectures.some((architecture) => architecture < 70);
  if (names.length === 0 || isTooOld || (dialect.language === "cuda" && dialect.hip)) return [];
  const known = new Set(summaries().map((summary) => summary.uri));
  const unchecked = new Set(names.flatMap((name) => filesWith(name, context)).filter((other) => !known.has(other)));
  if (unchecked.size > mostUnchecked) return [];
  for (const other of unchecked) summaryOf(other);
  // In a file that was edited since its check, the declarations may have changed and the places have moved.
  const naming = summaries().filter(({ kernels }) =>
    kernels.some(({ qualifiedName }) => names.some((name) => qualifiedName.endsWith(name))),
  );
  return gridConstantRefactorings(
    uri,
    subject,
    naming.map((summary) => summaryOf(summary.uri)).filter((summary) => summary !== undefined),
  );
}

function filesWith(name: string, { files }: RefactoringContext): readonly string[] {
  const word = wordPattern(name);
  return files.list().filter((uri) => {
    const text = files.read(uri);
    return text !== "absent" && text !== "unread" && text.includes(name) && word.test(text);
  });
}
