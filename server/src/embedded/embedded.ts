/**
 * Finds device code inside of host code: string literals whose value is a whole OpenCL or CUDA source. Each becomes a Source of its
 * own with a map back to the host, so that no other code has to know where it came from. A literal is skipped unless it is
 * certainly device code and complete before the program runs.
 */
import { countUpTo } from "../lists.ts";
import { embeddedMark } from "../names.ts";
import type { Edit, SourceSpan } from "../source.ts";
import { cTokens, isWrapped, mayQuoteKernel } from "./c-literals.ts";
import { hostTokens } from "./host-tokens.ts";
import { type JoinedText, joinedTexts, withoutComments } from "./join.ts";
import { literalSyntaxOf } from "./literal-syntax.ts";
import { type HostToken, type Literal, type LiteralPart, spellIn } from "./literals.ts";
import { isOpenCLText } from "./opencl-texts.ts";

/** Device code in the string literals of a host file, joined to one text. */
export interface EmbeddedSource {
  /** A name that no file has. Its extension gives the language, and its folder is the host's. */
  readonly uri: string;
  readonly host: string;
  readonly text: string;
  /** The host's name implies the language, so text that does not parse is a mistake rather than a sign of another language. */
  readonly isCertain: boolean;
  /** The running program fills in parts of the text, for which names stand that nothing declares. */
  readonly hasHoles: boolean;
  /** Maps a span to the host's text. A span that covers several literals also covers what is between them. */
  toHost(span: SourceSpan): SourceSpan;
  /** Maps an offset in the host's text to this source; undefined outside of it. */
  fromHost(offset: number): number | undefined;
  /** Maps an edit of this source to the host; undefined if it would cross literals or cannot be written there. */
  editHost(edit: Edit): Edit | undefined;
}

const cHosts = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|def|cu|cuh|hip|m|mm|cl|clh|ocl|opencl)$/i;
const openclFiles = /\.(?:cl|clh|ocl|opencl)$/i;

/** Longer files are skipped, because they are generated. */
const longest = 1 << 22;
/** The greatest number of sources that are checked in one file. */
export const mostSources = 1_000;

/** The words of a kernel, in a text without escapes. */
const kernelWords = /\b(?:__)?kernel\b|\b__global__\b/;
/** The same in a host's text, where an escape may precede a word: `"\n__kernel void f()"`. */
const writtenKernel = /kernel\b|__global__\b/;
const writtenSpaces = /(?:global|local|constant)\b|get_(?:global|local|group)_id\b|image[123]d_/;
const attributes = String.raw`(?:\s|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|[A-Z_]+\([^()]*\))*`;
const openclKernel = new RegExp(
  String.raw`\b(?:__)?kernel\b${attributes}\bvoid\b${attributes}\b\w+\s*\(|\bvoid\s+(?:__)?kernel\s+\w+\s*\(`,
);
const openclWords = /\b(?:__)?(?:global|local|constant)\b|\bget_(?:global|local|group)_id\b|\bimage[123]d_\w*t\b/;
/** Metal has kernels and address spaces of the same names. */
const metal =
  /\bmetal_stdlib\b|\busing\s+namespace\s+metal\b|\[\[\s*(?:buffer|texture|sampler|thread|threads|threadgroup|grid)\w*\s*(?:\(\s*\w+\s*\))?\s*\]\]/;
