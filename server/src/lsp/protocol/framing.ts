/**
 * Detects message headers that cannot be read. After an invalid header the start of the next message is unknown. A server that
 * reads on would stay silent forever, or wait for gigabytes.
 */

/** The limit on a header; real ones have two lines. */
const longestHeader = 4_096;
/** The limit on a message; a document of 16 MB with every character escaped is shorter. */
const longestMessage = 256 * 1024 * 1024;

/** Watches the chunks of a stream. Calls `broken` once, with the reason as the end of a sentence, and then ignores the rest. */
export function watchFraming(broken: (why: string) => void): (chunk: Uint8Array) => void {
  let header = "";
  let body = 0;
  let isBroken = false;
  const fail = (why: string) => {
    isBroken = true;
    broken(why);
  };
  return (chunk) => {
    let at = 0;
    while (at < chunk.length && !isBroken) {
      if (body > 0) {
        const taken = Math.min(body, chunk.length - at);
        body -= taken;
        at += taken;
        continue;
      }
      header += String.fromCharCode(chunk[at] ?? 0);
      at++;
      if (header.endsWith("\r\n\r\n")) {
        const length = lengthIn(header);
        header = "";
        if (typeof length === "string") fail(length);
        else body = length;
      } else if (header.length > longestHeader) fail(`a header is longer than ${longestHeader} bytes`);
    }
  };
}

/** The length of the message as stated by its header, or the header's mistake. */
function lengthIn(header: string): number | string {
  let length: string | undefined;
  for (const line of header.split("\r\n")) {
    if (line === "") continue;
    const [, key, value] = /^([\w-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (key === undefined) return "a line of a header has no colon";
    if (key.toLowerCase() === "content-length") length = value;
  }
  if (length === undefined) return "a header has no 'Content-Length'";
  if (!/^\d{1,15}$/.test(length)) return "the 'Content-Length' of a header is not a number";
  return Number(length) <= longestMessage ? Number(length) : `a message is larger than ${longestMessage / 1024 / 1024} MB`;
}
