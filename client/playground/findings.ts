/** The list of findings beside the editor: what is wrong, where, what else belongs to it, what to do, and why. */
import { type CodeAction, DiagnosticSeverity, type Diagnostic as LspDiagnostic, type Position } from "vscode-languageserver-protocol";

/** A finding of a file, with the edits that solve it. */
export interface Finding {
  readonly file: string;
  readonly diagnostic: LspDiagnostic;
  readonly fixes: readonly CodeAction[];
}

/** What a finding can ask the page for. */
export interface FindingsPage {
  /** The text about each rule, as HTML. */
  readonly texts: Readonly<Record<string, string>>;
  /** The address of a rule's page, where there is one. */
  pageOf(rule: string): string | undefined;
  /** True if there is more than one file, so that places name theirs. */
  hasFiles(): boolean;
  nameOf(uri: string): string;
  go(file: string, position: Position): void;
  apply(fix: CodeAction): void;
}

const severities = {
  [DiagnosticSeverity.Error]: "error",
  [DiagnosticSeverity.Warning]: "warning",
  [DiagnosticSeverity.Information]: "info",
  [DiagnosticSeverity.Hint]: "hint",
} as const;

/** The severity in the words of the command line. */
export function severityOf({ severity }: LspDiagnostic): (typeof severities)[keyof typeof severities] {
  return severities[severity ?? DiagnosticSeverity.Error];
}

/** The message as plain text. */
export function messageOf({ message }: LspDiagnostic): string {
  return typeof message === "string" ? message : message.value;
}

/** The findings as elements, or a sentence that there are none. */
export function listed(findings: readonly Finding[], page: FindingsPage): readonly HTMLElement[] {
  if (findings.length > 0) return findings.map((finding) => article(finding, page));
  const text = document.createElement("p");
  text.textContent = "No findings.";
  return [text];
}

function button(text: string, act: () => void, className = ""): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  made.textContent = text;
  made.onclick = act;
  return made;
}

function article({ file, diagnostic, fixes }: Finding, page: FindingsPage): HTMLElement {
  const rule = String(diagnostic.code);
  const placeOf = (name: string, { line }: Position) => `${page.hasFiles() ? `${name}, ` : ""}line ${line + 1}`;
  const { start } = diagnostic.range;
  const box = document.createElement("article");
  box.className = severityOf(diagnostic);
  const where = document.createElement("small");
  where.textContent = `${severityOf(diagnostic)} in ${placeOf(file, start)} · ${rule}`;
  box.append(
    button(messageOf(diagnostic), () => page.go(file, start), "message"),
    where,
  );
  for (const { location, message } of diagnostic.relatedInformation ?? []) {
    const name = page.nameOf(location.uri);
    const act = () => page.go(name, location.range.start);
    box.append(button(`${message} (${placeOf(name, location.range.start)})`, act, "related"));
  }
  box.append(document.createElement("br"), ...fixes.map((fix) => button(fix.title, () => page.apply(fix))));
  const text = page.texts[rule];
  if (text !== undefined) box.append(explanation(text, rule, page.pageOf(rule)));
  return box;
}

function explanation(text: string, rule: string, address: string | undefined): HTMLElement {
  const about = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = "Why, and what to do";
  const body = document.createElement("div");
  body.innerHTML = text;
  about.append(summary, body);
  if (address !== undefined) {
    const link = document.createElement("a");
    link.href = address;
    link.target = "_blank";
    link.rel = "noreferrer";
    link.textContent = `The page of ${rule}, with examples and known limits`;
    about.append(link);
  }
  return about;
}
