/** `compare` and `commonPointer` agree with clang's verdict on every pair of the recorded types. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Dialect, dialectsOf, noSettings, type OpenCLStandard, openclDialect } from "../../../server/src/dialect.ts";
import type { AddressSpace } from "../../../server/src/qualifiers.ts";
import { overlaps } from "../../../server/src/semantics/types/address-spaces.ts";
import { pointeeQualifiers } from "../../../server/src/semantics/types/compatible.ts";
import { type CastKind, commonPointer, compare, type Verdict } from "../../../server/src/semantics/types/conversion-rules.ts";
import {
  addQualifiers,
  arithmetic,
  pointerTo,
  printType,
  type Type,
  unknownType,
  unqualified,
  unqualifiedType,
} from "../../../server/src/semantics/types/types.ts";
import { type ConversionRecord, type Operation, readPointerType } from "./conversion-record.ts";

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "conversions.verdicts.json"), "utf8")) as ConversionRecord;

function dialectOf(pass: string): Dialect {
  if (pass === "CUDA") return dialectsOf("cuda", noSettings, "")[0];
  if (pass === "CL3.0min") return openclDialect("CL3.0", new Map([["all", false]]));
  return openclDialect(pass as OpenCLStandard);
}

/** Our verdict in the letters of the record. */
function codeOf(verdict: Verdict): string {
  const cased = (letter: string, isError: boolean) => (isError ? letter : letter.toLowerCase());
  switch (verdict.kind) {
    case "ok":
      return ".";
    case "unknown":
      return "?";
    case "changes-address-space":
      return cased(verdict.isNested ? "N" : "S", verdict.isError);
    case "discards-qualifiers":
      return cased(verdict.isNested ? "R" : "Q", verdict.isError);
    case "changes-type":
    case "incompatible":
      return "I";
  }
}

const operators: Readonly<Record<Operation, string>> = {
  assign: "=",
  cast: "()",
  equal: "==",
  less: "<",
  subtract: "-",
  conditional: "?:",
};

function judge(operation: Operation, from: Type, to: Type, dialect: Dialect): Verdict {
  if (operation === "assign" || operation === "cast") return compare(from, to, dialect, operation === "cast");
  return commonPointer(from, to, dialect, operators[operation]).verdict;
}

/** True if our verdict means the same as clang's. Verdicts that differ only in their reason are equal if we do not report that reason. */
function agrees(operation: Operation, ours: string, clang: string, from: Type, to: Type): boolean {
  if (ours === clang || (ours === "I" && clang === "i")) return true;
  const spaces = [from, to].map((type) => (type.kind === "pointer" ? pointeeQualifiers(type.pointee).space : undefined));
  const areDisjoint = spaces[0] !== undefined && spaces[1] !== undefined && !overlaps(spaces[0], spaces[1]);
  switch (operation) {
    case "assign":
      // For pointers of different depths, clang reports incompatible types; we report the different spaces.
      return clang === "I" && ours === "N" && depthOf(from) !== depthOf(to);
    case "cast":
      return false;
    case "conditional":
      // Every standard forbids this, although clang accepts it.
      if (ours === "s") return clang === "." && areDisjoint;
      return isUnexplained(ours, clang, areDisjoint);
    case "equal":
    case "less":
      // An ordering with a void pointer is an extension that clang warns about.
      if (operation === "less" && clang === "i" && ours === ".") return isVoid(from) !== isVoid(to);
      return isUnexplained(ours, clang, areDisjoint);
    case "subtract":
      if (clang === "I" && ours === ".") return isVoid(from) && isVoid(to);
      // clang compares the pointees before the spaces.
      return clang === "I" && ((ours === "S" && areDisjoint) || ours === "N");
  }
}

function isUnexplained(ours: string, clang: string, areDisjoint: boolean): boolean {
  return (clang === "X" && (ours === "I" || ours === "N" || (ours === "S" && areDisjoint))) || (clang === "i" && ours === "n");
}

function depthOf(type: Type): number {
  return type.kind === "pointer" ? 1 + depthOf(type.pointee) : 0;
}

function isVoid(type: Type): boolean {
  return type.kind === "pointer" && type.pointee.kind === "void";
}

function spellPointer(said: string, ours: Type | undefined): string {
  const type = unqualifiedType(readPointerType(said));
  const isSpaceless = type.kind === "pointer" && type.pointee.kind === "void" && type.pointee.qualifiers.space === undefined;
  const space = ours?.kind === "pointer" && ours.pointee.qualifiers.space === "generic" ? ours.pointee.qualifiers.space : undefined;
  return printType(isSpaceless ? pointerTo(addQualifiers(type.pointee, { space })) : type);
}

