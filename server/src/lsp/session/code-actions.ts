/**
 * Decides which code actions are offered at a place: a quick fix for each fix of a diagnostic, all fixes of one rule in the file or
 * the workspace, the ways to allow a finding, and «fix all» for the file. If the client supports it, edits are computed when it
 * resolves an action, because most actions are never applied.
 */
import { type CodeAction, CodeActionKind, type WorkspaceEdit } from "vscode-languageserver";
import { allowEdit } from "../../diagnostics/allow.ts";
import { allPreferredEdits } from "../../diagnostics/fix-all.ts";
import type { Refactoring } from "../../editor/refactor/refactoring.ts";
import { hasSlashComments } from "../../embedded/literal-syntax.ts";
import type { Diagnostic, Fix } from "../../finding.ts";
import { baseNameOf, foldersUpTo } from "../../names.ts";
import { printable } from "../../printable.ts";
import { keyOf } from "../../project/order.ts";
import { unusedSuppression } from "../../rules/common/unused-suppression.ts";
import { wholeProgramExtern } from "../../rules/cuda/whole-program-extern.ts";
import { type SettingPlace, settingsFileName } from "../../settings/settings.ts";
import { settingsEdits } from "../../settings/settings-file.ts";
import type { SourceSpan } from "../../source.ts";
import { touch } from "../../spans.ts";
import type { FileState } from "../projects/file-states.ts";
import { type Converter, source } from "../protocol/convert.ts";

/** The kind of the action that applies every safe fix of a file. */
export const fixAllKind = `${CodeActionKind.SourceFixAll}.gpuQualifiers`;

/** The data of an action until it is resolved; `name` is the file that it was offered in. */
export type ActionData =
  | { readonly kind: "fix"; readonly name: string; readonly key: string; readonly title: string }
  /** Every preferred fix, of one rule or of all. */
  | { readonly kind: "fix-all"; readonly name: string; readonly rule?: string; readonly isInWorkspace: boolean }
  | { readonly kind: "allow"; readonly name: string; readonly key: string; readonly scope: "line" | "file" }
  | { readonly kind: "switch-off"; readonly name: string; readonly rule: string }
  | { readonly kind: "set"; readonly name: string; readonly path: readonly string[]; readonly value: boolean }
  | { readonly kind: "refactor"; readonly name: string; readonly span: SourceSpan; readonly title: string };

/** What is known about the place. */
export interface ActionsContext {
  readonly name: string;
  readonly state: FileState;
  /** Every checked file of the project; there may be thousands. */
  states(): readonly FileState[];
  /** Where to change the severity of a rule for the file. */
  placeOfSeverity(rule: string): SettingPlace;
  /** The folder whose settings file says how the file is built. */
  folderOfBuild(): string;
  textOf(name: string): string | undefined;
  /** The refactorings at the span, which need no finding. */
  refactorings(span: SourceSpan): readonly Refactoring[];
  /** The fix with the edits that other files need; undefined if one of them cannot be edited. */
  complete(fix: Fix): Fix | undefined;
  readonly converter: Converter;
}

/** A client's request: actions of some kinds at a place. */
export interface ActionsRequest {
  readonly span: SourceSpan;
  /** The requested kinds; all if absent. */
  readonly only: readonly string[] | undefined;
  /** The client resolves edits itself. */
  readonly isLazy: boolean;
}

/** True if some action for the range would change other files, which have to be read before it is offered. */
export function concernsOthers({ span, only }: Omit<ActionsRequest, "isLazy">, { state, refactorings }: ActionsContext): boolean {
  const here = state.diagnostics.filter(({ location }) => touch(location.span, span));
  const hasFix = here.some(({ fixes }) => fixes.some(({ qualifiedParameter }) => qualifiedParameter !== undefined));
  return (
    (hasFix && isWanted(CodeActionKind.QuickFix, only)) || (isWanted(CodeActionKind.RefactorRewrite, only) && refactorings(span).length > 0)
  );
}

