/**
 * Finds who calls a function and what it calls: from the host through a launch to a kernel and its helpers. Functions of two files are
 * the same only if they share a declaration, because two programs of a workspace may use one name. Host code that names a kernel by a
 * string calls it if only one file defines a kernel of that name.
 */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { CallFact } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { type Location, placeKey, type SourceSpan, textOf } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { mainDeclaration } from "../hover/functions.ts";
import { meaningOf } from "../names/meaning.ts";
import { wordAt } from "../names/tokens.ts";
import { hostFunctionAround, namesInHosts } from "./host-names.ts";
import type { LanguageContext } from "./symbols.ts";

/** A function of the author; `host` is one that names a kernel by a string. */
export interface CallableItem {
  readonly kind: "kernel" | "function" | "host";
  readonly name: string;
  readonly uri: string;
  readonly span: SourceSpan;
  readonly nameSpan: SourceSpan;
}

/** A function at the other end of calls, and the places of the calls in the calling function's file. */
export interface CallsOf {
  readonly item: CallableItem;
  readonly places: readonly Location[];
}

/** The function that is named at an offset; undefined for functions of the language and everything else. */
export function callableAt(uri: string, offset: number, context: LanguageContext): CallableItem | undefined {
  const [reading] = context.read(uri).readings;
  const symbol = reading === undefined ? undefined : functionAt(reading, uri, offset, context);
  return symbol === undefined ? undefined : itemOf(symbol);
}

function functionAt(reading: AnalyzedUnit, uri: string, offset: number, { files }: LanguageContext): FunctionSymbol | undefined {
  const text = textOf(files, uri);
  const word = wordAt(text, offset);
  if (word === undefined) return undefined;
  const meaning = meaningOf(reading, uri, text, { start: word.start, end: word.end } as SourceSpan, files);
  return meaning.kind === "symbol" && meaning.symbol.kind === "function" ? meaning.symbol : undefined;
}

function itemOf(symbol: FunctionSymbol): CallableItem | undefined {
  const declaration = mainDeclaration(symbol);
  if (declaration === undefined || declaration.place.unit.uri.startsWith("builtin:")) return undefined;
  const { place, namePlace, body, execution } = declaration;
  const name = codeAt(namePlace);
  const whole = codeAt({ unit: place.unit, span: { start: place.span.start, end: Math.max(place.span.end, body?.span.end ?? 0) } });
  const span = { start: Math.min(whole.span.start, name.span.start), end: Math.max(whole.span.end, name.span.end) } as SourceSpan;
  return { kind: execution.kernel ? "kernel" : "function", name: symbol.name, uri: name.uri, span, nameSpan: name.span };
}

function keysOf({ declarations }: FunctionSymbol): readonly string[] {
  return declarations.filter(({ place }) => !place.unit.uri.startsWith("builtin:")).map(({ namePlace }) => placeKey(codeAt(namePlace)));
}

/** The functions that call the one that is named at an offset, in every known file. */
export function callersOf(uri: string, offset: number, context: LanguageContext): readonly CallsOf[] {
  const [own] = context.read(uri).readings;
  const symbol = own === undefined ? undefined : functionAt(own, uri, offset, context);
  if (symbol === undefined) return [];
  const keys = new Set(keysOf(symbol));
  const word = wordPattern(symbol.name);
  const declaring = new Set(symbol.declarations.map(({ namePlace }) => codeAt(namePlace).uri));
  const naming = [...context.filesSeeing(declaring)].filter((other) => other !== uri && word.test(textOf(context.files, other)));
  const found = callsByItem();
  for (const file of [uri, ...naming])
    for (const call of context.read(file).readings[0]?.facts.calls ?? []) {
      const { callee, within } = call;
      if (callee === undefined || within === undefined || callee.name !== symbol.name) continue;
      if (callee === symbol || keysOf(callee).some((key) => keys.has(key))) found.add(itemOf(within), placeOfCall(call));
    }
  return found.all();
}

/** The functions that the one that is named at an offset calls, without those of the language. */
export function calleesOf(uri: string, offset: number, context: LanguageContext): readonly CallsOf[] {
  const [reading] = context.read(uri).readings;
  const symbol = reading === undefined ? undefined : functionAt(reading, uri, offset, context);
  const found = callsByItem();
  for (const call of reading?.facts.calls ?? [])
    if (call.within === symbol && call.callee !== undefined) found.add(itemOf(call.callee), placeOfCall(call));
  return found.all();
}

/**
 * The functions of host code that name the kernel at an offset. `host` is the file that contains its source. Empty if several files
 * define such a kernel.
 */
export function hostCallersOf(uri: string, offset: number, host: string, context: LanguageContext): readonly CallsOf[] {
  const [reading] = context.read(uri).readings;
  const symbol = reading === undefined ? undefined : functionAt(reading, uri, offset, context);
  if (symbol?.declarations.some(({ execution }) => execution.kernel) !== true) return [];
  const { kernelFiles, places } = namesInHosts(symbol.name, context.files, host);
  if (kernelFiles.length > 1) return [];
  const found = callsByItem();
  for (const place of places) found.add(hostFunctionAround(place, textOf(context.files, place.uri)), place);
  return found.all();
}

/** Collects calls under the function at their other end. Calls of one place in several dialects or instantiations count once. */
function callsByItem() {
  const found = new Map<string, { readonly item: CallableItem; readonly places: Map<string, Location> }>();
  return {
    add(item: CallableItem | undefined, place: Location): void {
      if (item === undefined) return;
      const key = placeKey({ uri: item.uri, span: item.nameSpan });
      const entry = found.get(key) ?? { item, places: new Map() };
      found.set(key, entry);
      entry.places.set(placeKey(place), place);
    },
    all: (): readonly CallsOf[] => [...found.values()].map(({ item, places }) => ({ item, places: [...places.values()] })),
  };
}

/** The name of the called function in a call. */
function placeOfCall({ place: { unit, span } }: CallFact): Location {
  const name = /^[\w:]+/.exec(unit.view.text.slice(span.start, span.end))?.[0] ?? "";
  return codeAt({ unit, span: { start: span.start, end: span.start + Math.max(1, name.length) } });
}
