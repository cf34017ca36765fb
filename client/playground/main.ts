/**
 * The playground: a code editor, and the language server in a worker beside it. The page contains everything: it fetches nothing,
 * and no data leaves it. Findings and fixes come from the server.
 */
import { cpp } from "@codemirror/lang-cpp";
import { type Action, type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorView, hoverTooltip } from "@codemirror/view";
import { basicSetup } from "codemirror";
import {
  type CodeAction,
  CodeActionRequest,
  DiagnosticSeverity,
  HoverRequest,
  type Diagnostic as LspDiagnostic,
  PublishDiagnosticsNotification,
  type TextEdit,
} from "vscode-languageserver-protocol";
import { rendered } from "./markdown.ts";
import { connect, type PlaygroundServer, unlessModified } from "./server.ts";
import { readShared, type Shared, shareLink } from "./shared.ts";
import { theme } from "./theme.ts";

interface Example {
  readonly rule: string;
  readonly title: string;
  readonly language: Shared["language"];
  readonly standard?: string;
  readonly code: string;
}

/** The text about each rule, as HTML. */
declare const playgroundTexts: Readonly<Record<string, string>>;

declare const playgroundExamples: readonly Example[];

const standards = ["", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "clc++2021"];
const architectures = ["", "60", "70", "80", "90", "100"];
const severities = {
  [DiagnosticSeverity.Error]: "error",
  [DiagnosticSeverity.Warning]: "warning",
  [DiagnosticSeverity.Information]: "info",
  [DiagnosticSeverity.Hint]: "hint",
} as const;

const element = <T extends HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
};
const exampleChoice = element<HTMLSelectElement>("example");
const languageChoice = element<HTMLSelectElement>("language");
const targetChoice = element<HTMLSelectElement>("target");
const problems = element("problems");
const said = element("said");

const [firstExample] = playgroundExamples;
let state: Shared = readShared(location.hash) ?? {
  language: firstExample?.language ?? "cuda",
  target: "",
  code: firstExample?.code ?? "",
};
if (location.hash.length > 1 && readShared(location.hash) === undefined)
  said.textContent = "This link is damaged or incomplete, so an example is shown instead.";
let version = 0;
let current: readonly LspDiagnostic[] = [];

// The server starts while the editor is being created.
const starting: Promise<PlaygroundServer> = connect(flags()).then((server) => {
  server.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
    if (params.uri === uri()) void show(server, params.diagnostics);
  });
  server.open(uri(), state.code, nextVersion());
  return server;
});

const view = new EditorView({
  doc: state.code,
  parent: element("editor"),
  extensions: [
    basicSetup,
    cpp(),
    theme,
    EditorView.contentAttributes.of({ "aria-label": "code", tabindex: "0" }),
    EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
      if (!docChanged) return;
      state = { ...state, code: doc.toString() };
      sendText();
    }),
    hoverTooltip(async (_editor, offset) => {
      const server = await starting;
      const params = { textDocument: { uri: uri() }, position: positionOf(offset) };
      const found = await unlessModified(server.connection.sendRequest(HoverRequest.type, params));
      const contents = found?.contents;
      if (contents === undefined || typeof contents === "string" || !("value" in contents)) return null;
      const dom = document.createElement("div");
      dom.className = "hover";
      dom.innerHTML = rendered(contents.value);
      const range = found?.range;
      return {
        pos: range === undefined ? offset : offsetOf(range.start),
        end: range === undefined ? offset : offsetOf(range.end),
        above: true,
        create: () => ({ dom }),
      };
    }),
  ],
});

function nextVersion(): number {
  version += 1;
  return version;
}

function uri(): string {
  return `file:///playground/${state.language === "cuda" ? "kernel.cu" : "kernel.cl"}`;
}

