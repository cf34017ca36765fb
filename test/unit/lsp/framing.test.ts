/** Invalid headers are noticed at once, in whatever chunks the stream arrives. Valid messages pass unchanged. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { watchFraming } from "../../../server/src/lsp/protocol/framing.ts";
import { seedOf } from "../../effort.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function whyBroken(...chunks: readonly string[]): readonly string[] {
  const said: string[] = [];
  const watch = watchFraming((why) => said.push(why));
  for (const chunk of chunks) watch(bytes(chunk));
  return said;
}

describe("a stream", () => {
  it.each([
    ["garbage\r\n\r\n", "a line of a header has no colon"],
    ["Foo: 1\r\n\r\n", "a header has no 'Content-Length'"],
    ["\r\n\r\n", "a header has no 'Content-Length'"],
    ["Content-Length: abc\r\n\r\n", "the 'Content-Length' of a header is not a number"],
    ["Content-Length: -5\r\n\r\n{}", "the 'Content-Length' of a header is not a number"],
    ["Content-Length: 1e9\r\n\r\n{}", "the 'Content-Length' of a header is not a number"],
    ["Content-Length:\r\n\r\n{}", "the 'Content-Length' of a header is not a number"],
    ["Content-Length: 99999999999\r\n\r\n{}", "a message is larger than 256 MB"],
    ["Content-Length: 2\r\n\r\n{}{}{}{}\r\n\r\n", "a line of a header has no colon"],
    ["x".repeat(5_000_000), "a header is longer than 4096 bytes"],
  ])("%j", (text, why) => {
    expect(whyBroken(text)).toEqual([why]);
    expect(whyBroken(...text.slice(0, 5_000))).toEqual([why]);
  });

  it("of valid messages passes, in whatever chunks it arrives", () => {
    const message = fc.tuple(fc.string(), fc.boolean()).map(([body, hasType]) => {
      const length = `Content-Length: ${bytes(body).length}\r\n`;
      return `${hasType ? `Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n${length}` : length.toLowerCase()}\r\n${body}`;
    });
    fc.assert(
      fc.property(fc.array(message), fc.integer({ min: 1, max: 40 }), (messages, size) => {
        const said: string[] = [];
        const watch = watchFraming((why) => said.push(why));
        const all = bytes(messages.join(""));
        for (let at = 0; at < all.length; at += size) watch(all.subarray(at, at + size));
        expect(said).toEqual([]);
      }),
      { seed: seedOf(24) },
    );
  });
});
