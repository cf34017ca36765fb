/**
 * Puts names in place of the parts of a literal that only the running program knows, so that the rest can be judged: a name that
 * nothing declares is unknown to every rule. The same expression gets the same name. A part that may consist of whole declarations
 * outside of functions is left out, because what it declares is unknown as well. One that may consist of statements is refused: it may
 * write anything.
 */
import type { SourceSpan } from "../source.ts";
import type { HoleForm } from "./literal-syntax.ts";
import type { Literal, LiteralPart } from "./literals.ts";

/** A part of a text: constant, or filled in by the program. Offsets count in the value. */
interface Part {
  readonly start: number;
  readonly end: number;
  /** The constant text, or the expression. */
  readonly text: string;
  readonly isHole: boolean;
}

/** What follows the `%` of a conversion of `printf` (C11 §7.21.6.1p4). */
const specification = String.raw`[-+#0]*[\d*]*(?:\.[\d*]+)?(?:hh|ll|[hlLzjt])?[diouxXeEfFgGcrspa]`;

/** The forms of holes; each matches one, or a doubled sign that stands for itself. */
const forms: Readonly<Record<HoleForm, RegExp>> = {
  braces: /\{\{|\}\}|\{([^{}]*)\}|[{}]/g,
  "double-braces": /\{\{([^{}]*)\}\}/g,
  dollar: /\$\{((?:[^{}]|\{[^{}]{0,300}\}){0,300})\}|\$\(((?:[^()]|\([^()]{0,300}\)){0,300})\)|\$([A-Za-z_]\w*)/g,
  percent: new RegExp(String.raw`%%|%\((\w+)\)[-+ #0]*[\d*]*(?:\.[\d*]+)?[hlL]?[diouxXeEfFgGcrsa]|%()${specification}|%`, "g"),
};

/** A text with more holes is not judged. */
const mostHoles = 200;

/** Words after which no binary operator can stand. */
const beforeOperand =
  "(?:__)?(?:kernel|global|local|constant|private|read_only|write_only|read_write)|const|volatile|restrict|void|return|struct|unsigned|signed|static|inline|typedef|case";
/** A conversion of `printf` where a remainder has no left operand; comments and literals are skipped. */
const conversion = new RegExp(
  String.raw`\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|((?:^|[([{},;:=<>+*/&|^!~?-]|\b(?:${beforeOperand}))\s*%(?:\(\w+\))?${specification})`,
  "g",
);

/** True for a text that is certainly meant for a function like `printf`: its percent signs cannot all be operators. */
function isFormat(text: string): boolean {
  return text.includes("%") && [...text.matchAll(conversion)].some(([, found]) => found !== undefined);
}

