/**
 * Types of names and growing selections in an open document, and the hierarchy of calls, whose items may be in files that are not open,
 * as the protocol's types.
 */
import {
  type CallHierarchyIncomingCall,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  type Location,
  type Position,
  type Range,
  type SelectionRange,
  SymbolKind,
} from "vscode-languageserver";
import { type CallableItem, type CallsOf, callableAt, calleesOf, callersOf, hostCallersOf } from "../../editor/language/call-hierarchy.ts";
import { selectionsAt } from "../../editor/language/selection.ts";
import type { LanguageContext } from "../../editor/language/symbols.ts";
import type { Location as Place } from "../../source.ts";
import { filesAround, locationOf, onPage, partAt, symbolOf } from "./code-features.ts";
import type { FeatureContext } from "./language-features.ts";

/** The declaration of the type that the variable or member at a position has. */
export function protocolTypeDefinitions(context: FeatureContext, position: Position): Location[] {
  const at = partAt(context, position);
  const symbol = symbolOf(at, context);
  if (at === undefined || symbol === undefined) return [];
  if (symbol.typeDeclaration === undefined) return symbol.typeName === undefined ? [] : onPage(context, at, symbol.typeName);
  return locationOf(context, at.part.locate(symbol.typeDeclaration));
}

/** For each position the parts of the document around it, innermost first. */
export function protocolSelections(context: FeatureContext, positions: readonly Position[]): SelectionRange[] {
  const { document } = context;
  return positions.map((position) => {
    const at = partAt(context, position);
    const spans =
      at === undefined
        ? []
        : selectionsAt(at.part.text, at.offset).flatMap((span) => (at.part.isEmbedded ? (at.part.inFile(span) ?? []) : span));
    const ranges = spans.map(({ start, end }): Range => ({ start: document.positionAt(start), end: document.positionAt(end) }));
    const whole = ranges.reduceRight<SelectionRange | undefined>(
      (parent, range) => ({ range, ...(parent === undefined ? {} : { parent }) }),
      undefined,
    );
    return whole ?? { range: { start: position, end: position } };
  });
}

/** The data that a client sends back to ask for the calls of an item. */
interface ItemData {
  /** The file, or the source in one of its literals. */
  readonly source: string;
  readonly offset: number;
}

/** The function at a position, as the start of a hierarchy. */
export function preparedCalls(context: FeatureContext, position: Position): CallHierarchyItem[] {
  const at = partAt(context, position);
  const item = at === undefined ? undefined : callableAt(at.part.file.uri, at.offset, filesAround(at, context));
  return item === undefined ? [] : placesIn(context).itemsOf(item);
}

/** The callers of an item: functions, and host code that names a kernel. */
export function incomingCalls(context: FeatureContext, item: CallHierarchyItem): CallHierarchyIncomingCall[] {
  const data = dataOf(item);
  if (data === undefined) return [];
  const files = contextOf(context);
  const { itemsOf, rangesOf } = placesIn(context);
  return [...callersOf(data.source, data.offset, files), ...hostCallersOf(data.source, data.offset, context.name, files)].flatMap(
    ({ item: from, places }) => itemsOf(from).map((each) => ({ from: each, fromRanges: rangesOf(places) })),
  );
}

/** The functions that an item calls. */
export function outgoingCalls(context: FeatureContext, item: CallHierarchyItem): CallHierarchyOutgoingCall[] {
  const data = dataOf(item);
  if (data === undefined) return [];
  const { itemsOf, rangesOf } = placesIn(context);
  return calleesOf(data.source, data.offset, contextOf(context)).flatMap(({ item: to, places }: CallsOf) =>
    itemsOf(to).map((each) => ({ to: each, fromRanges: rangesOf(places) })),
  );
}

function contextOf({ service }: FeatureContext): LanguageContext {
  return { files: service.files, read: (uri) => service.read(uri), filesSeeing: service.filesSeeing };
}

/** Items and places in sources, as the protocol's in the author's files. */
function placesIn(context: FeatureContext) {
  const { locate } = context.service.partAt(context.name, 0).part;
  const inFile = (place: Place) => locationOf(context, locate(place));
  return {
    itemsOf({ kind, name, uri, span, nameSpan }: CallableItem): CallHierarchyItem[] {
      const [whole] = inFile({ uri, span });
      const [at] = inFile({ uri, span: nameSpan });
      if (whole === undefined || at === undefined) return [];
      const detail = kind === "function" ? "" : kind;
      const data: ItemData = { source: uri, offset: nameSpan.start };
      return [{ name, kind: SymbolKind.Function, detail, uri: at.uri, range: whole.range, selectionRange: at.range, data }];
    },
    rangesOf: (places: readonly Place[]): Range[] => places.flatMap(inFile).map(({ range }) => range),
  };
}

function dataOf({ data }: CallHierarchyItem): ItemData | undefined {
  const given: unknown = data;
  if (typeof given !== "object" || given === null || !("source" in given) || !("offset" in given)) return undefined;
  return typeof given.source === "string" && typeof given.offset === "number" ? { source: given.source, offset: given.offset } : undefined;
}
