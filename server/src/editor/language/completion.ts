/**
 * Completes words: qualifiers where a declaration or a type may stand, functions of the language and names of the file where an
 * expression may. It looks at the preceding words, because half-typed code has no better structure.
 */
import type { ReadFile, Reading } from "../../diagnostics/readings.ts";
import type { Dialect } from "../../dialect.ts";
import { definitionsIn } from "../../preprocess/macros/definitions-in.ts";
import { gpuWordsOf, qualifierOf } from "../../qualifiers.ts";
import { spellWordIn } from "../../rules/fixes/spaces.ts";
import { builtinFunctionNames, overloadsOf, prelude } from "../../semantics/builtins/index.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { spell } from "../../semantics/types/types.ts";
import { type Files, textOf } from "../../source.ts";
import { labelsOf } from "../hover/dialects.ts";
import { functionSignature, variableSignature } from "../hover/signature.ts";
import { scopeSpanOf } from "../names/scopes.ts";
import { type CodeToken, codeTokens, type Position, positionAt } from "../names/tokens.ts";
import { membersAt, visibleVariable } from "./members.ts";
import { headersOf, macrosIn } from "./symbols.ts";
import { keywordsIn, typeWordsOf } from "./type-words.ts";
import { type WrittenNames, writtenNames } from "./written-names.ts";

/** How many characters of a macro's definition a list can show. */
const longestDetail = 60;

/** A word that may stand at the place. */
export interface CompletionEntry {
  readonly kind: "keyword" | "word" | "type" | "function" | "builtin" | "variable" | "constant" | "member" | "macro" | "text";
  readonly label: string;
  readonly detail: string;
  /** Markdown. */
  readonly documentation?: string;
  /** It is declared in the function around the place. */
  readonly isLocal?: true;
  /** Lower ranks are shown first. */
  readonly rank?: number;
}

/**
 * The words that may stand at an offset, each once, with the best rank first. The language has many functions, so the client requests
 * their signatures one by one.
 */
export function completionsAt({ readings }: ReadFile, text: string, offset: number, files?: Files): readonly CompletionEntry[] {
  const [reading] = readings;
  const dialects = readings.map(({ dialect }) => dialect);
  const position = positionAt(text, offset);
  if (reading === undefined || position === undefined) return [];
  const { before, parameters } = position;
  // The dot of a number has no members.
  if (before?.kind === "literal" && before.end === offset) return [];
  const written = writtenNames(text, offset);
  if (before?.text === "." || before?.text === "->") return membersFor(reading, text, offset, written);
  const isTypeAhead = before !== undefined && before.kind === "word" && !isQualifying(before, dialects);
  const inBody = position.depth > 0;
  const isOpenCL = reading.dialect.language === "opencl";
  const own = isTypeAhead
    ? []
    : [
        ...(inBody ? names(reading, text, offset, parameters) : []),
        ...(inBody || isOpenCL ? macros(reading, text, files) : []),
        ...(isOpenCL ? declaredNames(reading, inBody) : []),
        ...types(position, reading, dialects),
      ];
  const language = isTypeAhead || !inBody ? [] : [...languageFunctions(dialects), ...(isOpenCL ? constants(reading) : [])];
  const others = isOpenCL ? otherWords(reading, offset, written, isTypeAhead) : [];
  const all = [
    ...(isTypeAhead ? [] : qualifiersFor(position, reading, dialects)),
    ...(before?.text === "*" ? pointerWords(reading.dialect) : []),
    ...own,
    ...language,
    ...others,
  ];
  const found = new Map<string, CompletionEntry>();
  for (const entry of all) if (!found.has(entry.label)) found.set(entry.label, entry);
  return [...found.values()].map((entry) => ({ ...entry, rank: rankOf(entry, written) }));
}

/**
 * Words that the file uses elsewhere and that nothing else offers: the build may define them, or the author is about to declare them. A
 * name of a closed block means nothing here, but a declaration may use it again.
 */
function otherWords(reading: Reading, offset: number, { names: used }: WrittenNames, isDeclaring: boolean): readonly CompletionEntry[] {
  const closed = reading.facts.variables.flatMap(({ variable }) => (isVisible(variable, offset) ? [] : [variable.name]));
  // A declarator's name is neither a type nor a keyword.
  const hidden = new Set(isDeclaring ? ["void", ...typeWordsOf(reading.dialect), ...keywordsIn("body")] : closed);
  return [...used]
    .filter((label) => !hidden.has(label) && qualifierOf(label) === undefined && !gpuWordsOf("opencl").includes(`__${label}`))
    .map((label) => ({ kind: "text", label, detail: "used in this file" }));
}

