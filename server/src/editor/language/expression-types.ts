/**
 * Decides the type of an expression from its words, because half-typed code has no tree: variables, members, components, elements, calls,
 * casts and operators. Undefined where the words do not tell.
 */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { overloadsOf } from "../../semantics/builtins/index.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { openclTypeOfName, typeOfPrimitive } from "../../semantics/types/type-names.ts";
import { arithmetic, pointerTo, printType, type Type, unqualified, unqualifiedType } from "../../semantics/types/types.ts";
import { componentIndices, isComponentName } from "../names/components.ts";
import { bareTypes } from "../names/spelled-types.ts";
import type { CodeToken } from "../names/tokens.ts";

/** The names that an expression may contain. */
export interface KnownNames {
  variableOf(name: string): VariableSymbol | undefined;
  /** The type of this name. */
  typeOf(name: string): Type | undefined;
  /** What a function of this name returns for arguments of these types. */
  resultOf(name: string, given: readonly (Type | undefined)[]): Type | undefined;
}

/** The names of a program. `variableOf` gives the visible variable of a name. */
export function knownNames({ facts, names, dialect }: AnalyzedUnit, variableOf: KnownNames["variableOf"]): KnownNames {
  return {
    variableOf,
    typeOf(name) {
      const known = dialect.language === "opencl" ? openclTypeOfName(name) : undefined;
      if (known !== undefined) return known;
      for (const symbol of names?.of(name) ?? []) {
        if (symbol.kind === "typedef") return symbol.type;
        if (symbol.kind === "record") return { kind: "record", record: symbol, qualifiers: unqualified };
      }
      const own = facts.typedefs.find((symbol) => symbol.name === name);
      return own?.type;
    },
    resultOf(name, given) {
      const own = facts.functions.find((symbol) => symbol.name === name && !symbol.isBuiltin);
      if (own !== undefined) return own.type.result;
      const converted = /^(?:as|convert)_([a-z]+\d*?)(?:_sat)?(?:_rt[ezpn])?$/.exec(name)?.[1];
      if (converted !== undefined) return openclTypeOfName(converted);
      return resultOfOverload(overloadsOf(name, [dialect]), given);
    },
  };
}

/** The result of the overload that fits most arguments; undefined if none does and the overloads have different results. */
function resultOfOverload(overloads: readonly string[], given: readonly (Type | undefined)[]): Type | undefined {
  const read = overloads.flatMap((line) => {
    const [, result = "", list = ""] = /^(.*?)\b\w+\((.*)\);?$/.exec(line) ?? [];
    return [{ result: bareTypes(result), parameters: list.split(",").map(bareTypes) }];
  });
  const spelled = given.map((type) => (type === undefined ? undefined : bareTypes(printType(unqualifiedType(type)))));
  const score = ({ parameters }: { readonly parameters: readonly string[] }) =>
    parameters.filter((parameter, index) => spelled[index] !== undefined && parameter === spelled[index]).length;
  const [first, ...others] = read;
  if (first === undefined) return undefined;
  const best = others.reduce((now, next) => (score(next) > score(now) ? next : now), first);
  return score(best) > 0 || new Set(read.map(({ result }) => result)).size === 1 ? openclTypeOfName(best.result) : undefined;
}

/** The type of the value that ends in front of a token: of `p->at` in `x = y + p->at .`. */
export function typeBefore(tokens: readonly CodeToken[], end: number, known: KnownNames): Type | undefined {
  const start = startOfValue(tokens, end);
  return start === undefined ? undefined : typeOfTokens(tokens.slice(start, end), known);
}

/** The index of the first token of a value with its subscripts, calls and members; undefined if there is none. */
function startOfValue(tokens: readonly CodeToken[], end: number): number | undefined {
  for (let at = end - 1; at >= 0; ) {
    const { kind, text } = tokens[at] ?? { kind: "sign", text: "" };
    if (text === "]") at = openBefore(tokens, at) - 1;
    else if (text === ")") {
      const open = openBefore(tokens, at);
      const before = tokens[open - 1];
      if (before?.kind === "word" && !/^(?:return|if|while|for|switch|case|sizeof)$/.test(before.text)) at = open - 1;
      // A cast, or a vector's literal: `(float4)(0)`.
      else return before?.text === ")" ? openBefore(tokens, open - 1) : open;
    } else if (kind === "word") {
      const sign = tokens[at - 1]?.text;
      if (sign !== "." && sign !== "->") return at;
      at -= 2;
    } else return undefined;
  }
  return undefined;
}

