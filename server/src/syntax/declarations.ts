/**
 * Reads the declarations of a header. Most of them are parsed when a file first looks up their names, and the members of a class
 * when they are first needed: a large library declares thousands of classes, of which a file needs the members of a hundred.
 */
import { inOneGo, type Steps } from "../steps.ts";
import type { Item, RecordSpecifier, SyntaxTree } from "./ast.ts";
import { itemsIn, withDeferred } from "./deferred-items.ts";
import { emptyBodies, outlineOf } from "./text/bodies.ts";
import type { Deferrable } from "./text/deferrable.ts";

/** The parser of the parts of a header. */
export interface PartParser {
  /** Parses a whole text. `read` has the same length; it is what the grammar sees. */
  parse(text: string, read: string): Steps<SyntaxTree>;
  /** The items of a part of the text that begins at `from`; undefined if it has errors, or would be read incompletely. */
  parsePart(text: string, part: string, from: number): Steps<readonly Item[] | undefined>;
}

/** The declarations of a text, with empty function bodies. If they have errors, all are parsed at once, as those of a source are. */
export function* readDeclarations(parser: PartParser, text: string): Steps<SyntaxTree> {
  const { text: outline, deferred } = outlineOf(text);
  if (deferred.length === 0) return yield* parser.parse(text, emptyBodies(text));
  const header = { parser, text, all: undefined };
  const around = yield* parser.parsePart(text, outline, 0);
  const items = around === undefined ? undefined : withDeferred(around, deferred, (each) => readDeferred(header, each));
  return items === undefined ? yield* parser.parse(text, emptyBodies(text)) : { items, errors: [], unknownWords: [] };
}

interface Header {
  readonly parser: PartParser;
  readonly text: string;
  /** All of its declarations, if a part of it could not be read by itself. */
  all: SyntaxTree | undefined;
}

function readDeferred(header: Header, deferred: Deferrable): readonly Item[] {
  return withBodyLater(header, deferred) ?? readPart(header, deferred) ?? itemsIn(all(header).items, deferred.start, deferred.end);
}

function readPart({ parser, text }: Header, { start, end }: Deferrable): readonly Item[] | undefined {
  return inOneGo(parser.parsePart(text, emptyBodies(text.slice(start, end)), start));
}

function all(header: Header): SyntaxTree {
  header.all ??= inOneGo(header.parser.parse(header.text, emptyBodies(header.text)));
  return header.all;
}

/** Stands for the members of a class while its head is parsed. */
const anyMember = "int _;";

/** A class whose members are parsed when they are first needed; undefined for anything else. */
function withBodyLater(header: Header, deferred: Deferrable): readonly Item[] | undefined {
  const { start, end, body } = deferred;
  if (body === undefined || body.end - body.start < anyMember.length) return undefined;
  const { parser, text } = header;
  const part = text.slice(start, body.start) + anyMember.padEnd(body.end - body.start) + text.slice(body.end, end);
  const [item, ...others] = inOneGo(parser.parsePart(text, part, start)) ?? [];
  if (item === undefined || others.length > 0) return undefined;
  let members: readonly Item[] | undefined;
  const later = {
    get members(): readonly Item[] {
      members ??= readMembers(header, deferred);
      return members;
    },
  };
  const found = withBody(item, later);
  return found === undefined ? undefined : [found];
}

/** The declaration of a class with another body. */
function withBody(item: Item, body: RecordSpecifier["body"]): Item | undefined {
  if (item.kind === "template") {
    const inner = withBody(item.item, body);
    return inner === undefined ? undefined : { ...item, item: inner };
  }
  const specifier = classOf(item);
  if (item.kind !== "declaration" || specifier?.body === undefined) return undefined;
  return { ...item, specifiers: { ...item.specifiers, type: { ...specifier, body } } };
}

/** The members of a class. If they cannot be read without errors, one of them is unknown. */
function readMembers(header: Header, deferred: Deferrable): readonly Item[] {
  const [item, ...others] = readPart(header, deferred) ?? [];
  const known = item === undefined || others.length > 0 ? undefined : classOf(item)?.body;
  if (known !== undefined) return known.members;
  const { start, end } = deferred;
  const [found] = itemsIn(all(header).items, start, end);
  const members = found === undefined ? [] : (classOf(found)?.body?.members ?? []);
  return members.some(({ kind }) => kind === "unknown") ? members : [...members, { kind: "unknown", span: { start, end }, items: [] }];
}

/** The class that an item declares. */
function classOf(item: Item): RecordSpecifier | undefined {
  if (item.kind === "template") return classOf(item.item);
  return item.kind === "declaration" && item.specifiers.type?.kind === "record" ? item.specifiers.type : undefined;
}
