/**
 * Decides whether an edit stayed within one function body, so that no other piece depends on what has changed, and puts the new body of
 * a member in place of the old one. `semantic-model.ts` does that for other functions, and walks the bodies again.
 */
import type { Unit, View } from "../../preprocess/view/view.ts";
import type { ViewSpan } from "../../source.ts";
import { encloses } from "../../spans.ts";
import type { FunctionItem, Item, SyntaxTree } from "../../syntax/ast.ts";
import { declaratorName } from "../../syntax/walk.ts";
import { changeOf } from "../../text-change.ts";
import { leaveExterns } from "../declarations/variable-lookup.ts";
import type { DeferredBody } from "../facts/context.ts";
import type { Scope } from "../symbols/scope.ts";

/** True if everything before and after the body is unchanged, in the same place, and no other item has consulted the body. */
export function isSameHead(old: Unit, { body: oldBody }: FunctionItem, unit: Unit, { body }: FunctionItem): boolean {
  if (oldBody === undefined || body === undefined || oldBody.isConsulted === true) return false;
  const start = (view: View, span: ViewSpan) => view.text.slice(0, span.start);
  const end = (view: View, span: ViewSpan) => view.text.slice(span.end).trimEnd();
  return (
    start(old.view, oldBody.span) === start(unit.view, body.span) &&
    end(old.view, oldBody.span) === end(unit.view, body.span) &&
    hasSameFront(old, unit)
  );
}

/** True if words outside of the body of the piece's only function are unknown: they may be macros that decide what it is. */
export function hasUnknownHead({ items, unknownWords }: SyntaxTree): boolean {
  const body = items.length === 1 ? functionOf(items[0])?.body : undefined;
  return unknownWords.some((word) => body === undefined || !encloses(body.span, word));
}

function hasSameFront(old: Unit, unit: Unit): boolean {
  return (
    old.includes.length === unit.includes.length &&
    old.includes.every((site, at) => site.unit === unit.includes[at]?.unit && site.at === unit.includes[at]?.at) &&
    (old.switches ?? []).length === (unit.switches ?? []).length
  );
}

/**
 * Replaces the body of a class's member function, if everything around it is unchanged and in the same place, as it is after a key in a
 * comment. The lines of a long piece begin at round offsets, so most keys move nothing else. False if more has changed.
 */
export function replaceMemberBody(bodies: readonly DeferredBody[], old: Unit, unit: Unit, { items, errors }: SyntaxTree): boolean {
  const before = old.view.text.trimEnd();
  const now = unit.view.text.trimEnd();
  const [item, ...more] = items;
  if (!hasSameFront(old, unit)) return false;
  if (before.length !== now.length) return false;
  const { start, newEnd } = changeOf(before, now);
  const edited = { start, end: newEnd } as ViewSpan;
  if (isSameButLines(before, now, edited)) return true;
  if (item === undefined || more.length > 0) return false;
  const known = bodies.find(({ item: { body } }) => body !== undefined && isInside(edited, body.span))?.item;
  const member = known === undefined ? undefined : memberAt(item, known.span);
  const block = functionOf(known)?.body;
  if (
    block === undefined ||
    block.isConsulted === true ||
    member?.body?.span.end !== block.span.end ||
    member.body.span.start !== block.span.start
  )
    return false;
  if (!errors.every((error) => encloses(block.span, error))) return false;
  // Whoever has read the class, also with a template's arguments, has this block.
  Object.assign(block, member.body);
  return true;
}

/** True if a part of two texts differs only in where its lines end. */
function isSameButLines(a: string, b: string, { start, end }: ViewSpan): boolean {
  for (let at = start; at < end; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other && (!isGap(one) || !isGap(other))) return false;
  }
  return true;
}

/** A space or the end of a line. */
function isGap(code: number): boolean {
  return code === 0x20 || code === 0x0a;
}