for (const [pass, { types, tables, conditionalTypes }] of Object.entries(recorded.passes)) {
  const dialect = dialectOf(pass);
  const read = new Map(types.map((text) => [text, readPointerType(text)]));
  describe(pass, () => {
    for (const [operation, rows] of Object.entries(tables) as [Operation, readonly string[]][]) {
      it(`judges ${rows.length * rows.length} pairs of ${operation} as clang does`, () => {
        const wrong: string[] = [];
        for (const [row, codes] of rows.entries()) {
          for (const [column, clang] of [...codes].entries()) {
            const [from, to] = [types[row] ?? "", types[column] ?? ""];
            const [a, b] = [read.get(from), read.get(to)];
            if (a === undefined || b === undefined) throw new Error("a row without a type");
            const ours = codeOf(judge(operation, a, b, dialect));
            if (!agrees(operation, ours, clang, a, b)) wrong.push(`${from} → ${to}: clang ${clang}, we ${ours}`);
          }
        }
        expect(wrong).toEqual([]);
      });
    }

    it(`gives ${conditionalTypes.length} conditional expressions clang's type`, () => {
      const wrong: string[] = [];
      for (const line of conditionalTypes) {
        const [left = "", right = "", said = ""] = line.split(" | ");
        const { type, verdict } = commonPointer(readPointerType(left), readPointerType(right), dialect, "?:");
        // clang invents a space for the resulting void pointer; our result has no type.
        if (verdict.kind === "changes-address-space" && !verdict.isNested) continue;
        // For void pointers, clang prefers a named space to the generic one; an lvalue keeps its own space.
        const expected = spellPointer(said, type);
        if (type === undefined || printType(type) !== expected)
          wrong.push(`${left} : ${right}: clang ${expected}, we ${type === undefined ? "nothing" : printType(type)}`);
      }
      expect(wrong).toEqual([]);
    });
  });
}

