/** A file is cut into pieces that together are the file. Cutting after an edit gives the same pieces as cutting the new text. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { createCutter } from "../../../server/src/preprocess/lexing/cut.ts";
import { createInterner } from "../../../server/src/preprocess/lexing/interner.ts";
import { tokenize, tokensOfPart } from "../../../server/src/preprocess/lexing/lexer.ts";
import { createPreludes } from "../../../server/src/preprocess/preludes.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import { createRows, type Row } from "../../../server/src/preprocess/row.ts";
import { prelude } from "../../../server/src/semantics/builtins/index.ts";
import type { FileUri } from "../../../server/src/source.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import { isThorough, sample, seedOf } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles } from "../../service.ts";

const interner = createInterner();
const rows = createRows(interner, createCutter(interner));
const rowOf = (text: string, earlier?: Row) => rows.of("file:///a.cu", text, true, earlier);
const textsOf = ({ pieces }: Row) => pieces.map(({ text }) => text);
const piecesWithStarts = ({ pieces, starts }: Row) => pieces.map(({ text }, at) => ({ text, start: starts[at] ?? 0 }));
const shapeOf = ({ pieces }: Row) => pieces.map(({ text, kind, state }) => ({ text, kind, state }));

/** Like `toEqual`, which takes far longer for long lists that are equal. */
function expectSame(value: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(value, expected)) expect(value).toEqual(expected);
}

describe("a piece", () => {
  it("ends after each item, and includes the text before the item", () => {
    const parts = ["// One.\nint a;\n", "\nvoid f(int x) {\n  if (x) { return; }\n}\n", "struct S { int x; } s;\n"];
    expect(textsOf(rowOf(parts.join("")))).toEqual(parts);
  });

  it("of its own is the beginning, or the end, of a namespace", () => {
    const parts = ["namespace n {\n", "int a;\n", "}\n", 'extern "C" {\n', "void f();\n", "}\n"];
    const row = rowOf(parts.join(""));
    expect(textsOf(row)).toEqual(parts);
    expect(row.pieces.map(({ kind }) => kind)).toEqual(["opens", "item", "closes", "opens", "item", "closes"]);
  });

  it("of its own is each beginning, or end, of a namespace on one line", () => {
    const parts = [
      "namespace a {",
      " inline namespace b {",
      " namespace c::d { // Nested.\n",
      "int a;\n",
      "int c;",
      "}",
      " }",
      "}; // a\n",
      "int b;\n",
    ];
    const row = rowOf(parts.join(""));
    expect(textsOf(row)).toEqual(parts);
    expect(row.pieces.map(({ kind }) => kind)).toEqual(["opens", "opens", "opens", "item", "item", "closes", "closes", "closes", "item"]);
  });

  it("ends before the end of a namespace, although its text may be a macro that contains declarations", () => {
    const parts = ["namespace n {\n", "FOR(int)\nFOR(float)\n", "} // n\n", "namespace m {\n", "#if A\nFOR(int)\n#endif\n", "}\n"];
    const row = rowOf(parts.join(""));
    expect(textsOf(row)).toEqual(parts);
    expect(row.pieces.map(({ kind }) => kind)).toEqual(["opens", "item", "closes", "opens", "item", "closes"]);
  });

  it("is a whole namespace, or several, that one line opens and closes", () => {
    const parts = ["namespace a { struct S; }\n", "namespace a { namespace b { struct T; }}\n", "int b;\n"];
    expect(textsOf(rowOf(parts.join("")))).toEqual(parts);
  });

  it("does not end inside of an item whose brackets are split over branches", () => {
    const parts = ["void f() {\n#if A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\n", "int b;\n"];
    expect(textsOf(rowOf(parts.join("")))).toEqual(parts);
  });

  it("may be inside of a conditional", () => {
    const parts = ["#ifndef GUARD\n#define GUARD\nint a;\n", "void f() {\n}\n", "#endif\n"];
    expect(textsOf(rowOf(parts.join("")))).toEqual(parts);
  });

  it("does not begin with the continuation of an item", () => {
    for (const whole of [
      "S::S() : a(1)\n{\n}\n",
      "auto f = [](int x) { return x; }\n;\n",
      "int f(a)\nint a;\n{\n}\n",
      "void f() try {\n}\ncatch (...) {\n}\n",
    ])
      expect(textsOf(rowOf(`${whole}int b;\n`))).toEqual([whole, "int b;\n"]);
  });

  it("ends before the next item if it is never closed", () => {
    const parts = ["void f() {\n  if (a {\n", "\nvoid g() {\n}\n", "int b;\n"];
    const row = rowOf(parts.join(""));
    expect(textsOf(row)).toEqual(parts);
    expect(row.pieces.map(({ kind }) => kind)).toEqual(["unfinished", "item", "item"]);
  });

  it("ends before the next item if it is never closed, however many tokens it has", () => {
    const parts = [`void f()\n{\n  if (a {\n${"  b[0] = 1;\n".repeat(20)}`, "\nvoid g() {\n}\n"];
    expect(textsOf(rowOf(parts.join("")))).toEqual(parts);
  });

  it("ends with its braces, even if a parenthesis in them is unclosed", () => {
    const parts = ["void f() {\n  g(1;\n}\n", "void h() {\n}\n"];
    expect(textsOf(rowOf(parts.join("")))).toEqual(parts);
  });
});

