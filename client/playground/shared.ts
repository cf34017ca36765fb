/**
 * The link that contains the files, compressed. The playground's whole state is in the part after `#`, which no browser sends to a
 * server. The pages of the documentation make such links, too, so nothing here needs a page.
 */

/** A file of the playground. */
export interface SharedFile {
  readonly name: string;
  readonly text: string;
}

export interface Shared {
  /** An architecture without `sm_`, or a `-cl-std` value; empty for all. */
  readonly target: string;
  /** The first is shown. */
  readonly files: readonly SharedFile[];
}

/** The playground checks this many files at once. */
export const mostFiles = 6;
/** A link may expand to this many bytes. */
const mostBytes = 2 ** 20;

/** True if a file of the playground may have this name, which also says its language. */
export function isFileName(name: string): boolean {
  return /^[A-Za-z_][\w-]{0,30}\.(?:cuh?|hip|clh?|h)$/.test(name);
}

/** The language of a row of files. A header has that of the others. */
export function languageOf(files: readonly Pick<SharedFile, "name">[]): "cuda" | "opencl" {
  return files.some(({ name }) => /\.clh?$/.test(name)) ? "opencl" : "cuda";
}

/** The address of a page with the state in it. */
export async function shareLink(page: string, { target, files }: Shared): Promise<string> {
  const stream = new Blob([JSON.stringify([target, ...files.flatMap(({ name, text }) => [name, text])])]).stream();
  const bytes = new Uint8Array(await new Response(stream.pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${page.replace(/#.*$/, "")}#${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The state in a link; undefined for a link that is damaged, incomplete or not one of ours. */
export async function readShared(hash: string): Promise<Shared | undefined> {
  try {
    const packed = atob(hash.replace(/^#/, "").replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(await expanded(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))));
    if (!Array.isArray(value) || !value.every((each) => typeof each === "string")) return undefined;
    const [target = "", ...rest] = value as readonly string[];
    const files = rest.flatMap((name, index) => (index % 2 === 0 ? [{ name, text: rest[index + 1] ?? "" }] : []));
    const names = new Set(files.map(({ name }) => name));
    const isWhole = rest.length % 2 === 0 && files.length > 0 && files.length <= mostFiles && names.size === files.length;
    return isWhole && [...names].every(isFileName) && /^[\w.+]*$/.test(target) ? { target, files } : undefined;
  } catch {
    return undefined;
  }
}

async function expanded(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = "";
  for (let count = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    count += value.length;
    if (count > mostBytes) throw new Error("the link is too long");
    text += decoder.decode(value, { stream: true });
  }
}