/** The index of the bracket that belongs to a closing one; 0 if there is none. */
function openBefore(tokens: readonly CodeToken[], from: number): number {
  let depth = 0;
  for (let at = from; at > 0; at -= 1) {
    const { text } = tokens[at] ?? { text: "" };
    if (/^[)\]}]$/.test(text)) depth += 1;
    else if (/^[([{]$/.test(text) && --depth === 0) return at;
  }
  return 0;
}

/** The number of tokens above which an expression has no type: each bracket takes a call of these functions. */
const longest = 400;

/** The type of an expression that consists of these tokens. */
export function typeOfTokens(tokens: readonly CodeToken[], known: KnownNames): Type | undefined {
  if (tokens.length > longest) return undefined;
  const [operand, operators] = [{ at: 0 }, [] as string[]];
  let type = unary(tokens, operand, known);
  while (operand.at < tokens.length) {
    let operator = "";
    while (operand.at < tokens.length && /^[-+*/%&|^<>=!?:,]$/.test(tokens[operand.at]?.text ?? "") && operator.length < 2) {
      const sign = tokens[operand.at]?.text ?? "";
      if (operator !== "" && sign !== operator && sign !== "=") break;
      operator += sign;
      operand.at += 1;
    }
    if (operator === "") return undefined;
    const right = unary(tokens, operand, known);
    type = operator === "," || operator === "?" ? right : combined(type, right);
    operators.push(operator);
  }
  // A comparison has an integer type, which depends on its operands.
  return operators.some((each) => /^(?:[<>]=?|[=!]=|&&|\|\||=)$/.test(each) && !operators.includes("?")) ? undefined : type;
}

function combined(left: Type | undefined, right: Type | undefined): Type | undefined {
  if (left?.kind === "vector" || right?.kind === "vector") return left?.kind === "vector" ? left : right;
  if (left?.kind === "pointer" || right?.kind === "pointer") return left?.kind === "pointer" ? left : right;
  if (left?.kind === "array") return pointerTo(left.element);
  return left !== undefined && right !== undefined && printType(unqualifiedType(left)) === printType(unqualifiedType(right))
    ? left
    : undefined;
}

/** The type of an operand with its signs in front, and what follows it; `from.at` moves behind it. */
function unary(tokens: readonly CodeToken[], from: { at: number }, known: KnownNames): Type | undefined {
  const token = tokens[from.at];
  if (token === undefined) return undefined;
  from.at += 1;
  if (token.text === "*") return pointeeOf(unary(tokens, from, known));
  if (token.text === "&") {
    const type = unary(tokens, from, known);
    return type === undefined ? undefined : pointerTo(type);
  }
  if (/^[-+~]$/.test(token.text)) return unary(tokens, from, known);
  if (token.kind === "literal") return literalType(token.text);
  if (token.kind === "word") {
    if (tokens[from.at]?.text !== "(") return followed(known.variableOf(token.text)?.type, tokens, from, known);
    const given = argumentsIn(groupAt(tokens, from)).map((each) => typeOfTokens(each, known));
    return followed(known.resultOf(token.text, given), tokens, from, known);
  }
  if (token.text !== "(") return undefined;
  from.at -= 1;
  const inner = groupAt(tokens, from);
  const cast = namedType(inner, known);
  if (cast === undefined) return followed(typeOfTokens(inner, known), tokens, from, known);
  const next = tokens[from.at];
  if (next === undefined) return undefined;
  // `(float4)(0).x` is a part of the literal, `(int)v.x` converts a part of `v`.
  if (next.text !== "(" || cast.kind !== "vector") {
    unary(tokens, from, known);
    return cast;
  }
  groupAt(tokens, from);
  return followed(cast, tokens, from, known);
}

/** The tokens between brackets; `from.at` moves behind the closing one. */
function groupAt(tokens: readonly CodeToken[], from: { at: number }): readonly CodeToken[] {
  const start = from.at + 1;
  let depth = 0;
  for (; from.at < tokens.length; from.at += 1) {
    const { text } = tokens[from.at] ?? { text: "" };
    if (/^[([{]$/.test(text)) depth += 1;
    else if (/^[)\]}]$/.test(text) && --depth === 0) break;
  }
  from.at += 1;
  return tokens.slice(start, from.at - 1);
}

/** The arguments of a call, which commas separate. */
function argumentsIn(tokens: readonly CodeToken[]): readonly (readonly CodeToken[])[] {
  const found: CodeToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([{]$/.test(token.text)) depth += 1;
    else if (/^[)\]}]$/.test(token.text)) depth -= 1;
    if (token.text === "," && depth === 0) found.push([]);
    else found.at(-1)?.push(token);
  }
  return found;
}