function positionOf(offset: number): { line: number; character: number } {
  const line = view.state.doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

function offsetOf({ line, character }: { readonly line: number; readonly character: number }): number {
  const { doc } = view.state;
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

function flags(): readonly string[] {
  if (state.target === "") return [];
  return state.language === "cuda" ? [`-arch=sm_${state.target}`] : [`-cl-std=${state.target}`];
}

// ---------------------------------------------------------------- talking with the server

function sendText(): void {
  const sent = nextVersion();
  void starting.then((server) => (sent === version ? server.change(uri(), state.code, sent) : undefined));
}

async function show({ connection }: PlaygroundServer, diagnostics: readonly LspDiagnostic[]): Promise<void> {
  current = diagnostics;
  const asked = version;
  present(diagnostics.map((diagnostic) => ({ diagnostic, fixes: [] })));
  const withFixes = await Promise.all(
    diagnostics.map(async (diagnostic) => {
      const params = { textDocument: { uri: uri() }, range: diagnostic.range, context: { diagnostics: [diagnostic], only: ["quickfix"] } };
      const actions = (await unlessModified(connection.sendRequest(CodeActionRequest.type, params))) ?? [];
      const fixes = actions.filter(
        (action): action is CodeAction => "edit" in action && !/^(Allow|Switch|Fix all) /.test(action.title) && isAbout(action, diagnostic),
      );
      return { diagnostic, fixes };
    }),
  );
  if (asked === version && current === diagnostics) present(withFixes);
}

interface WithFixes {
  readonly diagnostic: LspDiagnostic;
  readonly fixes: readonly CodeAction[];
}

function present(findings: readonly WithFixes[]): void {
  view.dispatch(
    setDiagnostics(
      view.state,
      findings.map(({ diagnostic, fixes }) => marked(diagnostic, fixes)),
    ),
  );
  problems.replaceChildren(...(findings.length === 0 ? [clean()] : findings.map(({ diagnostic, fixes }) => article(diagnostic, fixes))));
}

/** True if the action belongs to the finding. */
function isAbout(action: CodeAction, { code, range }: LspDiagnostic): boolean {
  return (
    action.diagnostics?.some(
      (other) =>
        other.code === code && other.range.start.line === range.start.line && other.range.start.character === range.start.character,
    ) === true
  );
}

function marked(diagnostic: LspDiagnostic, fixes: readonly CodeAction[]): Diagnostic {
  const from = offsetOf(diagnostic.range.start);
  const actions: Action[] = fixes.map((fix) => ({ name: fix.title, apply: () => apply(fix) }));
  return {
    from,
    to: Math.max(from, offsetOf(diagnostic.range.end)),
    severity: severityOf(diagnostic),
    message: messageOf(diagnostic),
    source: String(diagnostic.code),
    actions,
  };
}

function severityOf({ severity }: LspDiagnostic): (typeof severities)[keyof typeof severities] {
  return severities[severity ?? DiagnosticSeverity.Error];
}

function article(diagnostic: LspDiagnostic, fixes: readonly CodeAction[]): HTMLElement {
  const box = document.createElement("article");
  box.className = severityOf(diagnostic);
  const message = document.createElement("button");
  message.type = "button";
  message.className = "message";
  message.textContent = messageOf(diagnostic);
  message.onclick = () => {
    view.dispatch({ selection: { anchor: offsetOf(diagnostic.range.start) }, scrollIntoView: true });
    view.focus();
  };
  const where = document.createElement("small");
  where.textContent = `${severityOf(diagnostic)} in line ${diagnostic.range.start.line + 1} · ${String(diagnostic.code)}`;
  box.append(message, where, document.createElement("br"));
  for (const fix of fixes) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = fix.title;
    button.onclick = () => apply(fix);
    box.append(button);
  }
  const text = playgroundTexts[String(diagnostic.code)];
  if (text !== undefined) {
    const about = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = "Why, and what to do";
    const body = document.createElement("div");
    body.innerHTML = text;
    about.append(summary, body);
    box.append(about);
  }
  return box;
}

function messageOf({ message }: LspDiagnostic): string {
  return typeof message === "string" ? message : message.value;
}

function clean(): HTMLElement {
  const text = document.createElement("p");
  text.textContent = "No findings.";
  return text;
}

function apply({ edit }: CodeAction): void {
  const edits: readonly TextEdit[] = edit?.changes?.[uri()] ?? [];
  view.dispatch({
    changes: edits.map(({ range, newText }) => ({ from: offsetOf(range.start), to: offsetOf(range.end), insert: newText })),
  });
}

// ---------------------------------------------------------------- choices

function showChoices(): void {
  languageChoice.value = state.language;
  const values = state.language === "cuda" ? architectures : standards;
  element("target-name").textContent = state.language === "cuda" ? "Architecture" : "Standard";
  targetChoice.replaceChildren(
    ...values.map(
      (value) =>
        new Option(
          value === "" ? (state.language === "cuda" ? "any" : "all of them") : state.language === "cuda" ? `sm_${value}` : value,
          value,
        ),
    ),
  );
  targetChoice.value = state.target;
}

/** Applies a choice: another language means another file, and another target means other flags. */
async function choose(next: Shared): Promise<void> {
  const server = await starting;
  const before = uri();
  state = next;
  showChoices();
  if (before !== uri()) server.close(before);
  server.configure(flags());
  if (view.state.doc.toString() !== next.code) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next.code } });
  if (before !== uri()) server.open(uri(), next.code, nextVersion());
}

for (const { rule, title, language } of playgroundExamples) {
  const group =
    exampleChoice.querySelector<HTMLOptGroupElement>(`optgroup[data-language=${language}]`) ??
    exampleChoice.appendChild(document.createElement("optgroup"));
  group.dataset.language = language;
  group.label = language === "cuda" ? "CUDA C++" : "OpenCL C";
  const option = new Option(title.replaceAll("`", ""), `${language} ${rule}`);
  option.title = rule;
  group.append(option);
}
exampleChoice.selectedIndex = readShared(location.hash) === undefined ? 0 : -1;
exampleChoice.onchange = () => {
  const chosen = playgroundExamples.find(({ rule, language }) => `${language} ${rule}` === exampleChoice.value);
  if (chosen === undefined) return;
  const { language, standard = "", code } = chosen;
  // Rules name an architecture as compilers do.
  void choose({ language, target: standard.replace(/^sm_/, ""), code });
};
languageChoice.onchange = () => void choose({ ...state, language: languageChoice.value === "cuda" ? "cuda" : "opencl", target: "" });
targetChoice.onchange = () => void choose({ ...state, target: targetChoice.value });
element("share").onclick = () => {
  const link = shareLink(location.href, state);
  history.replaceState(undefined, "", link);
  void copied(link).then((isCopied) => {
    said.textContent = isCopied ? "The link is copied. It contains the code." : "The link is in the address bar. It contains the code.";
    clearTimeout(forgetting);
    forgetting = setTimeout(() => {
      said.textContent = "";
    }, 8_000);
  });
};
let forgetting: ReturnType<typeof setTimeout> | undefined;

/** False where the page may not write to the clipboard. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

window.addEventListener("hashchange", () => {
  const shared = readShared(location.hash);
  if (shared !== undefined) void choose(shared);
  else if (location.hash.length > 1) said.textContent = "This link is damaged or incomplete.";
});
showChoices();
