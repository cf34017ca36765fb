/**
 * Finds the declarations of a workspace by their names, in steps. Only files with a word that fits the query are read, because
 * reading every file of a workspace takes minutes.
 */
import type { SymbolInformation } from "vscode-languageserver";
import { languageOfName } from "../../dialect.ts";
import { nameSearch } from "../../editor/language/name-search.ts";
import { outlineOf } from "../../editor/language/outline.ts";
import type { Service } from "../../service.ts";
import { textOf } from "../../source.ts";
import type { Steps } from "../../steps.ts";
import { isWanted, symbolKinds } from "./code-features.ts";
import type { FeatureContext } from "./language-features.ts";

/** Where symbols are searched. */
export interface SymbolSources extends Pick<FeatureContext, "positions" | "uriOf" | "settings"> {
  readonly names: readonly string[];
  readonly service: Service;
}

/** The limit on results; more are of no use in a list. */
const mostSymbols = 500;

/** The declarations in a workspace whose names contain the query's characters in order. */
export function* workspaceSymbols(query: string, sources: SymbolSources): Steps<SymbolInformation[]> {
  const { names, service, positions, uriOf, settings } = sources;
  const { fits, fitsWordOf } = nameSearch(query);
  const found: SymbolInformation[] = [];
  if ((settings.languageFeatures ?? "opencl") === "off") return found;
  for (const name of names) {
    yield;
    if (languageOfName(name) === undefined || !fitsWordOf(textOf(service.files, name))) continue;
    for (const part of yield* service.partsInSteps(name)) {
      if (!isWanted(part, settings)) continue;
      for (const entry of outlineOf(part.file, part.text)) {
        if (!fits(entry.name)) continue;
        const place = part.locate({ uri: part.file.uri, span: entry.nameSpan });
        const range = positions.rangeOf(place.uri, place.span);
        if (range === undefined) continue;
        found.push({ name: entry.name, kind: symbolKinds[entry.kind], location: { uri: uriOf(place.uri), range } });
        if (found.length === mostSymbols) return found;
      }
    }
  }
  return found;
}