/** The type after the subscripts and members that follow a value. */
function followed(type: Type | undefined, tokens: readonly CodeToken[], from: { at: number }, known: KnownNames): Type | undefined {
  const sign = tokens[from.at]?.text;
  if (sign === "[") {
    groupAt(tokens, from);
    return followed(pointeeOf(type), tokens, from, known);
  }
  if (sign !== "." && sign !== "->") return type;
  const name = tokens[from.at + 1]?.text ?? "";
  from.at += 2;
  return followed(memberOf(sign === "->" ? pointeeOf(type) : type, name), tokens, from, known);
}

function memberOf(type: Type | undefined, name: string): Type | undefined {
  if (type?.kind === "record") return memberNamed(type, name);
  if (type?.kind !== "vector" || !isComponentName(name)) return undefined;
  const { length } = componentIndices(name, type.length);
  return length === 1 ? arithmetic(type.element) : { ...type, length };
}

/** The type of a member, also of one in an unnamed structure or union. */
function memberNamed({ record }: Extract<Type, { kind: "record" }>, name: string): Type | undefined {
  for (const member of record.members ?? []) {
    if (member.name === name) return member.type;
    const inner = member.name === "" && member.type.kind === "record" ? memberNamed(member.type, name) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** What a pointer points to, and the type of an array's elements. */
export function pointeeOf(type: Type | undefined): Type | undefined {
  if (type?.kind === "pointer") return type.pointee;
  return type?.kind === "array" ? type.element : undefined;
}

/** The type that tokens name, as in a cast. */
function namedType(tokens: readonly CodeToken[], known: KnownNames): Type | undefined {
  const words = tokens.filter(
    ({ kind, text }) =>
      kind === "word" && !/^(?:const|volatile|restrict|struct|union|enum|(?:__)?(?:global|local|constant|private|generic))$/.test(text),
  );
  const stars = tokens.filter(({ text }) => text === "*").length;
  const [first, ...rest] = words.map(({ text }) => text);
  if (first === undefined || tokens.some(({ kind, text }) => kind !== "word" && text !== "*") || tokens[0]?.text === "*") return undefined;
  const base = rest.length > 0 ? wordsType([first, ...rest]) : (known.typeOf(first) ?? wordsType([first]));
  if (base === undefined) return undefined;
  return Array.from({ length: stars }).reduce<Type>((type) => pointerTo(type), base);
}

function wordsType(words: readonly string[]): Type | undefined {
  const isPrimitive = words.every((word) => /^(?:unsigned|signed|char|short|int|long|float|double|half|bool|void)$/.test(word));
  return isPrimitive ? typeOfPrimitive(words, "opencl") : undefined;
}

/** C11 §6.4.4. */
function literalType(text: string): Type | undefined {
  if (!/^[.\d]/.test(text)) return undefined;
  if (/^0[xX]/.test(text) || /^\d+[uUlL]*$/.test(text))
    return arithmetic(/[uU]/.test(text) ? (/[lL]/.test(text) ? "unsigned long" : "unsigned int") : /[lL]/.test(text) ? "long" : "int");
  return arithmetic(/[fF]$/.test(text) ? "float" : /[hH]$/.test(text) ? "half" : "double");
}
