/**
 * Finds every place that means the same as a name. A file that is read tells by its facts; files that would only be read for this are
 * judged by their words where these decide, because a header may have hundreds of includers.
 */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { fileOf } from "../../preprocess/row.ts";
import { type Location, placeKey, type SourceSpan, textOf } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { isReadAt, type Meaning, meaningOf, meaningsInExpansions } from "../names/meaning.ts";
import { isDeclaredOutside } from "../names/neighbor-names.ts";
import { codeTokens } from "../names/tokens.ts";
import { writtenLocalAt } from "../names/written-locals.ts";
import { located } from "../names/written-places.ts";
import { macrosReaching, namedByMacros } from "./macro-uses.ts";
import { declarationsOf, type LanguageContext, type NamedSymbol, namedBy, symbolOf, unitsOf } from "./symbols.ts";

/**
 * Every place with the name, including declarations, in the files that may refer to the symbol. If a macro's body names the symbol, it
 * names another one in each function that uses the macro, and all of them have to keep one name.
 */
export function occurrencesOf(symbol: NamedSymbol, uri: string, context: LanguageContext): readonly Location[] {
  const own = occurrencesOfOne(symbol, uri, context);
  if (symbol.kind !== "variable") return own;
  const all = new Map(own.map((place) => [placeKey(place), place]));
  const symbols = [symbol];
  const words = wordsInMacros(symbol.name, uri, context);
  const reached = new Set<Location>();
  // The list grows while it is iterated.
  for (const one of symbols) {
    const declared = new Set(one.declarations.map(placeKey));
    for (const { place, named, elsewhere } of words) {
      if (reached.has(place) || !named.some((each) => each.declarations.some((at) => declared.has(placeKey(at))))) continue;
      reached.add(place);
      all.set(placeKey(place), place);
      const others = elsewhere();
      for (const other of others.places) all.set(placeKey(other), other);
      for (const each of [...named, ...others.symbols]) {
        const [first] = each.declarations;
        if (first === undefined || symbols.some((known) => known.declarations.some((at) => placeKey(at) === placeKey(first)))) continue;
        symbols.push(each);
        for (const other of occurrencesOfOne(each, first.uri, context)) all.set(placeKey(other), other);
      }
    }
  }
  return [...all.values()];
}

/**
 * The words of macros' bodies in the program with a name, each with what it names in the expansions of this file. The facts of a file lack
 * the bodies of functions in others.
 */
function wordsInMacros(name: string, uri: string, { files, read, filesSeeing }: LanguageContext) {
  const [own] = read(uri).readings;
  if (own === undefined) return [];
  const word = wordPattern(name);
  const sources = [...new Set(unitsOf(own.unit).flatMap((unit) => [fileOf(unit.uri), ...(unit.spliced ?? [])]))];
  const defining = sources.flatMap((source) => {
    const text = textOf(files, source);
    const macros = definitionsIn(text).filter(
      ({ body, parameters }) => word.test(text.slice(body.start, body.end)) && parameters?.includes(name) !== true,
    );
    const tokens = codeTokens(text).filter(
      (token) => token.text === name && macros.some(({ body }) => body.start <= token.start && token.end <= body.end),
    );
    return tokens.length === 0 ? [] : [{ source, text, tokens, macros }];
  });
  if (defining.length === 0) return [];
  const symbolsIn = (reading: AnalyzedUnit, place: Location) =>
    meaningsInExpansions(reading, place.uri, place.span.start, name).flatMap((symbol) => symbolOf(symbol, name, place.span, reading) ?? []);
  const inOtherFiles = elsewhereOf(
    name,
    defining.map(({ source }) => source),
    sources,
    { files, read, filesSeeing },
  );
  return defining.flatMap(({ source, text, tokens, macros }) =>
    tokens.map(({ start, end }) => {
      const place: Location = { uri: source, span: { start, end } };
      const named = symbolsIn(own, place);
      const meaning = named.length > 0 ? undefined : meaningOf(own, source, text, place.span, files);
      const local = meaning?.kind === "written-local" ? namedBy(meaning, name, place.span, own, text) : undefined;
      const macro = macros.find(({ body }) => body.start <= start && end <= body.end);
      return {
        place,
        named: local === undefined ? named : [local],
        /** What it names in other files, which are looked at only for this answer. */
        elsewhere: () => {
          const { places, read: others } = inOtherFiles(macro?.name ?? "", uri);
          return { places, symbols: others.flatMap((reading) => symbolsIn(reading, place)) };
        },
      };
    }),
  );
}

