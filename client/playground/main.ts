/**
 * The playground: a code editor, and the language server in a worker beside it. The page contains everything: it fetches nothing,
 * and no data leaves it. Findings and fixes come from the server; `files.ts` has the tabs, `findings.ts` the list of findings.
 */
import { cpp } from "@codemirror/lang-cpp";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView, hoverTooltip } from "@codemirror/view";
import { basicSetup } from "codemirror";
import {
  type CodeAction,
  CodeActionRequest,
  HoverRequest,
  type Diagnostic as LspDiagnostic,
  type Position,
  PublishDiagnosticsNotification,
} from "vscode-languageserver-protocol";
import { openFiles } from "./files.ts";
import { type Finding, listed, messageOf, severityOf } from "./findings.ts";
import { rendered } from "./markdown.ts";
import { offerNotices } from "./notices.ts";
import { connect, type PlaygroundServer, unlessModified } from "./server.ts";
import { languageOf, readShared, type Shared, type SharedFile, shareLink } from "./shared.ts";
import { theme } from "./theme.ts";

interface Example extends Shared {
  readonly id: string;
  readonly title: string;
}

/** The text about each rule, as HTML. */
declare const playgroundTexts: Readonly<Record<string, string>>;
declare const playgroundExamples: readonly Example[];
/** The address of a rule's page, in which `{rule}` stands for its id; empty without such pages. */
declare const playgroundPages: string;
/** The severities of rules that are off unless a project asks for them. */
declare const playgroundRules: Readonly<Record<string, string>>;

const standards = ["", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "clc++2021"];
const architectures = ["", "60", "70", "80", "90", "100"];

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
offerNotices(element("licenses"), element<HTMLDialogElement>("notices"));

let target = "";
let version = 0;
const found = new Map<string, readonly LspDiagnostic[]>();

const starting: Promise<PlaygroundServer> = connect(playgroundRules).then((server) => {
  server.connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    found.set(nameOf(uri), diagnostics);
    void present();
  });
  return server;
});

const extensions = [
  basicSetup,
  cpp(),
  theme,
  EditorView.contentAttributes.of({ "aria-label": "code", tabindex: "0" }),
  EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
    if (docChanged) sendText(files.shown, doc.toString());
  }),
  hoverTooltip(async (_editor, offset) => {
    const server = await starting;
    const { doc } = view.state;
    const params = { textDocument: { uri: uriOf(files.shown) }, position: positionOf(doc, offset) };
    const answer = await unlessModified(server.connection.sendRequest(HoverRequest.type, params));
    const contents = answer?.contents;
    if (contents === undefined || typeof contents === "string" || !("value" in contents)) return null;
    const dom = document.createElement("div");
    dom.className = "hover";
    dom.innerHTML = rendered(contents.value);
    const range = answer?.range;
    return {
      pos: range === undefined ? offset : offsetOf(doc, range.start),
      end: range === undefined ? offset : offsetOf(doc, range.end),
      above: true,
      create: () => ({ dom }),
    };
  }),
];

const view = new EditorView({ parent: element("editor"), extensions });
const files = openFiles({
  view,
  tabs: element("tabs"),
  add: element<HTMLButtonElement>("add"),
  remove: element<HTMLButtonElement>("remove"),
  newState: (doc) => EditorState.create({ doc, extensions }),
  opened: (name, text) => {
    version += 1;
    const sent = version;
    void starting.then((server) => server.open(uriOf(name), text, sent));
  },
  closed: (name) => {
    found.delete(name);
    void starting.then((server) => server.close(uriOf(name)));
    void present();
  },
  changed: sendText,
  switched: () => {
    mark();
    showChoices();
  },
});

function uriOf(name: string): string {
  return `file:///playground/${name}`;
}

function nameOf(uri: string): string {
  return uri.slice(uri.lastIndexOf("/") + 1);
}