describe("conversions that the tables do not cover", () => {
  const withGeneric = openclDialect("CL2.0");
  const cplusplus = openclDialect("clc++2021");
  const pointer = (text: string) => readPointerType(text);
  const pointee = (text: string): Type => {
    const type = readPointerType(text);
    if (type.kind !== "pointer") throw new Error(`${text} is not a pointer`);
    return type.pointee;
  };
  const reference = (text: string): Type => ({ kind: "reference", referent: pointee(text), isRvalue: false, qualifiers: unqualified });
  const unknownIn = (space: AddressSpace | undefined): Type => pointerTo({ ...unknownType, qualifiers: { ...unqualified, space } });

  it("judges the spaces of pointees whose type is unknown, and nothing else about them", () => {
    expect(codeOf(compare(unknownIn("global"), unknownIn("local"), withGeneric, false))).toBe("S");
    expect(codeOf(compare(unknownIn("global"), unknownIn("generic"), withGeneric, false))).toBe("?");
    expect(codeOf(compare(unknownIn("global"), unknownIn(undefined), withGeneric, false))).toBe("?");
    expect(codeOf(compare(pointer("__global const int *"), unknownIn("global"), withGeneric, false))).toBe("?");
    expect(codeOf(compare(unknownIn("constant"), pointer("__generic int *"), withGeneric, true))).toBe("S");
    expect(
      codeOf(
        compare(
          pointerTo(addQualifiers(unknownIn("global"), { space: "private" })),
          pointer("__local int *__private *"),
          withGeneric,
          false,
        ),
      ),
    ).toBe("N");
    expect(
      codeOf(compare(pointerTo(addQualifiers(unknownType, { space: "private" })), pointer("__local int *__private *"), withGeneric, false)),
    ).toBe("?");
    expect(codeOf(compare(unknownType, pointer("__local int *"), withGeneric, false))).toBe("?");
    expect(codeOf(commonPointer(unknownIn("global"), unknownIn("local"), withGeneric).verdict)).toBe("S");
    expect(commonPointer(unknownIn("global"), unknownIn("global"), withGeneric, "?:")).toEqual({
      verdict: { kind: "unknown" },
      type: undefined,
    });
  });

  it("treats arrays as the pointers that they decay to", () => {
    const array: Type = { kind: "array", element: pointee("__local float *"), length: 4, extent: "fixed", qualifiers: unqualified };
    expect(codeOf(compare(array, pointer("__local float *"), withGeneric, false))).toBe(".");
    expect(codeOf(compare(array, pointer("__global float *"), withGeneric, false))).toBe("S");
    const row: Type = { ...array, qualifiers: pointee("__local float *").qualifiers };
    expect(codeOf(compare(pointerTo(row), pointerTo({ ...row, length: undefined, extent: "absent" }), withGeneric, false))).toBe(".");
    expect(codeOf(compare(pointerTo(row), pointerTo({ ...row, length: 5 }), withGeneric, false))).toBe("I");
  });

  it("compares nested pointers in the elements of arrays", () => {
    const arrayOf = (element: Type): Type => ({ kind: "array", element, length: 4, extent: "fixed", qualifiers: element.qualifiers });
    const globals = pointerTo(arrayOf(pointee("__global int *__private *")));
    const locals = pointerTo(arrayOf(pointee("__local int *__private *")));
    expect(codeOf(compare(globals, globals, withGeneric, false))).toBe(".");
    expect(codeOf(compare(locals, globals, withGeneric, false))).toBe("N");
    // A cast is only asked for pointers to pointers.
    expect(codeOf(compare(locals, globals, withGeneric, true))).toBe(".");
  });

  it("finds no address space wrong in conversions to integers and truth values, and from nullptr", () => {
    expect(codeOf(compare(pointer("__local int *"), arithmetic("unsigned long"), withGeneric, true))).toBe("I");
    expect(codeOf(compare(pointer("__local int *"), arithmetic("bool"), withGeneric, false))).toBe(".");
    expect(codeOf(compare(arithmetic("long"), pointer("__local int *"), withGeneric, true))).toBe("I");
    expect(codeOf(compare({ kind: "nullptr", qualifiers: unqualified }, pointer("__local int *"), cplusplus, false))).toBe(".");
  });

  // The verdicts of clang 22 on `T &r = *p;` in C++ for OpenCL 2021.
  it.each([
    ["__global int *", "__global int *", "."],
    ["__global int *", "__generic int *", "."],
    ["__global int *", "__global const int *", "."],
    ["__global int *", "__local int *", "S"],
    ["__constant int *", "__generic const int *", "S"],
    ["__generic int *", "__global int *", "S"],
    ["__global const int *", "__generic int *", "Q"],
    ["__global volatile int *", "__global const int *", "Q"],
    ["__global float *", "__global int *", "I"],
  ])("binds an object of %s to a reference of %s: %s", (from, to, expected) => {
    expect(codeOf(compare(pointee(from), reference(to), cplusplus, false))).toBe(expected);
    expect(codeOf(compare(pointee(from), reference(to), cplusplus, true, "static_cast"))).toBe(expected);
    expect(codeOf(compare(pointee(from), reference(to), cplusplus, true))).toBe(".");
  });

  // The verdicts of clang 22 on static_cast, reinterpret_cast, const_cast, addrspace_cast and C-style casts.
  it.each([
    ["__global int *", "__generic int *", "..S.."],
    ["__generic int *", "__global int *", "SSS.."],
    ["__global int *", "__local int *", "SSSSS"],
    ["__constant int *", "__generic int *", "SSSSS"],
    ["__global const int *", "__global int *", "QQ.I."],
    ["__global int *__private *", "__local int *__private *", "NnNNn"],
  ])("judges each kind of cast from %s to %s", (from, to, expected) => {
    const casts: readonly CastKind[] = ["static_cast", "reinterpret_cast", "const_cast", "addrspace_cast", "c-style"];
    expect(casts.map((cast) => codeOf(compare(pointer(from), pointer(to), cplusplus, true, cast))).join("")).toBe(expected);
  });

  it("converts pointers to derived classes, keeping const", () => {
    const cuda = dialectOf("CUDA");
    const base = pointee("struct S *");
    if (base.kind !== "record") throw new Error("S is a structure");
    const derived: Type = { kind: "record", record: { ...base.record, bases: [base] }, qualifiers: { ...unqualified, const: true } };
    expect(codeOf(compare(pointerTo(derived), pointer("const struct S *"), cuda, false))).toBe(".");
    expect(codeOf(compare(pointerTo(derived), pointer("struct S *"), cuda, false))).toBe("Q");
    const open: Type = { kind: "record", record: { ...base.record, bases: [unknownType] }, qualifiers: unqualified };
    expect(codeOf(compare(pointerTo(open), pointer("struct S *"), cuda, false))).toBe("?");
  });
});