/** The actions of the requested kinds at a range; their edits wait for `resolve` if the client supports that. */
export function codeActions(request: ActionsRequest, context: ActionsContext): readonly CodeAction[] {
  const { name, state } = context;
  const wants = (kind: string) => isWanted(kind, request.only);
  const offered: CodeAction[] = [];
  const add = (action: CodeAction, data: ActionData) => {
    const whole = request.isLazy ? { ...action, data } : resolveAction(action, data, context);
    if (request.isLazy || whole.edit !== undefined) offered.push(whole);
  };
  if (wants(CodeActionKind.QuickFix)) {
    const here = state.diagnostics.filter(({ location }) => touch(location.span, request.span));
    for (const diagnostic of here) addFixes(diagnostic, context, add);
    const rules = new Set(here.map(({ rule }) => rule));
    for (const rule of rules) addForRule(rule, here, context, add);
    const dependent = here.filter(({ rule }) => rule === wholeProgramExtern.id);
    if (dependent.length > 0) addSetting(["cuda", "relocatableDeviceCode"], dependent, context, add);
    for (const diagnostic of here) addAllowances(diagnostic, context, add);
  }
  if (wants(CodeActionKind.RefactorRewrite)) {
    for (const { title } of context.refactorings(request.span))
      add({ title: printable(title), kind: CodeActionKind.RefactorRewrite }, { kind: "refactor", name, span: request.span, title });
  }
  // A request without kinds is for the light bulb, where an action on the whole file would be a nuisance.
  if (request.only !== undefined && wants(fixAllKind) && allPreferredEdits(state.diagnostics.filter(isFixedOnSave)).length > 0) {
    add({ title: `Fix all that ${source} can fix`, kind: fixAllKind }, { kind: "fix-all", name, isInWorkspace: false });
  }
  return offered;
}

function isWanted(kind: string, only: readonly string[] | undefined): boolean {
  return only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
}

/** The action with its edit; without one if the file has changed since. */
export function resolveAction(action: CodeAction, data: ActionData, context: ActionsContext): CodeAction {
  const edit = editOf(data, context);
  return edit === undefined ? action : { ...action, edit };
}

type Add = (action: CodeAction, data: ActionData) => void;

function addFixes(diagnostic: Diagnostic, context: ActionsContext, add: Add): void {
  for (const fix of diagnostic.fixes) {
    const whole = context.complete(fix);
    if (whole === undefined) continue;
    const { title, isPreferred } = fix;
    add(
      { title: `${title}${elsewhere(whole, context.name)}`, kind: CodeActionKind.QuickFix, isPreferred, ...shownFor(diagnostic, context) },
      { kind: "fix", name: context.name, key: keyOf(diagnostic), title },
    );
  }
}

/** Names the other files that a fix changes, so that no edit surprises the user. */
function elsewhere({ edits }: Fix, name: string): string {
  const others = [...new Set(edits.map(({ location }) => location.uri))].filter((uri) => uri !== name);
  const [only] = others;
  if (only === undefined) return "";
  return others.length === 1 ? ` (also in ${baseNameOf(only)})` : ` (also in ${others.length} other files)`;
}

/** Adds the action that fixes all findings of the rule, if it does more than the fix of this one finding. */
function addForRule(rule: string, here: readonly Diagnostic[], context: ActionsContext, add: Add): void {
  const { name, state, states } = context;
  const isFixable = (diagnostic: Diagnostic) => diagnostic.rule === rule && diagnostic.fixes.some(({ isPreferred }) => isPreferred);
  const inFile = state.diagnostics.filter(isFixable).length;
  const isElsewhere = () => states().some(({ report, diagnostics }) => report.uri !== name && diagnostics.some(isFixable));
  // Editors list actions without a diagnostic last.
  const diagnostics = here
    .filter((diagnostic) => diagnostic.rule === rule)
    .flatMap((diagnostic) => shownFor(diagnostic, context).diagnostics ?? []);
  if (inFile > 1)
    add(
      { title: `Fix all '${rule}' in this file`, kind: CodeActionKind.QuickFix, diagnostics },
      { kind: "fix-all", name, rule, isInWorkspace: false },
    );
  if (inFile > 0 && isElsewhere())
    add(
      { title: `Fix all '${rule}' in the workspace`, kind: CodeActionKind.QuickFix, diagnostics },
      { kind: "fix-all", name, rule, isInWorkspace: true },
    );
}

/** Adds the action that says in the settings how the program is built, for the findings that depend on it. */
function addSetting(path: readonly string[], dependent: readonly Diagnostic[], context: ActionsContext, add: Add): void {
  const about = dependent.flatMap((diagnostic) => shownFor(diagnostic, context).diagnostics ?? []);
  const title = `Set '${path[path.length - 1]}' in ${settingsFileName}`;
  add({ title, kind: CodeActionKind.QuickFix, diagnostics: about }, { kind: "set", name: context.name, path, value: true });
}