/** Locals before other names of the program, and these before the many names of the language, unless the file uses one already. */
function rankOf({ kind, label, isLocal }: CompletionEntry, { names: used }: WrittenNames): number {
  if (kind === "keyword" || isLocal === true) return 0;
  if (kind === "word" || kind === "text") return 2;
  if (kind === "builtin" || (kind === "type" && !used.has(label))) return used.has(label) ? 2 : 3;
  return 1;
}

/** Members after a dot or an arrow: those of the object's type, or if that is unknown, those that the program and the file name. */
function membersFor(reading: Reading, text: string, offset: number, written: WrittenNames): readonly CompletionEntry[] {
  const variableOf = visibleVariable(reading, (variable) => isVisible(variable, offset));
  const known = membersAt(text, offset, variableOf);
  if (known.length > 0) {
    const labels = new Set(known.map(({ label }) => label));
    const swizzles = known.some(({ label }) => label === "lo" || label === "x")
      ? [...written.members].filter((name) => !labels.has(name))
      : [];
    return [
      ...known.map((entry): CompletionEntry => ({ kind: "member", ...entry, rank: 0 })),
      ...swizzles
        .filter((name) => /^(?:[xyzw]+|[rgba]+|s[0-9a-fA-F]+)$/.test(name))
        .map((label): CompletionEntry => ({ kind: "member", label, detail: "components", rank: 1 })),
    ];
  }
  const members = reading.facts.records.flatMap((record) =>
    (record.members ?? []).map(
      (member): CompletionEntry => ({ kind: "member", label: member.name, detail: variableSignature(member), rank: 1 }),
    ),
  );
  const others = [...written.members].map((label): CompletionEntry => ({ kind: "member", label, detail: "used in this file", rank: 2 }));
  return [...new Map([...others, ...members].filter(({ label }) => label !== "").map((entry) => [entry.label, entry])).values()];
}

/** Functions, variables and enumerators that headers declare, whether the file uses them or not. */
function declaredNames({ names: program }: Reading, inBody: boolean): readonly CompletionEntry[] {
  if (program === undefined || !inBody) return [];
  return [...program.all()].flatMap((label): readonly CompletionEntry[] => {
    const [symbol] = program.of(label);
    switch (symbol?.kind) {
      case "function": {
        const [first] = symbol.declarations;
        return first === undefined || symbol.isBuiltin || first.execution.kernel
          ? []
          : [{ kind: "function", label, detail: functionSignature(symbol, first, "").replace(/\s+/g, " ") }];
      }
      case "variable":
        return symbol.place.unit.uri.startsWith("builtin:") ? [] : [{ kind: "variable", label, detail: variableSignature(symbol) }];
      case "typedef":
        return [{ kind: symbol.isBuiltin ? "builtin" : "type", label, detail: spell(symbol.type) }];
      case "record":
        return [{ kind: symbol.isBuiltin ? "builtin" : "type", label, detail: symbol.key }];
      case "enumerator":
        return [{ kind: symbol.place.unit.uri.startsWith("builtin:") ? "builtin" : "constant", label, detail: "enumerator" }];
      default:
        return [];
    }
  });
}

/** The constants that the language defines as macros, and the functions whose names contain types. */
function constants({ dialect }: Reading): readonly CompletionEntry[] {
  const macrosOfLanguage = definitionsIn(prelude(dialect).text).map(({ name }) => name);
  const converted = typeWordsOf(dialect).filter((name) => /^(?:u?(?:char|short|int|long)|float|double|half)\d*$/.test(name));
  const functions = converted.flatMap((type) => [
    `as_${type}`,
    `convert_${type}`,
    `convert_${type}_sat`,
    `convert_${type}_rte`,
    `convert_${type}_rtz`,
  ]);
  return [...macrosOfLanguage, "true", "false", ...functions].map((label) => ({ kind: "builtin", label, detail: "OpenCL C" }));
}

