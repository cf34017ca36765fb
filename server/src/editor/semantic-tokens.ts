/**
 * Colors names of variables by the memory that they are in, or that they point to. Other tools color names without such a memory,
 * and names about which the standards disagree.
 */
import { type DialectFacts, type FileFacts, spanIn } from "../diagnostics/analyzed-files.ts";
import { namedSpace, type Qualifier, type QualifierTokenModifier, qualifierOf, qualifiers } from "../qualifiers.ts";
import type { Place, VariableSymbol } from "../semantics/types/symbols.ts";
import type { SourceSpan } from "../source.ts";

/** The protocol's token types that are used. */
export const tokenTypes = ["variable", "parameter", "property"] as const;
const memoryModifiers: readonly QualifierTokenModifier[] = [...new Set(qualifiers.flatMap((each) => modifierOf(each) ?? []))];
/** The legend: `declaration` and `readonly` are the protocol's modifiers, the others name the memory of a variable or pointee. */
export const tokenModifiers: readonly TokenModifier[] = ["declaration", "readonly", ...memoryModifiers];

/** The kind of variable that a token names. */
export type TokenType = (typeof tokenTypes)[number];
/** The properties of a token besides its type. */
export type TokenModifier = "declaration" | "readonly" | QualifierTokenModifier;

/** A name with its color. */
export interface SemanticToken {
  readonly span: SourceSpan;
  readonly type: TokenType;
  readonly modifiers: readonly TokenModifier[];
}

/** The tokens in source order, without overlaps. */
export function semanticTokens({ uri, readings }: FileFacts): readonly SemanticToken[] {
  const [first, ...others] = readings.map((reading) => tokensOf(uri, reading));
  if (first === undefined) return [];
  const isAgreed = (token: SemanticToken) =>
    others.every((tokens) => tokens.get(token.span.start)?.modifiers.join() === token.modifiers.join());
  return [...first.values()].filter(isAgreed).sort((a, b) => a.span.start - b.span.start);
}

function tokensOf(uri: string, { facts }: DialectFacts): ReadonlyMap<number, SemanticToken> {
  const tokens = new Map<number, SemanticToken>();
  const add = (variable: VariableSymbol, place: Place, isDeclaration: boolean) => {
    const memory = memoryOf(variable);
    const span = memory === undefined || variable.name === "" ? undefined : spanIn(uri, place);
    if (memory === undefined || span === undefined || tokens.has(span.start)) return;
    const modifiers: readonly TokenModifier[] = [
      ...(isDeclaration ? (["declaration"] as const) : []),
      ...(isReadonly(variable) || memory === "constant" ? (["readonly"] as const) : []),
      memory,
    ];
    tokens.set(span.start, { span, type: typeOf(variable), modifiers });
  };
  for (const { variable } of facts.variables) add(variable, variable.place, true);
  for (const { symbol, place } of facts.references) if (symbol.kind === "variable") add(symbol, place, false);
  return tokens;
}

/** The memory that colors a variable. The memory of a pointer's target takes precedence over the pointer's own. */
function memoryOf({ type, memorySpace, words }: VariableSymbol): QualifierTokenModifier | undefined {
  for (const { text } of words) {
    const annotation = qualifierOf(text)?.tokenModifier;
    if (annotation !== undefined) return annotation;
  }
  if (memorySpace !== undefined) return memorySpace === "host" ? undefined : memorySpace;
  const pointee = type.kind === "pointer" ? type.pointee : type.kind === "reference" ? type.referent : undefined;
  if (pointee !== undefined) return namedSpace(pointee.qualifiers.space);
  const { space } = type.kind === "array" ? type.element.qualifiers : type.qualifiers;
  // Ordinary variables are private. If they were colored, everything would be.
  return space === "private" ? undefined : namedSpace(space);
}

function isReadonly({ type }: VariableSymbol): boolean {
  return type.kind === "pointer" ? type.pointee.qualifiers.const : type.qualifiers.const;
}

function typeOf({ scope }: VariableSymbol): TokenType {
  if (scope === "parameter") return "parameter";
  return scope === "member" ? "property" : "variable";
}

function modifierOf({ tokenModifier, addressSpace, memorySpace }: Qualifier): QualifierTokenModifier | undefined {
  return tokenModifier ?? addressSpace ?? memorySpace;
}
