/** Texts of plain data, including the maps and sets of settings and dialects: equal data has equal texts. */

/** The names of properties that say where something stands. */
const places: ReadonlySet<string> = new Set(["span", "start", "end"]);

/** A text of a value without the places in it: an edit that only moves what a file says leaves the text as it is. */
export function meaningOf(value: unknown): string {
  return JSON.stringify(value, (name, part: unknown) => (places.has(name) ? undefined : asPlainData(part)));
}

/** Encodes a value as JSON. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => asPlainData(part));
}

function asPlainData(part: unknown): unknown {
  if (part instanceof Map) return { $map: [...part] };
  if (part instanceof RegExp) return String(part);
  return part instanceof Set ? { $set: [...part] } : part;
}

/** Decodes what `encode` has made; undefined for any other text. */
export function decode(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  return JSON.parse(text, (_, part: unknown) => {
    if (typeof part !== "object" || part === null) return part;
    if ("$map" in part && Array.isArray(part.$map)) return new Map(part.$map as readonly (readonly [unknown, unknown])[]);
    return "$set" in part && Array.isArray(part.$set) ? new Set(part.$set as readonly unknown[]) : part;
  });
}
