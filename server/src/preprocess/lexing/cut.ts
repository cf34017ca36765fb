/**
 * Cuts a file's tokens into pieces: top-level items, each with the white space, comments and directives before it. The cut looks
 * at the raw text, before any macro is expanded, so that an edit moves only the boundaries near it. A piece ends after the `;` or
 * the function's `}` at bracket depth 0, at the end of that line. `namespace X {`, `extern "C" {` and their `}` are pieces of
 * their own, also if they are not alone on their line, and so is an `#include` between two items, so that the pieces of the header
 * can follow it. If the raw text is misleading (brackets in macros), `read-list.ts` notices that in the pieces' Views.
 */
import { type Interner, Sign } from "./interner.ts";
import { Kind, type TokenList } from "./lexer.ts";
import { endOfDirective, isDirective, startsLine } from "./lines.ts";

/** The state of the cut between two pieces. */
export interface CutState {
  /** Open `namespace X {` and `extern "C" {`. */
  readonly scopes: number;
  /** Open conditionals, outermost first: the scopes that are open at the `#if`, and at the end of its first branch once that has ended. */
  readonly conditionals: readonly { readonly scopes: number; readonly afterFirst: number | undefined }[];
}

/** A piece of a text, and the state after it. */
export interface CutPiece {
  /** The offset after the piece. */
  readonly end: number;
  /** The state after the piece. */
  readonly state: CutState;
  readonly kind: PieceKind;
}

/**
 * What a piece contains besides white space, comments and directives: `item` a complete item, `opens` and `closes` the ends of a
 * namespace or an `extern "C"` block, `unfinished` an item without an end in the text, `blank` nothing. `include` has no item, and ends
 * with its only `#include`.
 */
export type PieceKind = "item" | "opens" | "closes" | "unfinished" | "blank" | "include";

/** Cuts a text into pieces. */
export interface Cutter {
  /**
   * The pieces of a text that begins at the boundary of an item. `closesLater` means that later text may close what is open at
   * the end; otherwise an unclosed item ends before the next line that can begin another. `goesOn` means that later text may
   * belong to the last item.
   */
  cut(tokens: TokenList, start: CutState, closesLater: boolean, goesOn: boolean): readonly CutPiece[];
  /** True if a piece may begin with this token, because an item with it never continues the preceding one. */
  canBegin(tokens: TokenList, index: number): boolean;
}

/** The state at the start of every file. */
export const fileStart: CutState = { scopes: 0, conditionals: [] };

/** True if two states lead to the same pieces. */
export function isSameState(a: CutState, b: CutState): boolean {
  return (
    a.scopes === b.scopes &&
    a.conditionals.length === b.conditionals.length &&
    a.conditionals.every(
      ({ scopes, afterFirst }, at) => scopes === b.conditionals[at]?.scopes && afterFirst === b.conditionals[at]?.afterFirst,
    )
  );
}

/** How many tokens are searched for the parameters of an old-style definition. */
const longestParameters = 400;
/** How many unclosed items are cut off in one text; the rest is one piece. */
const mostRecoveries = 32;

const opening = new Set(["if", "ifdef", "ifndef"]);
const branching = new Set(["elif", "elifdef", "elifndef", "else"]);
const including = new Set(["include", "include_next", "import"]);
const attributeWords = ["__attribute__", "__attribute", "__declspec", "__align__", "alignas", "__launch_bounds__", "__builtin_align__"];
/** A line that begins with one of these continues an item, or is inside of a body. */
const continuing = ["else", "catch", "while", "case", "default", "public", "private", "protected"];

interface Conditional {
  /** The brackets and scopes that are open at the `#if`. */
  readonly brackets: readonly number[];
  readonly scopes: number;
  /** Those at the end of its first branch. */
  afterFirst: { readonly brackets: readonly number[]; readonly scopes: number } | undefined;
}

/** What is known about the item that is being read. */
interface Item {
  /** Its first token; -1 while there were only directives. */
  first: number;
  /** Open conditionals at its first token. */
  level: number;
  /** It has a group in parentheses at depth 0 that does not belong to an attribute. */
  hasParameters: boolean;
  /** `=` at depth 0, outside of a template's parameters. */
  hasInitializer: boolean;
  isNamespace: boolean;
  /** The item has begun with `extern "C"` and nothing else yet. */
  isLinkage: boolean;
  /** The last `{` at depth 0 begins a function's body. */
  isBody: boolean;
  /** It closes a bracket that it did not open. */
  isUnbalanced: boolean;
  /** It ended in a branch that began after its first token. */
  hasEndedInBranch: boolean;
}

const newItem = (): Item => ({
  first: -1,
  level: 0,
  hasParameters: false,
  hasInitializer: false,
  isNamespace: false,
  isLinkage: false,
  isBody: false,
  isUnbalanced: false,
  hasEndedInBranch: false,
});

