/**
 * Completes words: qualifiers where a declaration or a type may stand, functions of the language and names of the file where an
 * expression may. It looks at the preceding words, because half-typed code has no better structure.
 */
import type { ReadFile, Reading } from "../../diagnostics/readings.ts";
import type { Dialect } from "../../dialect.ts";
import { gpuWordsOf, qualifierOf } from "../../qualifiers.ts";
import { spellWordIn } from "../../rules/fixes/spaces.ts";
import { builtinFunctionNames, overloadsOf } from "../../semantics/builtins/index.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { spell } from "../../semantics/types/types.ts";
import type { Files } from "../../source.ts";
import { labelsOf } from "../hover/dialects.ts";
import { functionSignature, variableSignature } from "../hover/signature.ts";
import { membersAt, visibleVariable } from "./members.ts";
import { headersOf, macrosIn, textOf } from "./symbols.ts";
import { type CodeToken, codeTokens, type Position, positionAt } from "./tokens.ts";
import { keywordsIn, typeWordsOf } from "./type-words.ts";

/** How many characters of a macro's definition a list can show. */
const longestDetail = 60;

/** A word that may stand at the place. */
export interface CompletionEntry {
  readonly kind: "keyword" | "word" | "type" | "function" | "builtin" | "variable" | "constant" | "member" | "macro";
  readonly label: string;
  readonly detail: string;
  /** Markdown. */
  readonly documentation?: string;
}

/** The words that may stand at an offset. The language has many functions, so the client requests their signatures one by one. */
export function completionsAt({ readings }: ReadFile, text: string, offset: number, files?: Files): readonly CompletionEntry[] {
  const [reading] = readings;
  const dialects = readings.map(({ dialect }) => dialect);
  const position = positionAt(text, offset);
  if (reading === undefined || position === undefined) return [];
  const { before, parameters } = position;
  // The dot of a number has no members.
  if (before?.kind === "literal" && before.end === offset) return [];
  if (before?.text === "." || before?.text === "->") {
    const variableOf = visibleVariable(reading, (variable) => isVisible(variable, reading, offset));
    return membersAt(text, offset, variableOf).map((entry) => ({ kind: "member", ...entry }));
  }
  const isTypeAhead = before !== undefined && before.kind === "word" && !isQualifying(before, dialects);
  const inBody = position.depth > 0;
  const named = inBody ? [...names(reading, text, offset, parameters), ...macros(reading, text, files)] : [];
  const found = isTypeAhead ? [] : [...named, ...types(position, reading, dialects)];
  const own = [...new Map(found.map((entry) => [entry.label, entry])).values()];
  const isOwn = new Set(own.map(({ label }) => label));
  return [
    ...(isTypeAhead ? [] : qualifiersFor(position, reading, dialects)),
    ...(before?.text === "*" ? pointerWords(reading.dialect) : []),
    ...own,
    ...(position.depth > 0 && !isTypeAhead ? languageFunctions(dialects).filter(({ label }) => !isOwn.has(label)) : []),
  ];
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

function isVisible(variable: VariableSymbol, reading: Reading, offset: number): boolean {
  if (variable.scope === "member" || variable.place.unit.uri.startsWith("builtin:")) return false;
  return variable.scope === "program" || isAround(variable.owner, reading, offset);
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
    if (!mayBeNamed && !isVisible(variable, reading, offset)) continue;
    add({ kind: variable.type.qualifiers.const ? "constant" : "variable", label: variable.name, detail: variableSignature(variable) });
  }
  for (const symbol of facts.functions) {
    const [first] = symbol.declarations;
    if (first === undefined || symbol.isBuiltin || symbol.lambda !== undefined || first.execution.kernel) continue;
    add({ kind: "function", label: symbol.name, detail: functionSignature(symbol, first, "").replace(/\s+/g, " ") });
  }
  for (const name of declaredInFront(text, offset)) add({ kind: "variable", label: name, detail: "" });
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
  return own.flatMap(({ kind, text: word }, index) => {
    const before = own[index - 1];
    const isDeclared =
      kind === "word" &&
      (before?.text === "*" || (before?.kind === "word" && before.text !== "return")) &&
      /^[,)=;[]$/.test(own[index + 1]?.text ?? "");
    return isDeclared ? [word] : [];
  });
}

/** True if the body of the function that declares a variable contains the offset. */
function isAround(owner: Reading["facts"]["functions"][number] | undefined, { unit }: Reading, offset: number): boolean {
  return (
    owner?.declarations.some(({ body, place }) => {
      if (body === undefined) return false;
      const { location } = place.unit.view.origin({ start: place.span.start, end: Math.max(place.span.end, body.span.end) });
      return location.uri === unit.uri && location.span.start <= offset && offset <= location.span.end;
    }) === true
  );
}
