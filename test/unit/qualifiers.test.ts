/** The table of qualifiers: every other list of them agrees with it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { qualifiers, wordsWithRole } from "../../server/src/qualifiers.ts";

const root = join(import.meta.dirname, "../..");

describe("the table of qualifiers", () => {
  it("has each spelling once", () => {
    const all = qualifiers.flatMap(({ word, spellings = [] }) => [word, ...spellings]);
    expect(all.filter((word, index) => all.indexOf(word) !== index)).toEqual([]);
  });

  it("contains only words that the grammar knows", () => {
    const grammar = readFileSync(join(root, "grammars/grammar.js"), "utf8");
    const base = readFileSync(join(root, "node_modules/tree-sitter-cpp/grammar.js"), "utf8");
    const c = readFileSync(join(root, "node_modules/tree-sitter-cpp/src/grammar.json"), "utf8");
    const isKnown = (word: string) => [grammar, base, c].some((text) => text.includes(`"${word}"`) || text.includes(`'${word}'`));
    expect(qualifiers.map(({ word }) => word).filter((word) => !isKnown(word))).toEqual([]);
  });

  it("describes for every space who can access it and how long its objects live", () => {
    const spaces = qualifiers.filter(({ addressSpace, memorySpace }) => addressSpace !== undefined || memorySpace !== undefined);
    expect(spaces.length).toBe(wordsWithRole("address-space", "memory-space").length);
    expect(spaces.filter(({ documentation: { seen, lives } = {} }) => seen === undefined || lives === undefined)).toEqual([]);
  });
});