/** Creates a cutter for tokens of this interner. */
export function createCutter(interner: Interner): Cutter {
  const idsOf = (texts: readonly string[]) => new Set(texts.map((text) => interner.idOf(text)));
  const attributes = idsOf(attributeWords);
  const continuers = idsOf(continuing);
  const catching = idsOf(["else", "catch"]);
  const signs = idsOf(["{", ")", "]", "(", "[", ",", ";", "=", ":", "?", "->", "."]);
  const ofDeclarations = idsOf(["*", "[", "]", ",", ";"]);
  const namespace = interner.idOf("namespace");
  const inline = interner.idOf("inline");
  const extern = interner.idOf("extern");
  const template = interner.idOf("template");
  const operator = interner.idOf("operator");
  const shift = interner.idOf(">>");
  const launch = interner.idOf(">>>");
  const doubleColon = interner.idOf("::");

  const canBegin = ({ ids, kinds, count }: TokenList, at: number): boolean => {
    const id = ids[at] ?? 0;
    return at >= count || !(kinds[at] === Kind.identifier ? catching : signs).has(id);
  };

  /** The token after a template's parameter list, or `at` if there is none. */
  const afterTemplateParameters = ({ ids, count }: TokenList, at: number): number => {
    if (ids[at] !== Sign.less) return at;
    let angles = 0;
    let brackets = 0;
    for (let next = at; next < count; next += 1) {
      const id = ids[next] ?? 0;
      if (id === Sign.openParenthesis || id === Sign.openBracket || id === Sign.openBrace) brackets += 1;
      else if (id === Sign.closeParenthesis || id === Sign.closeBracket || id === Sign.closeBrace) brackets -= 1;
      else if (id === Sign.semicolon || brackets < 0) return at;
      else if (brackets > 0) continue;
      else if (id === Sign.less) angles += 1;
      else if (id === Sign.greater) angles -= 1;
      else if (id === shift) angles -= 2;
      else if (id === launch) angles -= 3;
      if (angles <= 0) return next + 1;
    }
    return at;
  };

  /** The offset after the line that a token ends on; undefined if another token follows on it, or a comment that continues. */
  const endOfLineAfter = (tokens: TokenList, at: number): number | undefined => {
    const { text, starts, ends, count } = tokens;
    const next = at + 1;
    if (!startsLine(tokens, next)) return undefined;
    const limit = next < count ? (starts[next] ?? text.length) : text.length;
    let offset = ends[at] ?? text.length;
    while (offset < limit) {
      const code = text.charCodeAt(offset);
      if (code === 0x0a) return offset + 1;
      if (code === 0x2f && text.charCodeAt(offset + 1) === 0x2a) {
        const close = text.indexOf("*/", offset + 2);
        offset = close < 0 ? limit : close + 2;
      } else if (code === 0x2f && text.charCodeAt(offset + 1) === 0x2f) {
        // A comment may continue after a line continuation, so it ends with the next line.
        const close = text.indexOf("\n", offset);
        if (close < 0 || close >= limit) return limit;
        let last = close - 1;
        while (last > offset && /[\r \t]/.test(text[last] ?? "")) last -= 1;
        if (text.charCodeAt(last) !== 0x5c) return close + 1;
        offset = close + 1;
        while (offset < limit && text.charCodeAt(offset) !== 0x0a) offset += 1;
      } else offset += 1;
    }
    return next < count ? undefined : limit;
  };

  /** True if the token begins a line in column 0 that can begin an item, after a blank line or a `}` in column 0. */
  const looksLikeItem = (tokens: TokenList, at: number): boolean => {
    const { text, kinds, starts, ends, ids } = tokens;
    const start = starts[at] ?? 0;
    if (kinds[at] !== Kind.identifier || !startsLine(tokens, at)) return false;
    if (start > 0 && text.charCodeAt(start - 1) !== 0x0a) return false;
    if (continuers.has(ids[at] ?? 0) || ids[at + 1] === Sign.colon) return false;
    const before = at - 1;
    const isAfterClose = ids[before] === Sign.closeBrace && text.charCodeAt((starts[before] ?? 0) - 1) === 0x0a;
    return isAfterClose || /\n[ \t\r]*\n/.test(text.slice(ends[before], start));
  };

  /**
   * True if only plain declarations, and then a body, follow the `;`. They are the parameters of an old-style definition (C11
   * §6.9.1p6). If the text ends first, the answer is `goesOn`.
   */
  const declaresParameters = ({ ids, kinds, count }: TokenList, semicolon: number, goesOn: boolean): boolean => {
    const limit = Math.min(count, semicolon + longestParameters);
    for (let at = semicolon + 1; at < limit; at += 1) {
      const id = ids[at] ?? 0;
      if (id === Sign.openBrace) return ids[at - 1] === Sign.semicolon;
      if (kinds[at] === Kind.punctuator && !ofDeclarations.has(id)) return false;
    }
    return goesOn && limit === count;
  };

  /** True if the rest of the line opens further namespaces, and nothing else. */
  const opensMore = (tokens: TokenList, first: number): boolean => {
    const { ids, kinds } = tokens;
    let isOpened = true;
    for (let at = first; !startsLine(tokens, at); at += 1) {
      const id = ids[at] ?? 0;
      if (isOpened && id !== inline && id !== namespace) return false;
      if (!isOpened && id !== Sign.openBrace && id !== doubleColon && kinds[at] !== Kind.identifier) return false;
      isOpened = id === Sign.openBrace;
    }
    return isOpened;
  };

  const cut = (tokens: TokenList, start: CutState, closesLater: boolean, goesOn: boolean): readonly CutPiece[] => {
    const { text, count, ids, kinds, ends } = tokens;
    const pieces: CutPiece[] = [];
    const forced = new Set<number>();
    let conditionals: Conditional[] = start.conditionals.map(({ scopes, afterFirst }) => ({
      brackets: [],
      scopes,
      afterFirst: afterFirst === undefined ? undefined : { brackets: [], scopes: afterFirst },
    }));
    let { scopes } = start;
    /** Open brackets, innermost last. */
    let brackets: number[] = [];
    let item = newItem();
    let recoveries = 0;
    let at = 0;
    /** The state at the start of the current piece, to restart with another end. */
    let saved = { at, scopes, conditionals: conditionals.map((each) => ({ ...each })) };
    const state = (): CutState => ({
      scopes,
      conditionals: conditionals.map((each) => ({ scopes: each.scopes, afterFirst: each.afterFirst?.scopes })),
    });
    const endPiece = (end: number, next: number, kind: PieceKind): void => {
      pieces.push({ end, state: state(), kind: item.isUnbalanced ? "unfinished" : kind });
      item = newItem();
      brackets = [];
      // No bracket is open between two pieces, whatever was open where a conditional began.
      conditionals = conditionals.map(({ scopes: outer, afterFirst }) => ({
        brackets: [],
        scopes: outer,
        afterFirst: afterFirst === undefined ? undefined : { brackets: [], scopes: afterFirst.scopes },
      }));
      saved = { at: next, scopes, conditionals: conditionals.map((each) => ({ ...each })) };
    };
    /** Ends the piece after token `last`, if an item may begin there. */
    const tryEnd = (last: number): void => {
      // The end of a namespace may follow on the line.
      const end = endOfLineAfter(tokens, last) ?? (scopes > 0 && ids[last + 1] === Sign.closeBrace ? ends[last] : undefined);
      if (end === undefined || !canBegin(tokens, last + 1)) return;
      if (conditionals.length <= item.level) endPiece(end, last + 1, "item");
      else item.hasEndedInBranch = true;
    };
    const followDirective = (hash: number): number => {
      const end = endOfDirective(tokens, hash);
      const word = end > hash + 1 ? interner.textOf(ids[hash + 1] ?? 0) : "";
      const top = conditionals[conditionals.length - 1];
      if (opening.has(word)) conditionals.push({ brackets: [...brackets], scopes, afterFirst: undefined });
      else if (branching.has(word) && top !== undefined) {
        top.afterFirst ??= { brackets, scopes };
        brackets = [...top.brackets];
        ({ scopes } = top);
      } else if (word === "endif" && top !== undefined) {
        conditionals.pop();
        if (top.afterFirst !== undefined) {
          brackets = [...top.afterFirst.brackets];
          ({ scopes } = top.afterFirst);
        }
        if (item.hasEndedInBranch && brackets.length === 0 && conditionals.length <= item.level) {
          item.hasEndedInBranch = false;
          const lineEnd = endOfLineAfter(tokens, end - 1);
          if (lineEnd !== undefined && canBegin(tokens, end)) endPiece(lineEnd, end, "item");
        }
      } else if (including.has(word) && item.first < 0) {
        const lineEnd = endOfLineAfter(tokens, end - 1);
        if (lineEnd !== undefined && canBegin(tokens, end)) endPiece(lineEnd, end, "include");
      }
      return end;
    };
    const open = (id: number): void => {
      if (brackets.length === 0 && id === Sign.openParenthesis)
        item.hasParameters ||= !attributes.has(ids[at - 1] ?? 0) && !isAttributeGroup(at);
      if (brackets.length === 0 && id === Sign.openBrace) {
        if (item.isNamespace || item.isLinkage) {
          scopes += 1;
          const end = endOfLineAfter(tokens, at) ?? (opensMore(tokens, at + 1) ? ends[at] : undefined);
          if (end !== undefined && conditionals.length <= item.level) endPiece(end, at + 1, "opens");
          else {
            // Something follows on the line, so the scope is read as one item.
            scopes -= 1;
            brackets.push(id);
            item.isBody = true;
          }
          return;
        }
        item.isBody = item.hasParameters && !item.hasInitializer;
      }
      brackets.push(id);
    };
    /** The second parenthesis of `__attribute__((x))`. */
    const isAttributeGroup = (index: number): boolean => ids[index - 1] === Sign.openParenthesis;
    const close = (id: number): void => {
      if (brackets.length === 0) {
        if (id !== Sign.closeBrace) {
          item.isUnbalanced = true;
          return;
        }
        const isOfScope = scopes > 0;
        // What stands in front of the brace may be a macro that contains whole declarations: `INSTANTIATE(float)`.
        if (isOfScope && item.first < at && conditionals.length <= item.level && !item.hasEndedInBranch) {
          endPiece(endOfLineAfter(tokens, at - 1) ?? ends[at - 1] ?? 0, at, "item");
          item.first = at;
          item.level = conditionals.length;
        }
        const isAlone = item.first === at;
        if (isOfScope) {
          scopes -= 1;
          // An empty declaration may follow: `};`.
          while (ids[at + 1] === Sign.semicolon && !startsLine(tokens, at + 1)) at += 1;
        }
        const isChain = isOfScope && isAlone && scopes > 0 && ids[at + 1] === Sign.closeBrace;
        const end = endOfLineAfter(tokens, at) ?? (isChain ? ends[at] : undefined);
        const kind = isOfScope ? (isAlone ? "closes" : "item") : "unfinished";
        if (end !== undefined && conditionals.length <= item.level) endPiece(end, at + 1, kind);
        else if (!isOfScope) item.isUnbalanced = true;
        return;
      }
      // A `}` also closes parentheses left open inside of its braces; any other unmatched closing bracket is ignored.
      const opened = brackets.lastIndexOf(id - 1);
      if (opened !== brackets.length - 1) item.isUnbalanced = true;
      if (opened < 0 || (opened !== brackets.length - 1 && id !== Sign.closeBrace)) return;
      brackets.length = opened;
      if (opened === 0 && id === Sign.closeBrace && item.isBody) tryEnd(at);
    };
    for (;;) {
      while (at < count) {
        const id = ids[at] ?? 0;
        if (forced.has(at) && item.first >= 0) {
          const end = endOfLineAfter(tokens, at - 1);
          if (end !== undefined) endPiece(end, at, "unfinished");
        }
        if (isDirective(tokens, at)) {
          at = followDirective(at);
          continue;
        }
        if (item.first < 0) {
          item.first = at;
          item.level = conditionals.length;
          if (id === template) {
            const after = afterTemplateParameters(tokens, at + 1);
            if (after > at + 1) {
              at = after;
              continue;
            }
          }
        }
        if (brackets.length === 0 && kinds[at] === Kind.identifier) {
          if (id === namespace) item.isNamespace = at === item.first || ids[at - 1] === inline;
          else if (id === extern) item.isLinkage = at === item.first && kinds[at + 1] === Kind.string && ids[at + 2] === Sign.openBrace;
        } else if (id === Sign.openBrace || id === Sign.openParenthesis || id === Sign.openBracket) open(id);
        else if (id === Sign.closeBrace || id === Sign.closeParenthesis || id === Sign.closeBracket) close(id);
        else if (brackets.length === 0 && id === Sign.equals && ids[at - 1] !== operator) item.hasInitializer = true;
        else if (brackets.length === 0 && id === Sign.semicolon) {
          item.isNamespace = false;
          // A declaration of a function ends with its parameters.
          const mayDeclareParameters = item.hasParameters && ids[at - 1] !== Sign.closeParenthesis;
          if (!mayDeclareParameters || !declaresParameters(tokens, at, goesOn)) tryEnd(at);
        }
        at += 1;
      }
      const isOpen = brackets.length > 0;
      const from = saved.at;
      if (!isOpen || closesLater || recoveries >= mostRecoveries) break;
      let next = Math.max(from, item.first) + 1;
      while (next < count && (forced.has(next) || !looksLikeItem(tokens, next))) next += 1;
      if (next >= count) break;
      recoveries += 1;
      forced.add(next);
      ({ at, scopes } = saved);
      conditionals = saved.conditionals.map((each) => ({ ...each }));
      brackets = [];
      item = newItem();
    }
    const last = pieces[pieces.length - 1]?.end ?? 0;
    if (last < text.length || pieces.length === 0)
      pieces.push({ end: text.length, state: state(), kind: item.first < 0 ? "blank" : "unfinished" });
    return pieces;
  };
  return { cut, canBegin };
}
