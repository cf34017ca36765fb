/** The signature of a function as a text, by which declarations of the same function are recognized (C++17 §16.1). */
import { memo } from "../../memo.ts";
import { textOf } from "../facts/context.ts";
import type { ParameterDeclaration } from "../types/symbols.ts";
import { containsUnknown, printType, type Type, unqualifiedType } from "../types/types.ts";

/**
 * The parameters as one text; equal texts mean the same function. An unknown type is represented by its spelling, so that it
 * equals only types that are spelled alike. Template parameters are numbered by their first use, because a redeclaration may
 * rename them.
 */
export function signatureOf(parameters: readonly ParameterDeclaration[]): string {
  return signatureWith(parameters, (type) => type);
}

/** True if both are the parameters of the same function. */
export function haveSameSignature(a: readonly ParameterDeclaration[], b: readonly ParameterDeclaration[]): boolean {
  const [left, right] = [openSignature(a), openSignature(b)];
  if (left === right) return true;
  // Only a private or generic space may be the one that is not written.
  if (![left, right].some((text) => text.includes(openSpace)) || withoutOpenSpaces(left) !== withoutOpenSpaces(right)) return false;
  return signatureOf(a) === signatureOf(b);
}

function withoutOpenSpaces(signature: string): string {
  return signature.replaceAll(`__attribute__((${openSpace}))`, "").replace(/__(?:private|generic)\b/g, "");
}

/** Stands for an address space that is not written. No program can name it. */
const openSpace = "address_space(-1)";

function withOpenSpaces(type: Type): Type {
  const { implicitSpace, const: isConst, volatile, restrict } = type.qualifiers;
  const open: Type = implicitSpace === undefined ? type : { ...type, qualifiers: { space: openSpace, const: isConst, volatile, restrict } };
  if (open.kind === "pointer") return { ...open, pointee: withOpenSpaces(open.pointee) };
  return open.kind === "array" ? { ...open, element: withOpenSpaces(open.element) } : open;
}

/** Computed once, because each of a thousand overloads is compared with all previous ones. */
const openSignature = memo((parameters: readonly ParameterDeclaration[]): string => signatureWith(parameters, withOpenSpaces));

function signatureWith(parameters: readonly ParameterDeclaration[], prepare: (type: Type) => Type): string {
  const renamed = new Map<string, string>();
  return parameters
    .map((parameter) => {
      const type = unqualifiedType(parameter.symbol.type);
      if (type.kind === "unknown" || hasNamelessPart(type)) return spelled(parameter);
      return printType(prepare(renameDependent(type, renamed))) + (parameter.symbol.isPack ? "..." : "");
    })
    .join(", ");
}

function hasNamelessPart(type: Type): boolean {
  if (type.kind === "dependent") return type.name === undefined;
  if (type.kind === "pointer") return hasNamelessPart(type.pointee);
  if (type.kind === "reference") return hasNamelessPart(type.referent);
  if (type.kind === "array") return hasNamelessPart(type.element);
  return containsUnknown(type);
}

function renameDependent(type: Type, renamed: Map<string, string>): Type {
  if (type.kind === "pointer") return { ...type, pointee: renameDependent(type.pointee, renamed) };
  if (type.kind === "reference") return { ...type, referent: renameDependent(type.referent, renamed) };
  if (type.kind === "array") return { ...type, element: renameDependent(type.element, renamed) };
  if (type.kind !== "dependent" || type.name === undefined) return type;
  const name = renamed.get(type.name) ?? `template parameter ${renamed.size}`;
  renamed.set(type.name, name);
  return { ...type, name };
}

/**
 * The parameter's text without its name, its default and the qualifiers that are not part of the function's type (C++17 §11.3.5p5):
 * those of the parameter itself, but not those of what it points or refers to.
 */
function spelled(parameter: ParameterDeclaration): string {
  const { symbol } = parameter;
  let text = textOf(parameter.place);
  const at = symbol.place.span.start - parameter.place.span.start;
  if (symbol.name !== "" && at >= 0) text = text.slice(0, at) + text.slice(at + symbol.name.length);
  const [withoutDefault] = splitBefore(outerTokens(text), /^=$/);
  const [specifiers, declarator] = splitBefore(withoutDefault, /^[*&([]/);
  // With a declarator, the first qualifiers are those of what the parameter points or refers to, wherever they are written.
  const ofPointee = declarator.length > 0 ? new Set(specifiers.filter(isQualifier)) : [];
  const last = declarator.lastIndexOf("*");
  return [
    ...[...ofPointee].sort(),
    ...specifiers.filter((token) => !isQualifier(token)),
    ...declarator.filter((token, index) => index < last || !isQualifier(token)),
  ]
    .filter((token) => !/^(?:__grid_constant__|restrict|register)$/.test(token))
    .join(" ");
}

/** The tokens before the first match, and the rest. */
function splitBefore(tokens: readonly string[], pattern: RegExp): readonly [readonly string[], readonly string[]] {
  const found = tokens.findIndex((token) => pattern.test(token));
  const at = found < 0 ? tokens.length : found;
  return [tokens.slice(0, at), tokens.slice(at)];
}

function isQualifier(token: string): boolean {
  return token === "const" || token === "volatile";
}

/** The tokens of a parameter. What is in angle brackets or parentheses is one token together with them. */
function outerTokens(text: string): readonly string[] {
  const tokens: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/\w+|\S/g)) {
    const closes = token === ">" || token === ")";
    if (depth > 0 || closes) tokens.push(`${tokens.pop() ?? ""} ${token}`);
    else tokens.push(token);
    if (token === "<" || token === "(") depth += 1;
    if (closes) depth = Math.max(0, depth - 1);
  }
  return tokens;
}