/** Finds the places that a macro's body names in other files by their words, and the readings of files where these do not tell. */
function elsewhereOf(name: string, defining: readonly string[], sources: readonly string[], { files, read, filesSeeing }: LanguageContext) {
  const known = new Map<string, { readonly places: readonly Location[]; readonly read: readonly AnalyzedUnit[] }>();
  let seeing: ReadonlySet<string> | undefined;
  return (macro: string, uri: string) => {
    const present = known.get(macro);
    if (present !== undefined) return present;
    seeing ??= new Set([...sources, ...filesSeeing(defining)]);
    const found = [...seeing].flatMap((file) => {
      if (file === uri) return [];
      const { places, namesOther } = namedByMacros(name, macrosReaching([macro], [...sources, file], files), file, files);
      const isOutside = namesOther && isDeclaredOutside(name, file, textOf(files, file));
      return [{ places, read: isOutside ? read(file).readings.slice(0, 1) : [] }];
    });
    const result = { places: found.flatMap(({ places }) => places), read: found.flatMap((each) => each.read) };
    known.set(macro, result);
    return result;
  };
}

function occurrencesOfOne(symbol: NamedSymbol, uri: string, context: LanguageContext): readonly Location[] {
  if (symbol.scope !== undefined) return occurrencesIn(symbol, uri, context);
  const declaring = new Set(symbol.declarations.map((location) => location.uri));
  const word = wordPattern(symbol.name);
  const others = [...context.filesSeeing(declaring)].filter(
    (other) => other !== uri && !declaring.has(other) && word.test(textOf(context.files, other)),
  );
  const [reading] = context.read(uri).readings;
  const isC = reading?.dialect.language === "opencl" && !reading.dialect.cplusplus;
  // A macro replaces the word wherever it is visible.
  const byWords = new Set(
    others.filter((other) => symbol.kind === "macro" || (isC && symbol.kind !== "member" && wordsDecide(symbol, other, context))),
  );
  const ofProgram = new Set(unitsOf(reading?.unit).map((unit) => fileOf(unit.uri)));
  const connected = others.filter(
    (other) =>
      byWords.has(other) ||
      ofProgram.has(other) ||
      unitsOf(context.read(other).readings[0]?.unit).some(
        (each) => declaring.has(fileOf(each.uri)) || each.spliced?.some((file) => declaring.has(file)) === true,
      ),
  );
  const read = [...new Set([uri, ...declaring, ...connected.filter((other) => !byWords.has(other))])].flatMap((file) =>
    occurrencesIn(symbol, file, context),
  );
  return symbol.kind === "member" ? read : [...read, ...outerPlaces(symbol, [...byWords, ...sharing(symbol, connected, context)], context)];
}

/**
 * True if the words of a file tell which of them are this name of file scope in C: the file does not declare the name itself, and has
 * neither a member nor a tag of that name (C11 §6.2.3).
 */