describe("the tokens of a part of a text", () => {
  it("equal those of the part alone, whether it is a piece or the rest of the text", () => {
    for (const { files } of sample(loadFixtures(), 2))
      for (const { text } of files) {
        const tokens = tokenize(text, interner, true);
        for (const { text: piece, start } of piecesWithStarts(rowOf(text)).filter((_, at) => isThorough || at === 1 || at % 16 === 3))
          for (const part of isThorough || start < 2_000 ? [piece, text.slice(start)] : [piece])
            expectSame(tokensOfPart(tokens, start, part, interner, true), tokenize(part, interner, true));
      }
  });
});

describe("rows", () => {
  const fixtures = loadFixtures().flatMap(({ files }) => files.map(({ text }) => text));

  it("joined are the text of the file", () => {
    for (const text of fixtures) expect(textsOf(rowOf(text)).join("")).toBe(text);
  });

  it("keep the pieces that an edit does not change", () => {
    const before = rowOf("int a;\nvoid f() {\n  a = 1;\n}\nint b;\n");
    const after = rowOf("int a;\nvoid f() {\n  a = 12;\n}\nint b;\n", before);
    expect(after.pieces.map((piece, at) => piece === before.pieces[at])).toEqual([true, false, true]);
    expect(after.pieces[1]?.uri).toBe(before.pieces[1]?.uri);
  });

  it("equal those of the new text if an edit continues the last item after a blank line, or closes an unfinished one", () => {
    const afterEdit = (before: string, after: string) => shapeOf(rowOf(after, rowOf(before)));
    const last = "int a;\nvoid f() { a = 1; }\n\n";
    expect(afterEdit(last, `${last};`)).toEqual(shapeOf(rowOf(`${last};`)));
    const open = "struct A {\n  int f(  { int x; }\n  { g() { };\n};\nunion { int a; flo\n\nint b;\nt c; };\nint d;\n";
    const closed = open.replace("g()", "}g()");
    expect(afterEdit(open, closed)).toEqual(shapeOf(rowOf(closed)));
    const prototypes = "void f();\nint a;\n";
    expect(afterEdit(prototypes, `${prototypes}{`)).toEqual(shapeOf(rowOf(`${prototypes}{`)));
    const table = "int (*table)[2] = {\n  0\n};\nstatic int f(a, b) {\n  a = b;\n}\n";
    const declaring = table.replace("(a, b)", ", a, b;");
    expect(afterEdit(table, declaring)).toEqual(shapeOf(rowOf(declaring)));
  });

  it.each([
    ["the end of a namespace", "namespace n {\n"],
    ["a bracket without a partner", ""],
  ])("equal those of the new text if %s closes what an edit opens", (_what, first) => {
    const before = `${first}int f() {\n}\n\nint g() {\n}\n}\n`;
    const after = before.replace("{\n}", "{ {\n}");
    expect(shapeOf(rowOf(after, rowOf(before)))).toEqual(shapeOf(rowOf(after)));
  });

  it("equal those of the new text after any edits", () => {
    let seed = seedOf(7) & 0x7fffffff;
    const below = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return (seed >> 8) % limit;
    };
    const inserted = [
      "",
      "}}",
      "};\n",
      "namespace n { namespace m {\n",
      "x",
      "{",
      "}",
      "(",
      ")",
      ";",
      "\n",
      "/*",
      "*/",
      "\n\nint a;\n",
      '"',
      "namespace n {\n",
      "//",
      "int f() {\n}\n",
    ];
    let different = 0;
    let edits = 0;
    for (const fixture of sample(fixtures, 10)) {
      let text = fixture;
      let row = rowOf(text);
      for (let edit = 0; edit < 8; edit += 1) {
        const at = below(text.length + 1);
        text = text.slice(0, at) + (inserted[below(inserted.length)] ?? "") + text.slice(at + below(3));
        row = rowOf(text, row);
        edits += 1;
        if (JSON.stringify(shapeOf(row)) !== JSON.stringify(shapeOf(rowOf(text)))) different += 1;
      }
    }
    expect(edits).toBeGreaterThan(500);
    expect(different).toBe(0);
  });
});

it("the pieces of a document that is opened again leave no spellings behind", () => {
  const preludes = createPreludes();
  const dialect = openclDialect("CL2.0");
  const texts = new Map<string, string>();
  const preprocessor = createPreprocessor(memoryFiles(texts), preludes);
  const read = (text: string): number => {
    texts.set("file:///a.cl", text);
    preprocessor.forget(["file:///a.cl"]);
    const row = preprocessor.row("file:///a.cl" as FileUri, dialect, undefined);
    if (typeof row === "string") throw new Error(row);
    const { pieces } = inOneGo(preprocessor.readList(row, () => undefined, dialect, noSettings, prelude(dialect), undefined));
    expect(pieces.length).toBeGreaterThan(2);
    return preludes.interner.count();
  };
  const text = "int a;\nvoid f() {\n  a = 1;\n}\nint b;\n";
  const before = read(text);
  expect([read(`${text}int a;\n`), read(text)]).toEqual([before, before]);
});