/** The signatures of a function of the language, and the address spaces of its pointers. */
export function describeBuiltin(name: string, { readings }: ReadFile): string | undefined {
  const lines = overloadsOf(
    name,
    readings.map(({ dialect }) => dialect),
  );
  if (lines.length === 0) return undefined;
  const shown = lines.length > 6 ? [...lines.slice(0, 6), `// and ${lines.length - 6} more`] : lines;
  return `\`\`\`c\n${shown.join("\n")}\n\`\`\``;
}

/** True for a word after which another qualifier or a type may follow. */
function isQualifying({ text }: CodeToken, dialects: readonly Dialect[]): boolean {
  const isReturn = text === "return" || text === "else" || text === "do" || text === "case";
  return (
    isReturn ||
    spaceWords(dialects).some((word) => word === text || word.replace(/^__/, "") === text) ||
    /^(const|volatile|static|extern|inline|typedef|unsigned|signed|struct)$/.test(text)
  );
}

/** The qualifying words of all standards that judge the file. */
function spaceWords(dialects: readonly Dialect[]): readonly string[] {
  const language = dialects.some((dialect) => dialect.language === "cuda") ? "cuda" : "opencl";
  return gpuWordsOf(language).filter((word) => word !== "__generic" || dialects.some(hasGeneric));
}

function hasGeneric(dialect: Dialect): boolean {
  return dialect.language === "opencl" && dialect.genericAddressSpace;
}