function positionOf(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

function offsetOf(doc: Text, { line, character }: Position): number {
  if (line >= doc.lines) return doc.length;
  const { from, to } = doc.line(line + 1);
  return Math.min(from + character, to);
}

function flagsOf(language: "cuda" | "opencl"): readonly string[] {
  if (target === "") return [];
  return language === "cuda" ? [`-arch=sm_${target}`] : [`-cl-std=${target}`];
}

// ---------------------------------------------------------------- talking with the server

function sendText(name: string, text: string): void {
  version += 1;
  const sent = version;
  void starting.then((server) => server.change(uriOf(name), text, sent));
}

/** The number of the last request for fixes; answers to former ones are out of date. */
let asked = 0;

async function present(): Promise<void> {
  const findings = files.all().flatMap(({ name }) => (found.get(name) ?? []).map((diagnostic) => ({ file: name, diagnostic, fixes: [] })));
  mark();
  problems.replaceChildren(...listed(findings, page));
  asked += 1;
  const own = asked;
  const { connection } = await starting;
  const withFixes = await Promise.all(
    findings.map(async ({ file, diagnostic }): Promise<Finding> => {
      const params = {
        textDocument: { uri: uriOf(file) },
        range: diagnostic.range,
        context: { diagnostics: [diagnostic], only: ["quickfix"] },
      };
      const actions = (await unlessModified(connection.sendRequest(CodeActionRequest.type, params))) ?? [];
      const fixes = actions.filter(
        (action): action is CodeAction => "edit" in action && !/^(Allow|Switch|Fix all) /.test(action.title) && isAbout(action, diagnostic),
      );
      return { file, diagnostic, fixes };
    }),
  );
  if (asked !== own) return;
  mark(withFixes);
  problems.replaceChildren(...listed(withFixes, page));
}

/** Underlines the findings of the shown file. */
function mark(findings: readonly Finding[] = []): void {
  const { doc } = view.state;
  const marked = (found.get(files.shown) ?? []).map((diagnostic): Diagnostic => {
    const from = offsetOf(doc, diagnostic.range.start);
    const { fixes = [] } = findings.find((each) => each.diagnostic === diagnostic) ?? {};
    return {
      from,
      to: Math.max(from, offsetOf(doc, diagnostic.range.end)),
      severity: severityOf(diagnostic),
      message: messageOf(diagnostic),
      source: String(diagnostic.code),
      actions: fixes.map((fix) => ({ name: fix.title, apply: () => page.apply(fix) })),
    };
  });
  view.dispatch(setDiagnostics(view.state, marked));
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

const page = {
  texts: playgroundTexts,
  pageOf: (rule: string) => (playgroundPages === "" ? undefined : playgroundPages.replace("{rule}", rule)),
  hasFiles: () => files.all().length > 1,
  nameOf,
  go(file: string, position: Position) {
    files.show(file);
    view.dispatch({ selection: { anchor: offsetOf(view.state.doc, position) }, scrollIntoView: true });
    view.focus();
  },
  apply({ edit }: CodeAction) {
    for (const [uri, edits] of Object.entries(edit?.changes ?? {})) {
      const doc = files.textOf(nameOf(uri));
      if (doc === undefined) continue;
      const changes = edits.map(({ range, newText }) => ({
        from: offsetOf(doc, range.start),
        to: offsetOf(doc, range.end),
        insert: newText,
      }));
      files.change(nameOf(uri), changes);
    }
  },
};

// ---------------------------------------------------------------- choices

function showChoices(): void {
  const language = languageOf(files.all());
  languageChoice.value = language;
  const isCuda = language === "cuda";
  element("target-name").textContent = isCuda ? "Architecture" : "Standard";
  const nameOfTarget = (value: string) => (value === "" ? (isCuda ? "any" : "all of them") : isCuda ? `sm_${value}` : value);
  targetChoice.replaceChildren(...(isCuda ? architectures : standards).map((value) => new Option(nameOfTarget(value), value)));
  targetChoice.value = target;
}

/** Shows other files, or the same under another target. */
async function choose(next: Shared): Promise<void> {
  const server = await starting;
  target = next.target;
  found.clear();
  server.configure(flagsOf(languageOf(next.files)));
  files.replace(next.files);
  showChoices();
}

for (const { id, title, files: own } of playgroundExamples) {
  const language = own.length > 1 ? "files" : languageOf(own);
  const group =
    exampleChoice.querySelector<HTMLOptGroupElement>(`optgroup[data-language=${language}]`) ??
    exampleChoice.appendChild(document.createElement("optgroup"));
  group.dataset.language = language;
  group.label = { files: "In several files", cuda: "CUDA C++", opencl: "OpenCL C" }[language];
  const option = new Option(title, id);
  option.title = id;
  group.append(option);
}
exampleChoice.onchange = () => {
  const chosen = playgroundExamples.find(({ id }) => id === exampleChoice.value);
  if (chosen !== undefined) void choose(chosen);
};
languageChoice.onchange = () => {
  const isCuda = languageChoice.value === "cuda";
  const renamed = ({ name, text }: SharedFile) => ({
    name: isCuda ? name.replace(/\.cl$/, ".cu").replace(/\.c?l?h$/, ".cuh") : name.replace(/\.(?:cu|hip)$/, ".cl").replace(/\.cuh$/, ".h"),
    text,
  });
  void choose({ target: "", files: files.all().map(renamed) });
};
targetChoice.onchange = () => {
  target = targetChoice.value;
  void starting.then((server) => server.configure(flagsOf(languageOf(files.all()))));
};
element("share").onclick = async () => {
  const shown = files.all().filter(({ name }) => name === files.shown);
  const others = files.all().filter(({ name }) => name !== files.shown);
  const link = await shareLink(location.href, { target, files: [...shown, ...others] });
  history.replaceState(undefined, "", link);
  const isCopied = await copied(link);
  said.textContent = isCopied ? "The link is copied. It contains the code." : "The link is in the address bar. It contains the code.";
  clearTimeout(forgetting);
  forgetting = setTimeout(() => {
    said.textContent = "";
  }, 8_000);
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

async function openLink(): Promise<void> {
  const [first] = playgroundExamples;
  if (first === undefined) return;
  const isLink = location.hash.length > 1;
  const shared = isLink ? await readShared(location.hash) : undefined;
  said.textContent = isLink && shared === undefined ? "This link is damaged or incomplete, so an example is shown instead." : "";
  exampleChoice.value = shared === undefined ? first.id : "";
  await choose(shared ?? first);
}
window.addEventListener("hashchange", () => void openLink());
void openLink();
