/**
 * Reads `gpu-qualifiers.json`: JSON with comments and trailing commas. Mistakes are reported at their place, and the rest of the
 * file still applies.
 */
import { findNodeAtLocation, getNodeValue, modify, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Profile, Severity } from "../finding.ts";
import { quoted } from "../printable.ts";
import type { Span } from "../source.ts";
import { jsonTokens } from "./json-tokens.ts";
import { type SettingsProblem, spanWithin } from "./problems.ts";
import type { JsonSchema, JsonType } from "./settings-schema.ts";

/** The contents of a settings file. A member is absent if it was not written, or was wrong. */
export interface SettingsFile {
  readonly flags?: readonly string[];
  readonly includePaths?: readonly string[];
  readonly macros?: Readonly<Record<string, string | number | boolean | null>>;
  readonly opencl?: {
    readonly standard?: string;
    readonly extensions?: Readonly<Record<string, boolean>>;
    readonly profile?: "full" | "embedded";
  };
  readonly cuda?: { readonly standard?: string; readonly architectures?: readonly string[]; readonly relocatableDeviceCode?: boolean };
  readonly limits?: { readonly constantArguments?: number; readonly constantBufferSize?: number };
  readonly largestFile?: number;
  readonly profile?: "default" | Profile;
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  readonly exclude?: readonly string[];
  readonly overrides?: readonly {
    readonly files: readonly string[];
    readonly flags?: readonly string[];
    readonly rules?: Readonly<Record<string, Severity | "off">>;
  }[];
}

/** The valid settings, and the problems of the others. */
export interface ParsedSettings {
  readonly settings: SettingsFile;
  readonly problems: readonly SettingsProblem[];
  /** The place of the value at a path, for problems found later, such as in the text of a flag. */
  spanOf(path: readonly (string | number)[]): Span;
  /** The places of the texts in a list. */
  textSpans(path: readonly (string | number)[]): readonly Span[];
}

const longestText = 1024 * 1024;
/** The nesting limit; the schema has four levels. */
const deepest = 32;

/** Reads the text of a settings file and validates it against the schema. */
export function readSettingsFile(text: string, schema: JsonSchema): ParsedSettings {
  const tooMuch = whyTooMuch(text);
  const errors: ParseError[] = [];
  const tree = tooMuch === undefined ? parseTree(text, errors, { allowTrailingComma: true }) : undefined;
  const problems: SettingsProblem[] = errors.map(({ error, offset, length }) => ({
    message: syntaxMessage(printParseErrorCode(error)),
    span: spanWithin(text, offset, offset + length),
  }));
  if (tooMuch !== undefined) problems.push(tooMuch);
  const value = tree === undefined ? undefined : validated(tree, schema, problems);
  const nodeAt = (path: readonly (string | number)[]) => (tree === undefined ? undefined : findNodeAtLocation(tree, [...path]));
  return {
    settings: value === undefined ? {} : (value as SettingsFile),
    problems,
    spanOf(path) {
      const node = nodeAt(path);
      return node === undefined ? { start: 0, end: 0 } : spanOf(node);
    },
    textSpans: (path) => (nodeAt(path)?.children ?? []).filter(({ type }) => type === "string").map(spanOf),
  };
}

/** The problem of a text that is nested too deeply for the parser, which is recursive; undefined for other texts. */
function whyTooMuch(text: string): SettingsProblem | undefined {
  if (text.length > longestText)
    return { message: `not read: it is larger than ${longestText / 1024 / 1024} MB`, span: { start: 0, end: 0 } };
  let depth = 0;
  for (const { kind, start, end } of jsonTokens(text)) {
    if (kind === "open") depth++;
    if (kind === "close") depth--;
    if (depth > deepest) return { message: `not read: it is nested more than ${deepest} levels deep`, span: { start, end } };
  }
  return undefined;
}

/** The edits that set a value in the text of a settings file, which may be empty. Comments and layout stay. */
export function settingsEdits(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): readonly { readonly span: Span; readonly text: string }[] {
  // The editing function is recursive too.
  if (whyTooMuch(text) !== undefined) return [];
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: text.includes("\r\n") ? "\r\n" : "\n" };
  return modify(text, [...path], value, { formattingOptions }).map(({ offset, length, content }) => ({
    span: { start: offset, end: offset + length },
    text: content,
  }));
}

/** The value of the node without its invalid parts; undefined if the node itself is invalid. */
function validated(node: Node, schema: JsonSchema, problems: SettingsProblem[]): unknown {
  const types: readonly JsonType[] = schema.type === undefined ? [] : Array.isArray(schema.type) ? schema.type : [schema.type as JsonType];
  if (types.length > 0 && !types.some((type) => isOfType(node, type))) {
    problems.push({ message: `expected ${types.map(typeName).join(" or ")}`, span: spanOf(node) });
    return undefined;
  }
  if (node.type === "object") return validatedObject(node, schema, problems);
  if (node.type === "array") {
    const { items } = schema;
    const elements = node.children ?? [];
    return items === undefined
      ? getNodeValue(node)
      : elements.map((child) => validated(child, items, problems)).filter((value) => value !== undefined);
  }
  const wrong = wrongScalar(node.value, schema);
  if (wrong === undefined) return node.value;
  problems.push({ message: wrong, span: spanOf(node) });
  return undefined;
}

function validatedObject(node: Node, schema: JsonSchema, problems: SettingsProblem[]): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = {};
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    if (keyNode === undefined || valueNode === undefined) continue;
    const key = String(keyNode.value);
    const known = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : undefined;
    const expected = known ?? schema.additionalProperties;
    if (expected === false || expected === undefined) {
      problems.push({ message: unknownKey(key, Object.keys(schema.properties ?? {})), span: spanOf(keyNode) });
      continue;
    }
    const value = validated(valueNode, expected, problems);
    if (value !== undefined) Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
  }
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(result, key));
  if (missing.length === 0) return result;
  problems.push({ message: `'${missing.join("' and '")}' must be given here`, span: { start: node.offset, end: node.offset + 1 } });
  return undefined;
}

function wrongScalar(value: unknown, schema: JsonSchema): string | undefined {
  if (typeof value === "string" && schema.enum !== undefined && !schema.enum.includes(value)) {
    return `${quoted(value)} is none of ${schema.enum.join(", ")}`;
  }
  if (typeof value === "string" && schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) {
    return schema.patternErrorMessage ?? `${quoted(value)} does not look like ${schema.pattern}`;
  }
  if (typeof value === "number" && schema.minimum !== undefined && value < schema.minimum) return `must be at least ${schema.minimum}`;
  return undefined;
}

function isOfType(node: Node, type: JsonType): boolean {
  if (type === "integer") return node.type === "number" && Number.isInteger(node.value);
  return node.type === type;
}

function typeName(type: JsonType): string {
  return type === "null" ? "null" : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  return near === undefined ? `unknown setting ${quoted(key)}` : `unknown setting ${quoted(key)}, did you mean '${near}'?`;
}

/** Longer than any name that may be suggested. */
const longestWord = 64;

/** The candidate that differs in at most a third of its letters, if there is one. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= candidate.length / 3 && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** How many letters must be added, removed, replaced or swapped with the next one. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? i + j) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}

function spanOf(node: Node): Span {
  return { start: node.offset, end: node.offset + node.length };
}

function syntaxMessage(code: string): string {
  const words = code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return `not valid JSON: ${words}`;
}
