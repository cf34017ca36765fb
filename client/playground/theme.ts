/** The editor's colors. Each is a pair for light and dark pages, and the browser selects one; all are readable on the editor's background. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const style = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword, tags.definitionKeyword], color: "light-dark(#8250df, #d2a8ff)" },
  { tag: [tags.typeName, tags.standard(tags.typeName), tags.className, tags.namespace], color: "light-dark(#0550ae, #79c0ff)" },
  { tag: [tags.string, tags.character, tags.special(tags.string)], color: "light-dark(#0a3069, #a5d6ff)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "light-dark(#0a5c2b, #7ee787)" },
  { tag: tags.comment, color: "light-dark(#59636e, #9198a1)", fontStyle: "italic" },
  { tag: [tags.processingInstruction, tags.macroName, tags.meta], color: "light-dark(#7a4e00, #e3b341)" },
]);

const colors = EditorView.theme({
  "&": { color: "light-dark(#1f2328, #f0f6fc)", backgroundColor: "light-dark(#ffffff, #0d1117)" },
  ".cm-content": { caretColor: "light-dark(#1f2328, #f0f6fc)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "light-dark(#1f2328, #f0f6fc)" },
  ".cm-gutters": { color: "light-dark(#59636e, #9198a1)", backgroundColor: "light-dark(#f6f8fa, #151b23)", borderColor: "var(--line)" },
  ".cm-activeLine": { backgroundColor: "light-dark(#eef2f680, #1c232c80)" },
  ".cm-activeLineGutter": { backgroundColor: "light-dark(#e6eaef, #212830)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection": {
    backgroundColor: "light-dark(#b6d7ff, #264f78)",
  },
  ".cm-selectionMatch": { backgroundColor: "light-dark(#d9e8d9, #2b4030)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "light-dark(#cdeccd, #2f4f3a)", color: "inherit" },
  ".cm-tooltip, .cm-panels": {
    color: "light-dark(#1f2328, #f0f6fc)",
    backgroundColor: "light-dark(#f6f8fa, #151b23)",
    borderColor: "var(--line)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "#ffffff", backgroundColor: "#0969da" },
  ".cm-diagnosticAction": { color: "#ffffff", backgroundColor: "#0969da" },
  ".cm-foldPlaceholder": { color: "inherit", backgroundColor: "transparent", borderColor: "var(--line)" },
  ".cm-button, .cm-textfield": { color: "inherit", backgroundImage: "none", backgroundColor: "light-dark(#ffffff, #0d1117)" },
});

/** The theme of the playground's editor. */
export const theme: Extension = [colors, syntaxHighlighting(style)];
