/** A client shows hostile files as plain text: nothing invisible, and no Markdown from a file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CodeActionRequest, CodeLensRequest, HoverRequest, InlayHintRequest } from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf } from "./client.ts";

let client: TestClient;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const invisible = /(?![\n\t])\p{Cc}|[\u200b-\u200f\u2028-\u202e\u2066-\u2069]/u;

it("in messages, actions, hints and lenses", async () => {
  client = await startClient({ folder });
  const uri = uriOf(join(folder, "a.cl"));
  const text =
    "#define S\u200dX local\nkernel void k(global int *g\u200d) { local int *l\u200d = (local int *)g\u200d; int *p = l\u200d; local int *q = (local int *)g; }\n";
  await client.open(uri, text);
  const found = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
  const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
  const asked = await Promise.all([
    client.connection.sendRequest(CodeActionRequest.type, { textDocument: { uri }, range, context: { diagnostics: [] } }),
    client.connection.sendRequest(InlayHintRequest.type, { textDocument: { uri }, range }),
    client.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } }),
  ]);
  const texts = [...found, ...asked.flat()].flatMap((value) => textsIn(value, ["message", "title", "label", "tooltip"]));
  expect(texts.length).toBeGreaterThan(2);
  for (const each of texts) expect(each).not.toMatch(invisible);
});

it("in hovers, whatever the names of files are", async () => {
  const name = "![x](https:/example.invalid/x.png) <img src=x> `` ``` [y](command:z) **b**\u202e.py";
  mkdirSync(join(folder, "![x](https:", "example.invalid"), { recursive: true });
  writeFileSync(join(folder, name), 'program.build("-cl-std=CL2.0")\nimport pyopencl\npyopencl.Program(c, s).build("-cl-std=CL2.0")\n');
  client = await startClient({ folder });
  const uri = uriOf(join(folder, "a.cl"));
  const text = "kernel void k(global int *g) { *g = 1; }\n";
  await client.open(uri, text);
  const hover = await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position: positionOf(text, "global") });
  const markdown = textsIn(hover, ["value"]).join("");
  expect(markdown).toContain("-cl-std=CL2.0 in ");
  expect(markdown).not.toMatch(invisible);
  // No part of the name is outside of code spans.
  expect(markdown.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "")).not.toMatch(/example\.invalid|<img|command:/);
});

function textsIn(value: unknown, keys: readonly string[]): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" ? (keys.includes(key) ? [inner] : []) : textsIn(inner, keys),
  );
}
