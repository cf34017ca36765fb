/**
 * The code that stores a tree must delete it: during 200 edits of a file and its header, and while many files are checked one after
 * another, neither the number of trees nor the parser's heap grows.
 */
import { expect, it } from "vitest";
import { Parser, Tree } from "web-tree-sitter";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

// The parser's memory is private; a test can only observe it by intercepting its creation.
const memories: WebAssembly.Memory[] = [];
class SeenMemory extends WebAssembly.Memory {
  constructor(descriptor: WebAssembly.MemoryDescriptor) {
    super(descriptor);
    memories.push(this);
  }
}
Object.assign(WebAssembly, { Memory: SeenMemory });

let trees = 0;
const parse = Parser.prototype.parse;
Parser.prototype.parse = function (...given) {
  const tree = parse.apply(this, given);
  if (tree !== null) trees += 1;
  return tree;
};
const copy = Tree.prototype.copy;
Tree.prototype.copy = function () {
  trees += 1;
  return copy.call(this);
};
const remove = Tree.prototype.delete;
Tree.prototype.delete = function () {
  trees -= 1;
  remove.call(this);
};

const parser = await testParser();

const body = Array.from(
  { length: 40 },
  (_, i) =>
    `__global__ void kernel${i}(const __grid_constant__ S s, float *out) { for (int i = 0; i < ${i}; i++) out[i] += s.x * ${i}.0f; }\n`,
).join("");

it("200 edits leave no trees and no memory behind", () => {
  const texts = new Map([
    ["file:///a.cu", `#include "a.cuh"\n${body}`],
    ["file:///a.cuh", "struct S { float x; };\n"],
  ]);
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings });
  const edit = (index: number) => {
    const uri = index % 10 === 0 ? "file:///a.cuh" : "file:///a.cu";
    texts.set(uri, `${texts.get(uri) ?? ""}int x${index};\n`);
    service.changed([uri]);
    service.check("file:///a.cu");
  };
  expect(memories.length).toBeGreaterThan(0);
  const size = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
  for (let i = 0; i < 20; i++) edit(i);
  const before = { trees, size: size() };
  for (let i = 20; i < 220; i++) edit(i);
  expect({ trees, size: size() }).toEqual(before);
  expect(trees).toBeGreaterThan(0);
  service.dispose();
  expect(trees).toBe(0);
});

it("learning many files leaves no trees and no memory behind", () => {
  const uris = Array.from({ length: 60 }, (_, i) => `file:///${i}.cu`);
  const service = createService({
    files: memoryFiles(new Map(uris.map((uri, i) => [uri, `${body}int x${i};\n`]))),
    parser,
    settingsOf: () => noSettings,
  });
  const size = () => memories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0);
  for (const uri of uris.slice(0, 10)) service.checkInBatch(uri);
  const before = { trees, size: size() };
  for (const uri of uris.slice(10)) service.checkInBatch(uri);
  expect({ trees, size: size() }).toEqual(before);
  service.dispose();
});