function wordsDecide({ name }: NamedSymbol, uri: string, { files }: LanguageContext): boolean {
  const text = textOf(files, uri);
  if (isDeclaredOutside(name, uri, text)) return false;
  /** The open braces: true for those of a structure. */
  const open: boolean[] = [];
  let isStructure = false;
  const tokens = codeTokens(text).filter(({ kind }) => kind !== "comment");
  return tokens.every(({ text: word }, index) => {
    const [before, after] = [tokens[index - 1]?.text ?? "", tokens[index + 1]?.text ?? ""];
    const isTag = /^(?:struct|union|enum)$/.test(before);
    const isMember = open.at(-1) === true && /^[;,:[]$/.test(after) && !/^[;{}]$/.test(before);
    if (word === name && (isTag || isMember)) return false;
    if (word === "struct" || word === "union") isStructure = true;
    else if (word === "{") open.push(isStructure && before !== ")");
    else if (word === "}") open.pop();
    if (/^[;{}]$/.test(word)) isStructure = false;
    return true;
  });
}

/**
 * The files that declare the name by themselves for one of these headers: a header that names what its includer declares means another
 * declaration in each of them, and all of them have to keep one name.
 */
function sharing(symbol: NamedSymbol, used: readonly string[], { files, filesSeeing }: LanguageContext): readonly string[] {
  const headers = used.filter((other) => !isDeclaredOutside(symbol.name, other, textOf(files, other)));
  if (headers.length === 0) return [];
  const known = new Set([...used, ...symbol.declarations.map(({ uri }) => uri)]);
  return [...filesSeeing(headers)].filter((other) => !known.has(other) && isDeclaredOutside(symbol.name, other, textOf(files, other)));
}

/** The places with the name in these files, by their words: all but those of local names and members. */
function outerPlaces({ name }: NamedSymbol, uris: readonly string[], { files }: LanguageContext): readonly Location[] {
  return uris.flatMap((uri) => {
    const text = textOf(files, uri);
    const tokens = codeTokens(text);
    return tokens.flatMap(({ kind, text: word, start, end }, index): readonly Location[] => {
      const before = tokens[index - 1]?.text;
      if (kind !== "word" || word !== name || before === "." || before === "->") return [];
      const isOfMacro = definitionsIn(text).some(
        ({ line, parameters }) => line.start <= start && end <= line.end && parameters?.includes(name) === true,
      );
      return isOfMacro || writtenLocalAt(text, name, start) !== undefined ? [] : [{ uri, span: { start, end } }];
    });
  });
}

/**
 * The places with the name in one file. A word that no compiler reads, in an inactive branch, counts if the symbol is visible there. In
 * files that are read alone, such as a header, names that another file declares count too.
 */
export function occurrencesIn(symbol: NamedSymbol, uri: string, { files, read }: LanguageContext): readonly Location[] {
  const text = textOf(files, uri);
  const tokens = codeTokens(text);
  const reading = read(uri).readings[0];
  const own = new Set(symbol.declarations.map(placeKey));
  return tokens.flatMap(({ kind, text: word, start, end }, index) => {
    if (kind !== "word" || word !== symbol.name) return [];
    if (symbol.scope !== undefined && (start < symbol.scope.start || end > symbol.scope.end)) return [];
    const span = { start, end } as SourceSpan;
    const place = { uri, span };
    if (own.has(placeKey(place)) || symbol.kind === "macro-parameter") return [place];
    const before = tokens[index - 1]?.text;
    const isAfterObject = before === "." || before === "->";
    const meaning = reading === undefined ? undefined : meaningOf(reading, uri, text, span, files);
    const isRead = reading !== undefined && isReadAt(reading, uri, text, span);
    if (
      meaning === undefined ||
      (!isRead &&
        meaning.kind !== "written-local" &&
        meaning.kind !== "label" &&
        meaning.kind !== "written" &&
        (meaning.kind === "undeclared" || symbol.scope !== undefined))
    )
      return isAfterObject === (symbol.kind === "member") ? [place] : [];
    return isSame(meaning, symbol, own, reading) ? [place] : [];
  });
}

function isSame(meaning: Meaning, symbol: NamedSymbol, own: ReadonlySet<string>, reading: AnalyzedUnit | undefined): boolean {
  switch (meaning.kind) {
    case "macro":
      return symbol.kind === "macro";
    case "symbol":
      return (
        reading !== undefined && declarationsOf(meaning.symbol, reading).some((place) => located(place).some((at) => own.has(placeKey(at))))
      );
    case "written-local":
      return own.has(placeKey({ uri: meaning.uri, span: meaning.local.span }));
    case "written":
      return meaning.declarations.some((at) => own.has(placeKey(at)));
    case "label":
      return own.has(placeKey({ uri: meaning.uri, span: meaning.span }));
    case "some-member":
      return (
        symbol.kind === "member" &&
        !meaning.mayBeComponent &&
        meaning.members.some((member) => located(member.place).some((at) => own.has(placeKey(at))))
      );
    case "undeclared":
    case "component":
      // A header that is read alone does not see what its includers declare.
      return symbol.kind !== "member" && symbol.scope === undefined && meaning.kind === "undeclared";
    default:
      return false;
  }
}