/** The qualifiers that may stand at the place. */
function qualifiersFor({ depth, open, before }: Position, reading: Reading, dialects: readonly Dialect[]): readonly CompletionEntry[] {
  const around = open.at(-1)?.sign;
  const isParameter = depth === 0 && around === "(";
  const isFileScope = depth === 0 && around === undefined;
  // In a body, a declaration begins a statement, and a type may stand in parentheses.
  const mayDeclare = isFileScope || isParameter || /^[;{}(]$/.test(before?.text ?? ";") || (before !== undefined && before.kind === "word");
  if (!mayDeclare) return [];
  const fits = (word: string): boolean => {
    switch (qualifierOf(word)?.roles[0]) {
      case "annotation":
      case "access":
        return isParameter;
      case "address-space":
        return true;
      default:
        return word === "__shared__" ? depth > 0 : isFileScope;
    }
  };
  const words = spaceWords(dialects).filter(fits);
  return words.map((word): CompletionEntry => {
    const { seen, lives } = qualifierOf(word)?.documentation ?? {};
    const documentation = seen === undefined || seen === "" ? undefined : `Seen by ${seen}.\n\nLives ${lives}.`;
    return {
      kind: "keyword",
      label: spellWordIn(reading.unit, word),
      detail: word === "__generic" ? `${whatItIs(word)}, ${labelOf(dialects.filter(hasGeneric), dialects)}` : whatItIs(word),
      ...(documentation === undefined ? {} : { documentation }),
    };
  });
}

function whatItIs(word: string): string {
  const [role] = qualifierOf(word)?.roles ?? [];
  return role === undefined ? "qualifier" : role.replace("-", " ");
}

function pointerWords({ language }: Dialect): readonly CompletionEntry[] {
  const restrict = language === "cuda" ? "__restrict__" : "restrict";
  return ["const", restrict, "volatile"].map((label) => ({ kind: "keyword", label, detail: "of the pointer itself" }));
}

/** The types that may stand at the place, and the keywords of C. */
function types({ depth, open }: Position, { facts }: Reading, dialects: readonly Dialect[]): readonly CompletionEntry[] {
  if (!dialects.some(({ language }) => language === "opencl")) return [];
  const place = depth > 0 ? "body" : open.at(-1)?.sign === "(" ? "parameters" : "file";
  const own = [
    ...facts.typedefs.map(({ name, type }) => ({ label: name, detail: spell(type) })),
    ...facts.records.flatMap(({ tag, key }) => (tag === undefined ? [] : [{ label: tag, detail: key }])),
  ];
  const language = new Set(dialects.flatMap(typeWordsOf));
  return [
    ...own.map((entry): CompletionEntry => ({ kind: "type", ...entry })),
    ...[...language].map((label): CompletionEntry => ({ kind: "type", label, detail: "type" })),
    ...keywordsIn(place).map((label): CompletionEntry => ({ kind: "word", label, detail: "keyword" })),
  ];
}

function isVisible(variable: VariableSymbol, offset: number): boolean {
  if (variable.scope === "member" || variable.place.unit.uri.startsWith("builtin:")) return false;
  if (variable.scope === "program") return true;
  const span = scopeSpanOf(variable);
  if (span === undefined) return false;
  const { unit } = variable.place;
  const { location } = unit.view.origin(span);
  return location.span.start <= offset && offset <= location.span.end;
}

/** `parameters` are those of the macro that is being defined, which may name the variables of any function that uses it. */
function names(reading: Reading, text: string, offset: number, parameters: readonly string[] | undefined): readonly CompletionEntry[] {
  const { facts } = reading;
  const found = new Map<string, CompletionEntry>();
  const add = (entry: CompletionEntry) => {
    if (entry.label !== "" && !found.has(entry.label)) found.set(entry.label, entry);
  };
  for (const label of parameters ?? []) add({ kind: "variable", label, detail: "parameter of the macro" });
  for (const { variable } of facts.variables) {
    const mayBeNamed = parameters !== undefined && variable.scope !== "member" && !variable.place.unit.uri.startsWith("builtin:");
    if (!mayBeNamed && !isVisible(variable, offset)) continue;
    const kind = variable.type.qualifiers.const ? "constant" : "variable";
    add({ kind, label: variable.name, detail: variableSignature(variable), ...(variable.scope === "program" ? {} : { isLocal: true }) });
  }
  for (const symbol of facts.functions) {
    const [first] = symbol.declarations;
    if (first === undefined || symbol.isBuiltin || symbol.lambda !== undefined || first.execution.kernel) continue;
    add({ kind: "function", label: symbol.name, detail: functionSignature(symbol, first, "").replace(/\s+/g, " ") });
  }
  for (const name of declaredInFront(text, offset)) add({ kind: "variable", label: name, detail: "", isLocal: true });
  return [...found.values()];
}

function macros({ unit }: Reading, text: string, files: Files | undefined): readonly CompletionEntry[] {
  const ofHeaders = files === undefined ? [] : headersOf(unit).map((uri) => textOf(files, uri));
  return [text, ...ofHeaders].flatMap((each, index) =>
    macrosIn(each).flatMap(({ name, span, line }): CompletionEntry[] => {
      const says = each.slice(span.start, line.end).replace(/\s+/g, " ");
      // Include guards are not offered.
      if (index > 0 && says === name) return [];
      return [{ kind: "macro", label: name, detail: says.length > longestDetail ? `${says.slice(0, longestDetail)}…` : says }];
    }),
  );
}

/** The names of every standard, each with the standards that have it. */
function languageFunctions(dialects: readonly Dialect[]): readonly CompletionEntry[] {
  const having = new Map<string, Dialect[]>();
  for (const dialect of dialects)
    for (const name of builtinFunctionNames(dialect)) having.set(name, [...(having.get(name) ?? []), dialect]);
  return [...having].map(([label, own]) => ({ kind: "builtin", label, detail: labelOf(own, dialects) }));
}

/** `OpenCL C` if all standards are meant, otherwise their names. */
function labelOf(some: readonly Dialect[], all: readonly Dialect[]): string {
  if (all.length > 1 && some.length === all.length) return "OpenCL C";
  // If 3.0 has the name without an optional feature, it has it with the feature too.
  return labelsOf(some.filter(({ label }) => !some.some((other) => label.startsWith(`${other.label} `))));
}

/**
 * The names that the enclosing function declares before the offset. They are found by their words, because the function is not
 * parsed until its closing brace is typed.
 */
function declaredInFront(text: string, offset: number): readonly string[] {
  const tokens = codeTokens(text).filter(({ kind, end }) => kind !== "comment" && end < offset);
  let depth = 0;
  let start = 0;
  for (const [index, { text: sign }] of tokens.entries()) {
    if (sign === "{") depth += 1;
    else if (sign === "}" || sign === ";") {
      if (sign === "}") depth = Math.max(0, depth - 1);
      if (depth === 0) start = index + 1;
    }
  }
  const own = tokens.slice(start);
  /** The names of each open block. */
  const open: string[][] = [[]];
  for (const [index, { kind, text: word }] of own.entries()) {
    if (word === "{") open.push([]);
    else if (word === "}" && open.length > 1) open.pop();
    const before = own[index - 1];
    const isDeclared =
      kind === "word" &&
      (before?.text === "*" || (before?.kind === "word" && before.text !== "return")) &&
      /^[,)=;[]$/.test(own[index + 1]?.text ?? "");
    if (isDeclared) open[open.length - 1]?.push(word);
  }
  return open.flat();
}
