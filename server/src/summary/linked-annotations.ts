/**
 * The edits that add `__grid_constant__` to a kernel's parameter, or remove it, in every declaration known to the summaries.
 * Findings between files and the refactoring use them.
 */
import { type AnnotationStyle, annotationEdit, type SlotEdit, styleFor } from "../analyses/grid-constants.ts";
import type { Edit, Location } from "../source.ts";
import type { AnnotationSummary, KernelParameterSummary, KernelSummary } from "./summary.ts";

/** A declaration of a kernel, and the files of its translation unit. */
export interface KnownKernel {
  readonly files: readonly string[];
  readonly kernel: KernelSummary;
}

/** The edits that add the annotation where it is missing; undefined if a declaration has no place for it. */
export function addedAnnotations(group: readonly KnownKernel[], index: number): readonly Edit[] | undefined {
  const same = group.flatMap(({ kernel }) => kernel.parameters[index]?.annotation ?? []);
  const beside = group.flatMap(({ kernel }) => kernel.parameters.flatMap(({ annotation }) => annotation ?? []));
  const annotations = [...same, ...beside];
  const edits = group.flatMap(({ files, kernel }) => {
    const parameter = kernel.parameters[index];
    return parameter === undefined || parameter.annotation !== undefined ? [] : [additionTo(parameter, files, annotations)];
  });
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

/** The edits that remove the annotation everywhere; undefined if one of them is spelled where it cannot be edited. */
export function removedAnnotations(group: readonly KnownKernel[], index: number): readonly Edit[] | undefined {
  const removals = group.flatMap(({ kernel }) => {
    const annotation = kernel.parameters[index]?.annotation;
    return annotation === undefined ? [] : [annotation.removal === undefined ? undefined : { location: annotation.removal, text: "" }];
  });
  return removals.every((edit) => edit !== undefined) ? removals : undefined;
}

function additionTo(
  { slots, macros = [] }: KernelParameterSummary,
  files: readonly string[],
  annotations: readonly AnnotationSummary[],
): Edit | undefined {
  if (slots === undefined) return undefined;
  const isKnown = (style: AnnotationStyle) =>
    annotations.some((annotation) => annotation.style === style && isVisible(annotation, files, slots.whole));
  const styles = annotations.map(({ style }) => style);
  const edit = annotationEdit(slots, styleFor(macros, styles, isKnown));
  return edit === undefined ? undefined : placed(edit);
}

/** True if a project's macro can be used at a place: its definition is in the translation unit, before that place. */
function isVisible({ style, definition }: AnnotationSummary, files: readonly string[], at: Location): boolean {
  // A macro that no file defines is defined on the command line.
  if (style.spelling === "__grid_constant__" || definition === undefined) return true;
  return definition.uri === at.uri ? definition.span.start < at.span.start : files.includes(definition.uri);
}

function placed({ place, how, text }: SlotEdit<Location>): Edit {
  const { start, end } = place.span;
  const span = how === "replace" ? place.span : how === "before" ? { start, end: start } : { start: end, end };
  return { location: { uri: place.uri, span }, text };
}