/** True if the part is between the braces of a body. */
function isInside(part: ViewSpan, { start, end }: ViewSpan): boolean {
  return start < part.start && part.end < end;
}

/** The member function whose definition is at a span of an item with classes; the whole item is not one. */
function memberAt(item: Item, span: ViewSpan): FunctionItem | undefined {
  if (!encloses(item.span, span)) return undefined;
  if (item.kind === "function") return item.span.start === span.start && item.span.end === span.end ? item : undefined;
  if (item.kind === "template") return memberAt(item.item, span);
  const type = item.kind === "declaration" ? item.specifiers.type : undefined;
  const members = type?.kind === "record" ? type.body?.members : undefined;
  for (const member of members ?? []) {
    const found = memberAt(member, span);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * True if an edit of a body changes an `extern` variable that another body declares too: they are one variable. Forgets the
 * declarations in the old body, which the next walk enters again.
 */
export function changesSharedExterns(scope: Scope, old: Unit, unit: Unit): boolean {
  if (!mayDeclareExtern(old) && !mayDeclareExtern(unit)) return false;
  const names = leaveExterns(scope, old);
  const before = declarationsBehindExterns(old);
  const now = declarationsBehindExterns(unit);
  if (before.text === now.text && before.starts === now.starts) return false;
  const words = new Set([old, unit].flatMap(({ view }) => view.text.match(/[\w$]+/g) ?? []));
  return names.some((name) => words.has(name));
}

/** True if its text may declare an `extern` variable; `extern "C"` does not. */
export function mayDeclareExtern({ view }: Unit): boolean {
  return /\bextern\b(?!\s*")/.test(view.text);
}

/** The declarations of a unit that decide about its `extern` variables, with their starts: those themselves, and those of types. */
export function declarationsBehindExterns({ view }: Unit): { readonly text: string; readonly starts: string } {
  const found = [...view.text.matchAll(/\b(?:extern|typedef|using|struct|class|union|enum)\b(?!\s*")[^;{]*/g)];
  return { text: found.map(([text]) => `${text};`).join(" "), starts: found.map(({ index }) => index).join() };
}

/** Replaces the content of a unit, which stays the same object for its piece. */
export function replaceContent(old: Unit, { uri: _, ...content }: Unit): void {
  const { uri, row } = old;
  for (const key of Object.keys(old)) Reflect.deleteProperty(old, key);
  Object.assign(old, content, { uri, ...(row === undefined ? {} : { row }) });
}

/** The declaration behind `extern "C"` without braces; any other item itself. */
export function withoutLinkage(item: Item | undefined): Item | undefined {
  return item?.kind === "linkage" && !item.isBlock && item.items.length === 1 ? item.items[0] : item;
}

/** The function that an item declares, directly or in a template; undefined for one without a type, whose name may be a macro. */
export function functionOf(given: Item | undefined): FunctionItem | undefined {
  const item = withoutLinkage(given);
  if (item?.kind === "template") return item.item.kind === "template" ? undefined : functionOf(item.item);
  return item?.kind === "function" && (item.specifiers.type !== undefined || isNamedAfterClass(item)) ? item : undefined;
}

/** True for a constructor or a destructor outside of its class, `S::S() {}`, which has no type. */
function isNamedAfterClass({ declarator }: FunctionItem): boolean {
  const [of, own] = declaratorName(declarator)?.parts.slice(-2) ?? [];
  return own !== undefined && (own.text === of?.text || own.text === `~${of?.text}`);
}

/**
 * The body of an item that is a function. Other items depend only on what is around it, unless they have consulted it. Undefined for a
 * template, whose instances are walked with the body, and for any other item.
 */
export function hiddenBody(item: Item): FunctionItem["body"] {
  return withoutLinkage(item)?.kind === "function" ? functionOf(item)?.body : undefined;
}

/** True if another item has consulted the body of the only function in a piece. */
export function isBodyConsulted({ items }: SyntaxTree): boolean {
  return functionOf(items[0])?.body?.isConsulted === true;
}