const cudaKernel = /\b__global__\b[^;{}]*\bvoid\b[^;{}]*\b\w+\s*\(/;

/** True if the file's extension is one of those that may have device code in literals. */
export function mayEmbed(uri: string): boolean {
  return cHosts.test(uri) || literalSyntaxOf(uri) !== undefined;
}

/** The tokens of a host's text. */
export function tokensOf(uri: string, text: string): readonly HostToken[] {
  const syntax = literalSyntaxOf(uri);
  return syntax === undefined ? cTokens(text) : hostTokens(text, syntax);
}

/** A quick test that most files fail, because splitting all files of a workspace into tokens would take seconds. */
function mayContainKernel(text: string, isC: boolean): boolean {
  if (!text.includes("void") || !writtenKernel.test(text)) return false;
  if (!text.includes("__global__") && !writtenSpaces.test(text)) return false;
  return !isC || mayQuoteKernel(text);
}

/**
 * The sources embedded in a file. With `isTyped` they may lack brackets, as they do while they are being typed. `leaveOut` is called
 * with the offset of each source beyond `mostSources`.
 */
export function findEmbedded(uri: string, text: string, isTyped = false, leaveOut?: (offset: number) => void): readonly EmbeddedSource[] {
  if (!mayEmbed(uri) || text.length > longest) return [];
  if (openclFiles.test(uri) && isOpenCLText(text)) return wrapped(uri, text);
  if (!mayContainKernel(text, literalSyntaxOf(uri) === undefined)) return [];
  const tokens = tokensOf(uri, text);
  const found: EmbeddedSource[] = [];
  // Texts that are no source count too, so that others keep their names while one is being typed.
  let number = -1;
  for (const joined of joinedTexts(tokens)) {
    if (found.length >= mostSources && leaveOut === undefined) break;
    if (kernelWords.test(joined.value)) number += 1;
    const extension = languageOf(joined.value, isTyped);
    if (extension === undefined) continue;
    if (found.length >= mostSources) leaveOut?.(joined.literals[0]?.start ?? 0);
    else found.push(embeddedSource(uri, `${isTyped ? "typed-" : ""}${number}`, extension, joined));
  }
  return found;
}

/**
 * The text of a file outside of its literals and comments, with blanks between the words; empty for languages other than C and C++,
 * in which none of it is device code.
 */
export function outsideLiterals(uri: string, text: string): string {
  if (literalSyntaxOf(uri) !== undefined) return "";
  return cTokens(text)
    .map((token) => (token.kind === "literal" ? '""' : token.text))
    .join(" ");
}

/** The source in an OpenCL file that is included into a C++ file: the whole file is one raw literal, or the argument of a macro. */
function wrapped(uri: string, text: string): readonly EmbeddedSource[] {
  if (!isWrapped(text)) return [];
  const tokens = cTokens(text).filter(({ kind }) => kind === "literal");
  const literals = tokens.filter((token): token is Literal => token.kind === "literal");
  const isWhole = literals.length > 0 && literals.every(({ spelling }) => spelling.kind === "raw");
  return isWhole
    ? [embeddedSource(uri, "0", "cl", { literals, value: literals.map(({ value }) => value).join(""), hasHoles: false }, true)]
    : [];
}

function languageOf(value: string, isTyped: boolean): "cl" | "cu" | undefined {
  if (!kernelWords.test(value)) return undefined;
  const text = withoutComments(value);
  if ((!isTyped && !isBalanced(text)) || !text.includes("{")) return undefined;
  if (metal.test(text)) return undefined;
  if (cudaKernel.test(text)) return "cu";
  return openclKernel.test(text) && openclWords.test(text) ? "cl" : undefined;
}

/** True if a text without comments has as many closing braces and parentheses as opening ones. */
export function isBalanced(text: string): boolean {
  const count = (sign: string) => text.split(sign).length;
  return count("{") === count("}") && count("(") === count(")");
}

// ---------------------------------------------------------------- the map

interface PlacedPiece extends LiteralPart {
  readonly literal: Literal;
}

function embeddedSource(
  host: string,
  index: string,
  extension: string,
  { literals, value, hasHoles }: JoinedText,
  isCertain = false,
): EmbeddedSource {
  const pieces: PlacedPiece[] = [];
  let before = 0;
  for (const literal of literals) {
    for (const piece of literal.pieces) pieces.push({ ...piece, at: before + piece.at, literal });
    before += literal.value.length;
  }
  const pieceAt = (offset: number): PlacedPiece | undefined => {
    return pieces[Math.max(0, countUpTo(pieces.length, (index) => pieces[index]?.at, offset) - 1)];
  };
  const startOf = (offset: number): number => {
    const piece = pieceAt(offset);
    if (piece === undefined) return literals[0]?.start ?? 0;
    const within = offset - piece.at;
    if (within >= piece.length) return piece.host + piece.hostLength;
    return piece.length === piece.hostLength ? piece.host + within : piece.host;
  };
  const endOf = (offset: number): number => {
    const piece = pieceAt(offset - 1);
    if (piece === undefined) return literals[0]?.start ?? 0;
    const within = offset - piece.at;
    return piece.length === piece.hostLength ? piece.host + Math.min(within, piece.length) : piece.host + piece.hostLength;
  };
  const toHost = ({ start, end }: SourceSpan): SourceSpan => {
    const first = startOf(start);
    return { start: first, end: end > start ? Math.max(first, endOf(end)) : first };
  };
  return {
    uri: `${host}${embeddedMark}${index}.${extension}`,
    host,
    text: value,
    isCertain,
    hasHoles,
    toHost,
    fromHost: (offset) => {
      const piece = pieces.find(({ host: start, hostLength }) => start <= offset && offset < start + hostLength);
      if (piece === undefined) return undefined;
      return piece.length === piece.hostLength ? piece.at + offset - piece.host : piece.at;
    },
    editHost: ({ location: { span }, text }) => {
      const first = pieceAt(span.start);
      const last = span.end > span.start ? pieceAt(span.end - 1) : first;
      const spelled = first === undefined ? undefined : spellIn(first.literal.spelling, text);
      if (first === undefined || last?.literal !== first.literal || spelled === undefined) return undefined;
      return { location: { uri: host, span: toHost(span) }, text: spelled };
    },
  };
}