/** A hole of a template whose text no operator marks: that of Python's `string.Template`, of Mako and of many programs. */
const templateHole = /\$\{\s*[A-Za-z_]/;

/** How a text marks its holes that its program fills in later, as far as the text shows it for certain: C has neither form. */
export function formOfText(text: string): HoleForm | undefined {
  if (isFormat(text)) return "percent";
  return templateHole.test(text) ? "dollar" : undefined;
}

/** True for a text with the holes of Python's `string.Template`, `$name` or `${name}`. Only a call shows that `$name` is not a name of C. */
export function hasDollarHoles(text: string): boolean {
  return /\$(?:\{\s*)?[A-Za-z_]/.test(text);
}

/** The literal with names in place of its holes; broken if the holes are malformed, or may be anything. */
export function withNamedHoles(literal: Literal, form: HoleForm): Literal {
  return literalsWithNamedHoles([literal], form)[0] ?? literal;
}

/** The same for the literals that form one text. */
export function literalsWithNamedHoles(literals: readonly Literal[], form: HoleForm): readonly Literal[] {
  if (literals.some(({ isBroken }) => isBroken === true)) return literals;
  const parts = literals.map(({ value }) => partsOf(value, form));
  const fillings = parts.every((each) => each !== undefined) ? fillingsOf(literals, parts) : undefined;
  if (fillings === undefined) return literals.map((literal) => ({ ...literal, hasHoles: true, isBroken: true }));
  return literals.map((literal, index) => filled(literal, parts[index] ?? [], fillings));
}

/** The constant text of each part, or what stands in its place; undefined if a part may be statements. */
function fillingsOf(literals: readonly Literal[], parts: readonly (readonly Part[])[]): ReadonlyMap<Part, string> | undefined {
  const whole = literals.map(({ value }) => value).join("");
  const names = namesFor(parts.flat());
  if (names.size > mostHoles) return undefined;
  const found = new Map<Part, string>();
  let depth = 0;
  let at = 0;
  for (const [index, { value }] of literals.entries()) {
    for (const part of parts[index] ?? []) {
      const name = names.get(part);
      if (name === undefined) depth += depthAdded(part.text);
      const mayDeclare = name !== undefined && mayBeStatements(whole, { start: at + part.start, end: at + part.end });
      if (mayDeclare && depth !== 0) return undefined;
      found.set(part, mayDeclare ? "" : (name ?? part.text));
    }
    at += value.length;
  }
  return found;
}

/** How many brackets a text leaves open. */
function depthAdded(text: string): number {
  let depth = 0;
  for (const [sign] of text.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|[{}()]/g)) {
    if (sign === "{" || sign === "(") depth += 1;
    else if (sign === "}" || sign === ")") depth -= 1;
  }
  return depth;
}

function filled(literal: Literal, parts: readonly Part[], fillings: ReadonlyMap<Part, string>): Literal {
  const inside = piecesInOrder(literal.pieces);
  let value = "";
  const pieces: LiteralPart[] = [];
  for (const part of parts) {
    const text = fillings.get(part) ?? "";
    const own = inside(part);
    if (text !== "") append(pieces, own, part, value.length, text.length);
    value += text;
  }
  const spelling = { ...literal.spelling, hasHoles: true };
  return { ...literal, value, pieces, spelling, hasHoles: literal.hasHoles || parts.some(({ isHole }) => isHole) };
}

function partsOf(value: string, form: HoleForm): readonly Part[] | undefined {
  const parts: Part[] = [];
  let at = 0;
  for (const match of value.matchAll(forms[form])) {
    const [whole, ...groups] = match;
    const { index } = match;
    if (index > at) parts.push({ start: at, end: index, text: value.slice(at, index), isHole: false });
    at = index + whole.length;
    const expression = groups.find((group) => group !== undefined);
    if (expression !== undefined) parts.push({ start: index, end: at, text: expression, isHole: true });
    else if (whole.length === 2) parts.push({ start: index, end: at, text: whole.slice(1), isHole: false });
    else return undefined;
  }
  if (at < value.length) parts.push({ start: at, end: value.length, text: value.slice(at), isHole: false });
  return parts;
}

/**
 * True for a hole that stands where a statement or a declaration may stand, with nothing of one around it, and for one in a condition
 * of the preprocessor.
 */
function mayBeStatements(value: string, { start, end }: SourceSpan): boolean {
  const line = value.slice(value.lastIndexOf("\n", start - 1) + 1, start);
  if (/^[ \t]*#[ \t]*(?:el)?if/.test(line)) return true;
  if (/^[ \t]*#/.test(line)) return false;
  const before = value.slice(Math.max(0, start - nearby), start);
  if (!/[;{})]/.test(before.trimEnd().at(-1) ?? ";") && !/(?:^|\n)[ \t]*$/.test(before)) return false;
  return !/^(?:\w|[ \t]*[\w*=([.&<+-])/.test(value.slice(end, end + nearby));
}

/** How much text around a hole is looked at. */
const nearby = 200;

/** A name for each hole: its expression if that is a name, in capitals, with an underscore so that the text does not have it. */
function namesFor(parts: readonly Part[]): ReadonlyMap<Part, string> {
  const constant = parts.map(({ text, isHole }) => (isHole ? "" : text)).join(" ");
  const byExpression = new Map<string, string>();
  const found = new Map<Part, string>();
  for (const part of parts) {
    if (!part.isHole) continue;
    const expression = part.text.replace(/(?:![rsa])?(?::[^:]*)?$/, "").trim();
    let name = byExpression.get(expression);
    if (name === undefined || expression === "") {
      const plain = /^[A-Za-z_]\w*$/.test(expression) ? expression.toUpperCase() : `VALUE_${byExpression.size + 1}`;
      name = `${plain}_`;
      while (constant.includes(name) || [...byExpression.values()].includes(name)) name += "_";
      byExpression.set(expression === "" ? `${found.size} ` : expression, name);
    }
    found.set(part, name);
  }
  return found;
}

/** Adds the pieces of a part: those of a constant text as they were, and one for a hole or a doubled sign. */
function append(pieces: LiteralPart[], inside: readonly LiteralPart[], part: Part, at: number, length: number): void {
  const { start, end } = part;
  const isVerbatim = !part.isHole && end - start === length;
  if (!isVerbatim) {
    const [first] = inside;
    const last = inside.at(-1);
    if (first === undefined || last === undefined) return;
    const host = hostOf(first, start);
    pieces.push({ at, length, host, hostLength: hostOf(last, end) - host });
    return;
  }
  for (const piece of inside) {
    const from = Math.max(piece.at, start);
    const to = Math.min(piece.at + piece.length, end);
    const isEscape = piece.length !== piece.hostLength;
    const host = isEscape ? piece.host : piece.host + from - piece.at;
    pieces.push({ at: at + from - start, length: to - from, host, hostLength: isEscape ? piece.hostLength : to - from });
  }
}

/** Finds the pieces of parts that follow each other. */
function piecesInOrder(pieces: readonly LiteralPart[]): (part: Part) => readonly LiteralPart[] {
  let first = 0;
  return ({ start, end }) => {
    for (let piece = pieces[first]; piece !== undefined && piece.at + piece.length <= start; piece = pieces[first]) first += 1;
    let last = first;
    for (let piece = pieces[last]; piece !== undefined && piece.at < end; piece = pieces[last]) last += 1;
    return pieces.slice(first, last);
  };
}

/** The place in the host's text of an offset in a piece's value. */
function hostOf({ at, length, host, hostLength }: LiteralPart, offset: number): number {
  if (offset >= at + length) return host + hostLength;
  return length === hostLength ? host + Math.max(0, offset - at) : host;
}
