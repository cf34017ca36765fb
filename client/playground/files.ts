/** The files of the playground: the tabs above the editor, and a text with its history for each. */
import type { ChangeSpec, EditorState, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { isFileName, languageOf, mostFiles, type SharedFile } from "./shared.ts";

/** The open files, one of which the editor shows. */
export interface OpenFiles {
  all(): readonly SharedFile[];
  readonly shown: string;
  has(name: string): boolean;
  textOf(name: string): Text | undefined;
  show(name: string): void;
  /** Replaces all files, and shows the first. */
  replace(files: readonly SharedFile[]): void;
  /** Changes a file, shown or not. */
  change(name: string, changes: ChangeSpec): void;
}

/** What the files need of the page, and what they tell it. */
export interface Page {
  readonly view: EditorView;
  readonly tabs: HTMLElement;
  readonly add: HTMLButtonElement;
  readonly remove: HTMLButtonElement;
  newState(text: string): EditorState;
  /** A file was opened or closed, or its text has changed by `change`. */
  opened(name: string, text: string): void;
  closed(name: string): void;
  changed(name: string, text: string): void;
  /** Another file is shown. */
  switched(): void;
}

/** Connects the files with the page. */
export function openFiles(page: Page): OpenFiles {
  const { view, tabs, add, remove } = page;
  const states = new Map<string, EditorState>();
  let shown = "";
  const stateOf = (name: string) => (name === shown ? view.state : states.get(name));
  const all = () => [...states.keys()].map((name) => ({ name, text: stateOf(name)?.doc.toString() ?? "" }));

  const show = (name: string) => {
    const next = states.get(name);
    if (name === shown || next === undefined) return;
    if (states.has(shown)) states.set(shown, view.state);
    shown = name;
    view.setState(next);
    drawTabs();
    page.switched();
  };
  const drawTabs = () => {
    const hadFocus = tabs.contains(document.activeElement);
    const names = [...states.keys()];
    tabs.replaceChildren(
      ...names.map((name, index) => {
        const tab = document.createElement("button");
        tab.type = "button";
        tab.role = "tab";
        tab.textContent = name;
        tab.ariaSelected = String(name === shown);
        tab.setAttribute("aria-controls", "editor");
        // As in every row of tabs, arrows move inside of it, and Tab leaves it.
        tab.tabIndex = name === shown ? 0 : -1;
        tab.onclick = () => show(name);
        tab.onkeydown = ({ key }) => {
          const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
          if (step !== 0) show(names[(index + step + names.length) % names.length] ?? name);
        };
        return tab;
      }),
    );
    if (hadFocus) tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    add.disabled = names.length >= mostFiles;
    remove.hidden = names.length < 2;
  };
  add.onclick = () => {
    const ending = languageOf(all()) === "cuda" ? "cuh" : "h";
    const name = ["header", ...Array.from({ length: mostFiles }, (_, index) => `header${index + 2}`)]
      .map((base) => `${base}.${ending}`)
      .find((each) => !states.has(each) && isFileName(each));
    if (name === undefined) return;
    states.set(name, page.newState(""));
    page.opened(name, "");
    show(name);
    view.focus();
  };
  remove.onclick = () => {
    const gone = shown;
    const next = [...states.keys()].find((name) => name !== gone);
    if (next === undefined) return;
    show(next);
    states.delete(gone);
    page.closed(gone);
    drawTabs();
  };
  return {
    all,
    get shown() {
      return shown;
    },
    has: (name) => states.has(name),
    textOf: (name) => stateOf(name)?.doc,
    show,
    replace(files) {
      const before = [...states.keys()];
      states.clear();
      shown = "";
      for (const name of before) if (!files.some((file) => file.name === name)) page.closed(name);
      for (const { name, text } of files) {
        states.set(name, page.newState(text));
        if (before.includes(name)) page.changed(name, text);
        else page.opened(name, text);
      }
      show(files[0]?.name ?? "");
    },
    change(name, changes) {
      if (name === shown) view.dispatch({ changes });
      else {
        const next = states.get(name)?.update({ changes }).state;
        if (next === undefined) return;
        states.set(name, next);
        page.changed(name, next.doc.toString());
      }
    },
  };
}
