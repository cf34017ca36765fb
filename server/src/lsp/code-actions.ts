/**
 * Fixes as code actions: one quick fix per fix of a diagnostic in the range, and «fix all» with every preferred fix of the
 * file. Edits are made when the client resolves an action, if it can, since most of what is offered is never taken.
 */
import { type CodeAction, CodeActionKind, type Diagnostic as LspDiagnostic } from "vscode-languageserver";
import type { Diagnostic, Fix } from "../finding.ts";
import { keyOf } from "../host/order.ts";
import type { Edit, Span } from "../source.ts";
import { type Converter, source } from "./convert.ts";
import type { FileState } from "./workspace.ts";

export const fixAllKind = `${CodeActionKind.SourceFixAll}.gpuQualifiers`;

/** What an action carries until it is resolved. */
export interface ActionData {
  readonly name: string;
  /** The diagnostic and the fix's title; absent for «fix all». */
  readonly key?: string;
  readonly title?: string;
}

export interface ActionsRequest {
  readonly name: string;
  readonly state: FileState;
  readonly span: Span;
  /** The kinds that the client asked for; everything without. */
  readonly only: readonly string[] | undefined;
  /** The client resolves edits itself. */
  readonly isLazy: boolean;
}

export function codeActions(request: ActionsRequest, converter: Converter): readonly CodeAction[] {
  const wants = (kind: string) => request.only === undefined || request.only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  const actions: CodeAction[] = [];
  if (wants(CodeActionKind.QuickFix)) {
    for (const diagnostic of request.state.diagnostics) {
      if (!touches(diagnostic.location.span, request.span)) continue;
      const shown = converter.diagnostic(diagnostic);
      for (const fix of diagnostic.fixes) actions.push(quickFix(diagnostic, fix, shown, request, converter));
    }
  }
  // Without a kind editors ask for the light bulb, where an action on the whole file is in the way.
  if (request.only !== undefined && wants(fixAllKind)) {
    const edits = allPreferredEdits(request.state);
    const data: ActionData = { name: request.name };
    const action = { title: `Fix all that ${source} can fix`, kind: fixAllKind };
    if (edits.length > 0) actions.push(finished(action, data, edits, request.isLazy, converter));
  }
  return actions;
}

/** The action with its edit; without one where the file is no longer what it was made for. */
export function resolveAction(action: CodeAction, data: ActionData, state: FileState, converter: Converter): CodeAction {
  if (data.key === undefined) return withEdit(action, allPreferredEdits(state), converter);
  const fix = state.diagnostics.find((diagnostic) => keyOf(diagnostic) === data.key)?.fixes.find(({ title }) => title === data.title);
  return fix === undefined ? action : withEdit(action, fix.edits, converter);
}

function quickFix(diagnostic: Diagnostic, fix: Fix, shown: LspDiagnostic | undefined, request: ActionsRequest, converter: Converter): CodeAction {
  const action: CodeAction = {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    isPreferred: fix.isPreferred,
    ...(shown === undefined ? {} : { diagnostics: [shown] }),
  };
  return finished(action, { name: request.name, key: keyOf(diagnostic), title: fix.title }, fix.edits, request.isLazy, converter);
}

function finished(action: CodeAction, data: ActionData, edits: readonly Edit[], isLazy: boolean, converter: Converter): CodeAction {
  return isLazy ? { ...action, data } : withEdit(action, edits, converter);
}

function withEdit(action: CodeAction, edits: readonly Edit[], converter: Converter): CodeAction {
  const edit = converter.edit(edits);
  return edit === undefined ? action : { ...action, edit };
}

/** Fixes that would touch what an earlier one changes wait for the next round. */
function allPreferredEdits({ diagnostics }: FileState): readonly Edit[] {
  const taken: Edit[] = [];
  for (const { fixes } of diagnostics) {
    const edits = fixes.find(({ isPreferred }) => isPreferred)?.edits ?? [];
    const news = edits.filter((edit) => !taken.some((other) => isSame(edit, other)));
    if (!news.some((edit) => taken.some((other) => collides(edit, other)))) taken.push(...news);
  }
  return taken;
}

function isSame(a: Edit, b: Edit): boolean {
  return a.text === b.text && a.location.uri === b.location.uri && a.location.span.start === b.location.span.start && a.location.span.end === b.location.span.end;
}

function collides(a: Edit, b: Edit): boolean {
  return a.location.uri === b.location.uri && touches(a.location.span, b.location.span);
}

function touches(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end;
}
