/** The parts of the page that are needed later: the server, its parser, the licenses. They are in it as compressed text. */

/** A part of the page, decompressed. */
export async function part(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = document.getElementById(`part-${name}`)?.textContent;
  if (text === null || text === undefined) throw new Error(`the page has no part '${name}'`);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = characters.charCodeAt(index);
  const packed = new Blob([bytes]);
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}
