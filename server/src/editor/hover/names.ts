/**
 * Explains names that are not in an address space of their own: plain variables, members, types, macros, functions of the language, and
 * words that the program does not declare. One signature and at most three lines: size, place in memory, where it is defined.
 */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import type { Dialect } from "../../dialect.ts";
import { baseNameOf } from "../../names.ts";
import { fileOf } from "../../preprocess/row.ts";
import { locationInFile } from "../../preprocess/unit-row.ts";
import { qualifierOf } from "../../qualifiers.ts";
import { overloadsOf, prelude } from "../../semantics/builtins/index.ts";
import { alignOf, layoutOf, sizeOf } from "../../semantics/types/layout.ts";
import type { FunctionSymbol, RecordSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { type Files, type Location, textOf } from "../../source.ts";
import { componentIndices } from "../names/components.ts";
import { isKeyword } from "../names/keywords.ts";
import { type DeclaredSymbol, type MacroInFile, type Meaning, placesOf, type VectorType } from "../names/meaning.ts";
import { neighborDeclarations } from "../names/neighbor-names.ts";
import type { Explanation } from "./explanation.ts";
import { calledFirst, mainDeclaration } from "./functions.ts";
import { code } from "./markdown.ts";
import { functionSignature, typedefSignature, valueText, variableSignature } from "./signature.ts";
import { attributeTexts, constantTexts } from "./word-texts.ts";

/** How many members or lines of a macro a signature shows. */
const mostShown = 8;
/** How many overloads of a function a signature shows. */
const overloadsShown = 3;

/** Texts, and where a source in a literal is in its host's. */
export interface PlacedFiles {
  readonly files: Files;
  locate(place: Location): Location;
}

/**
 * Explains a meaning of `name`; undefined if there is nothing to say, as about keywords. `callee` is the function that is called there.
 */
export function explainMeaning(
  name: string,
  meaning: Meaning,
  reading: AnalyzedUnit,
  dialects: readonly Dialect[],
  sources: PlacedFiles,
  callee: (() => FunctionSymbol | undefined) | undefined,
): Explanation | undefined {
  if (reading.dialect.language === "cuda" && !isOurSubject(meaning)) return undefined;
  const constant = constantTexts[name];
  if (meaning.kind === "undeclared" && isKeyword(name))
    return constant === undefined ? undefined : { signature: name, lines: [constant], heading: "address-spaces" };
  const heading = reading.dialect.language === "opencl" ? "address-spaces" : "memory-spaces";
  const explained = (signature: string, ...lines: readonly (string | undefined)[]): Explanation => ({ signature, lines, heading });
  switch (meaning.kind) {
    case "symbol":
      return explainSymbol(meaning.symbol, sources, explained);
    case "macro": {
      const [first, ...others] = meaning.definitions;
      if (first === undefined) return undefined;
      const known = constantTexts[name];
      if (first.uri.startsWith("builtin:")) return explained(directive(first, reading, sources), known ?? "A constant of the language");
      const more = others.length === 0 ? "" : `; ${others.length} other definition${others.length === 1 ? "" : "s"} in this program`;
      return explained(directive(first, reading, sources), `Macro, defined in ${placeOf(first.uri, first.span.start, sources)}${more}`);
    }
    case "macro-parameter":
      return explained(
        `#define ${meaning.macro.name}(${meaning.macro.parameters?.join(", ") ?? ""})`,
        `Parameter of the macro ${code(meaning.macro.name)}`,
      );
    case "some-member":
      return explained(
        [
          ...new Set(
            meaning.members.map(
              (member) => `${variableSignature(member)}; // in ${member.record?.key ?? "struct"} ${member.record?.tag ?? ""}`,
            ),
          ),
        ].join("\n"),
        "A member; the type of this object is not known here",
      );
    case "written-local":
      return explained(
        `${meaning.local.signature};`,
        `Declared in ${placeOf(meaning.uri, meaning.local.span.start, sources)}, in text that is not read here`,
      );
    case "label":
      return explained(`${name}:`, `Label, in ${placeOf(meaning.uri, meaning.span.start, sources)}`);
    case "component":
      return explained(...componentTexts(name, meaning.vector));
    case "builtin": {
      const overloads = calledFirst(overloadsOf(name, dialects), callee?.());
      const rest = overloads.length - overloadsShown;
      const shown = rest > 0 ? [...overloads.slice(0, overloadsShown), `// and ${rest} more`] : overloads;
      return explained(shown.join("\n"), reading.dialect.language === "opencl" ? "Function of OpenCL C" : "Function of CUDA");
    }
    case "type":
      return explained(name, sizeLine(meaning.type) ?? "An opaque type: only built-in functions look into it");
    case "word":
      return wordExplanation(name, explained);
    case "written":
      return explained(
        name,
        ...meaning.declarations
          .slice(0, 1)
          .map((at) => `Declared in ${placeOf(at.uri, at.span.start, sources)}, in text that is not read here`),
      );
    case "undeclared":
      return attributeTexts[name] === undefined
        ? explained(name, undeclaredLine(name, reading, sources))
        : explained(`__attribute__((${name}))`, attributeTexts[name]);
  }
}

function undeclaredLine(name: string, { dialect, unit }: AnalyzedUnit, sources: PlacedFiles): string {
  const [near] = dialect.language === "opencl" ? neighborDeclarations(name, fileOf(unit.uri), sources.files) : [];
  return near === undefined
    ? "Nothing that this file includes declares it; the build may define it, with `-D` or in another file"
    : `Nothing that this file includes declares it; ${placeOf(near.uri, near.span.start, sources)} does, if the host builds one program from both`;
}

/** In CUDA C++, clangd explains types, macros and members; variables and functions of the language are in some memory. */
function isOurSubject(meaning: Meaning): boolean {
  return meaning.kind === "builtin" || meaning.kind === "word" || (meaning.kind === "symbol" && isInMemory(meaning.symbol));
}

function isInMemory(symbol: DeclaredSymbol): boolean {
  return symbol.kind === "variable" && symbol.scope !== "member";
}

type Explain = (signature: string, ...lines: readonly (string | undefined)[]) => Explanation;

/** What words of the language mean that name no memory. */
const wordTexts = new Map([
  ["extern", 'Declared here, defined elsewhere; `extern "C"` gives functions the names that C gives them'],
  ["mutable", "May change in a const object; a lambda may change its copies"],
  ["static", "In a function, one object for all calls; outside of functions, visible in this file only"],
  ["inline", "May be defined in several files, which all have the same definition"],
  ["register", "A hint that compilers ignore"],
]);

function wordExplanation(name: string, explained: Explain): Explanation {
  const { seen, lives, costs } = qualifierOf(name)?.documentation ?? {};
  return explained(
    name,
    seen ? `Seen by ${seen}` : (wordTexts.get(name) ?? "Qualifier of the language"),
    lives ? `Lives ${lives}` : undefined,
    costs ? `Costs ${costs}` : undefined,
  );
}

function explainSymbol(symbol: DeclaredSymbol, sources: PlacedFiles, explained: Explain): Explanation {
  const from = declaredIn(symbol, sources);
  switch (symbol.kind) {
    case "variable":
      return symbol.scope === "member"
        ? explained(`${variableSignature(symbol)};`, memberLine(symbol), sizeLine(symbol.type), from)
        : explained(`${variableSignature(symbol)}${valueText(symbol)};`, kindOfVariable(symbol), sizeLine(symbol.type), from);
    case "function": {
      const declaration = mainDeclaration(symbol);
      return explained(declaration === undefined ? symbol.name : `${functionSignature(symbol, declaration, "")};`, from);
    }
    case "typedef": {
      const record = symbol.type.kind === "record" ? symbol.type.record : undefined;
      return record?.tag === symbol.name
        ? explained(recordText(record), sizeLine(symbol.type), from)
        : explained(`${typedefSignature(symbol)};`, sizeLine(symbol.type), from);
    }
    case "record":
      return explained(recordText(symbol), sizeLine({ kind: "record", record: symbol, qualifiers: noQualifiers }), from);
    case "enum":
      return explained(`enum ${symbol.tag ?? ""}`, from);
    case "enumerator":
      return explained(
        `${symbol.name}${symbol.value === undefined ? "" : ` = ${symbol.value}`}`,
        `Enumerator of ${symbol.enumeration.tag === undefined ? "an unnamed enumeration" : code(symbol.enumeration.tag)}`,
        from,
      );
  }
}

const noQualifiers = { space: undefined, const: false, volatile: false, restrict: false } as const;

function kindOfVariable({ scope, owner }: VariableSymbol): string {
  if (scope === "parameter") return owner === undefined ? "Parameter" : `Parameter of ${code(owner.name)}, private to each call`;
  if (scope === "block")
    return owner === undefined ? "Local variable" : `Local variable of ${code(owner.name)}, in registers or on the stack`;
  return "Variable outside of functions";
}

/** The signature of a vector's components, and what they are. */
function componentTexts(name: string, vector: VectorType | undefined): readonly [string, ...string[]] {
  if (vector === undefined) return [name, "Components of a vector: a part of the same object, without a copy"];
  const { element, length } = vector;
  const indices = componentIndices(name, length);
  const of = printType(unqualifiedType(vector));
  const type = of.replace(/\d+$/, indices.length === 1 ? "" : String(indices.length));
  const article = of.startsWith("int") ? "an" : "a";
  const [first = 0] = indices;
  const size = sizeOf({ kind: "arithmetic", name: element, qualifiers: noQualifiers });
  const at = size === undefined ? "" : `, at byte ${first * size} of ${(length === 3 ? 4 : length) * size}`;
  return indices.length === 1
    ? [`${type} ${name};`, `Component ${first} of ${article} ${code(of)}${at}`]
    : [`${type} ${name};`, `Components ${indices.join(", ")} of ${article} ${code(of)}`];
}

/** `Member of `S`, at byte 8 of 24`. */
function memberLine(member: VariableSymbol): string {
  const { record } = member;
  if (record === undefined) return "Member";
  const layout = layoutOf(record);
  const field = layout?.fields.find((each) => each.member === member);
  const at = layout === undefined || field === undefined ? "" : `, at byte ${field.offset} of ${layout.size}`;
  return `Member of ${record.tag === undefined ? `an unnamed ${record.key}` : code(record.tag)}${at}`;
}

function sizeLine(type: Type): string | undefined {
  const size = sizeOf(unqualifiedType(type));
  const alignment = alignOf(unqualifiedType(type));
  if (size === undefined) return undefined;
  return `${size} byte${size === 1 ? "" : "s"}${alignment === undefined ? "" : `, aligned to ${alignment}`}`;
}

function recordText({ key, tag, members }: RecordSymbol): string {
  const head = [key, tag].filter((part) => part !== undefined).join(" ");
  if (members === undefined) return `${head};`;
  const shown = members.slice(0, mostShown).map((member) => `  ${variableSignature(member)};`);
  return [`${head} {`, ...shown, ...(members.length > mostShown ? [`  // and ${members.length - mostShown} more`] : []), "};"].join("\n");
}

/** The directive on at most a few lines. */
function directive({ uri, line }: MacroInFile, { dialect }: AnalyzedUnit, sources: PlacedFiles): string {
  const text = uri.startsWith("builtin:") ? prelude(dialect).text : textOf(sources.files, uri);
  // What looks like a command to a build system, `##i[`, is not shown.
  const lines = text
    .slice(line.start, line.end)
    .replace(/[ \t]*##[ \t]*/g, " ## ")
    .split(/\r?\n/);
  return lines.length > mostShown ? [...lines.slice(0, mostShown), "…"].join("\n") : lines.join("\n");
}

function declaredIn(symbol: DeclaredSymbol, sources: PlacedFiles): string | undefined {
  const [place] = placesOf(symbol);
  if (place === undefined || place.unit.uri.startsWith("builtin:")) return undefined;
  const { uri, span } = locationInFile(place.unit, place.unit.view.origin(place.span).location);
  return `Declared in ${placeOf(uri, span.start, sources)}`;
}

/** `line 12 of types.h`. */
function placeOf(source: string, offset: number, { files, locate }: PlacedFiles): string {
  const { uri, span } = locate({ uri: source, span: { start: offset, end: offset } });
  const line = textOf(files, uri).slice(0, span.start).split("\n").length;
  return `line ${line} of ${code(baseNameOf(decodeURIComponent(uri)))}`;
}
