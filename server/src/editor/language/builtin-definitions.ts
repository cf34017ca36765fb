/** Finds the place of a name that the language itself declares, on the language's page. */
import type { ReadFile } from "../../diagnostics/analyzed-files.ts";
import { prelude } from "../../semantics/builtins/index.ts";
import { printType, unqualifiedType } from "../../semantics/types/types.ts";
import { type Files, type SourceSpan, textOf } from "../../source.ts";
import { explainBuiltin } from "../hover/functions.ts";
import { type Meaning, meaningOf, placesOf } from "../names/meaning.ts";
import { wordAt } from "../names/tokens.ts";
import { type BuiltinPage, builtinPage } from "./builtin-page.ts";

/** A place on a page of the language's own declarations. */
export interface BuiltinDefinition {
  readonly page: BuiltinPage;
  readonly span: SourceSpan;
}

/** The declaration of the language's name at an offset; undefined for other names, and for keywords that are not types. */
export function builtinDefinitionAt({ uri, readings }: ReadFile, offset: number, files: Files): BuiltinDefinition | undefined {
  const text = textOf(files, uri);
  const word = wordAt(text, offset);
  if (word === undefined) return undefined;
  // Not every standard declares the name.
  for (const reading of readings) {
    const meaning = meaningOf(reading, uri, text, { start: word.start, end: word.end }, files);
    const page = builtinPage(reading.dialect.language);
    const span = placeOf(meaning, word.text, page, prelude(reading.dialect).uri);
    if (span !== undefined) return { page, span };
  }
  return undefined;
}

/** The declaration of a type of the language. */
export function builtinTypeDefinition({ readings: [reading] }: ReadFile, name: string): BuiltinDefinition | undefined {
  const page = reading === undefined ? undefined : builtinPage(reading.dialect.language);
  const span = page?.placeOf(name);
  return page === undefined || span === undefined ? undefined : { page, span };
}

/** True if the name at an offset is a function of the language that hovers explain, such as one for memory or barriers. */
export function isExplainedBuiltinAt({ uri, readings: [reading] }: ReadFile, offset: number, files: Files): boolean {
  const word = wordAt(textOf(files, uri), offset);
  return reading !== undefined && word !== undefined && explainBuiltin(word.text, reading.dialect) !== undefined;
}

function placeOf(meaning: Meaning, name: string, page: BuiltinPage, preludeUri: string): SourceSpan | undefined {
  switch (meaning.kind) {
    case "builtin":
    case "type":
      return page.placeOf(name);
    case "component":
      return meaning.vector === undefined ? undefined : page.placeOf(printType(unqualifiedType(meaning.vector)));
    case "macro": {
      const [first] = meaning.definitions;
      return first?.uri === preludeUri ? page.placeInPrelude(first.span) : undefined;
    }
    case "symbol": {
      const { symbol } = meaning;
      if (symbol.kind === "function") return symbol.isBuiltin ? page.placeOf(name) : undefined;
      for (const { unit, span } of placesOf(symbol)) {
        const { location } = unit.view.origin(span);
        if (location.uri === preludeUri) return page.placeInPrelude(location.span);
      }
      return undefined;
    }
    default:
      return undefined;
  }
}