function addAllowances(diagnostic: Diagnostic, context: ActionsContext, add: Add): void {
  const { rule } = diagnostic;
  if (rule === unusedSuppression.id) return;
  const { name } = context;
  const action = { kind: CodeActionKind.QuickFix, ...shownFor(diagnostic, context) };
  const hasComments = hasSlashComments(diagnostic.location.uri);
  if (hasComments) add({ ...action, title: `Allow '${rule}' here` }, { kind: "allow", name, key: keyOf(diagnostic), scope: "line" });
  if (hasComments)
    add({ ...action, title: `Allow '${rule}' in this file` }, { kind: "allow", name, key: keyOf(diagnostic), scope: "file" });
  add({ ...action, title: `Turn off '${rule}' in ${settingsFileName}` }, { kind: "switch-off", name, rule });
}

function shownFor(diagnostic: Diagnostic, { converter }: ActionsContext): Pick<CodeAction, "diagnostics"> {
  const shown = converter.diagnostic(diagnostic);
  return shown === undefined ? {} : { diagnostics: [shown] };
}

function editOf(data: ActionData, context: ActionsContext): WorkspaceEdit | undefined {
  const { state, states, converter, name } = context;
  const diagnosticOf = (key: string) => state.diagnostics.find((diagnostic) => keyOf(diagnostic) === key);
  switch (data.kind) {
    case "fix": {
      const fix = diagnosticOf(data.key)?.fixes.find(({ title }) => title === data.title);
      const edits = fix === undefined ? undefined : context.complete(fix)?.edits;
      return edits === undefined ? undefined : converter.edit(edits, { label: data.title, within: name, needsConfirmation: false });
    }
    case "fix-all": {
      const all = data.isInWorkspace
        ? [state, ...states().filter(({ report }) => report.uri !== name)].flatMap(({ diagnostics }) => diagnostics)
        : state.diagnostics;
      const wanted = all.filter((diagnostic) => (data.rule === undefined ? isFixedOnSave(diagnostic) : diagnostic.rule === data.rule));
      const label = `Fix '${data.rule ?? source}' in other files`;
      return converter.edit(allPreferredEdits(wanted), { label, within: name, needsConfirmation: data.isInWorkspace });
    }
    case "allow": {
      const diagnostic = diagnosticOf(data.key);
      const text = diagnostic === undefined ? undefined : context.textOf(diagnostic.location.uri);
      return diagnostic === undefined || text === undefined
        ? undefined
        : converter.edit([allowEdit(text, diagnostic.location, diagnostic.rule, data.scope)]);
    }
    case "refactor": {
      const found = context.refactorings(data.span).find(({ title }) => title === data.title);
      const needsConfirmation = found?.needsConfirmation === true;
      return found === undefined ? undefined : converter.edit(found.edits, { label: data.title, within: undefined, needsConfirmation });
    }
    case "switch-off":
      return settingEdit(context.placeOfSeverity(data.rule), "off", context);
    case "set":
      return settingEdit({ folder: context.folderOfBuild(), path: data.path }, data.value, context);
  }
}

/**
 * False for a suppression: editors apply «fix all» when a file is saved, and that must not delete a suppression with a reason while
 * its code is temporarily missing.
 */
function isFixedOnSave({ rule }: Diagnostic): boolean {
  return rule !== unusedSuppression.id;
}

/** The folder whose settings file says how a source is built: the nearest one above it counts. */
export function folderOfBuild(name: string, root: string, textOf: (name: string) => string | undefined): string {
  return foldersUpTo(name, root).find((folder) => textOf(`${folder}/${settingsFileName}`) !== undefined) ?? root;
}

/** Sets a value in the settings file of a folder, which may not exist yet. */
export function settingEdit(
  { folder, path }: SettingPlace,
  value: unknown,
  { textOf, converter }: Pick<ActionsContext, "textOf" | "converter">,
): WorkspaceEdit | undefined {
  const uri = `${folder}/${settingsFileName}`;
  const text = textOf(uri);
  const edits = settingsEdits(text ?? "", path, value);
  if (edits.length === 0) return undefined;
  if (text !== undefined) return converter.edit(edits.map(({ span, text: inserted }) => ({ location: { uri, span }, text: inserted })));
  return converter.newFile(uri, `${edits.map((edit) => edit.text).join("")}\n`);
}
