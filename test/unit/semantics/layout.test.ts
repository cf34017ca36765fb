/** The layout of records equals that of nvcc 13, gcc 12 and clang 22, which agree on x86-64. */
import { describe, expect, it } from "vitest";
import type { Dialect } from "../../../server/src/dialect.ts";
import { openclDialect } from "../../../server/src/dialect.ts";
import { alignOf, layoutOf, sizeOf } from "../../../server/src/semantics/types/layout.ts";
import type { Type } from "../../../server/src/semantics/types/types.ts";
import { analyzeText, cuda } from "./analyze-text.ts";

/** The record's name, its declaration, size, alignment. */
const recorded: readonly (readonly [string, string, number, number])[] = [
  ["Plain", "struct Plain { char a; int b; short c; };", 12, 4],
  ["Doubles", "struct Doubles { char a; double b; char c; };", 24, 8],
  ["Nested", "struct Nested { char a; struct { short x; char y; } b; char c; };", 8, 2],
  ["Union", "union Union { char a[5]; int b; double c; };", 8, 8],
  ["Empty", "struct Empty { };", 1, 1],
  ["Flexible", "struct Flexible { int n; int data[]; };", 4, 4],
  ["Packed", "struct __attribute__((packed)) Packed { char a; int b; short c; };", 7, 1],
  ["PackedInner", "struct Inner2 { char a; int b; }; struct __attribute__((packed)) PackedInner { char x; Inner2 y; };", 9, 1],
  ["Aligned", "struct __attribute__((aligned(16))) Aligned { int a; };", 16, 16],
  ["Alignas", "struct alignas(32) Alignas { float a[3]; };", 32, 32],
  ["PackedAligned", "struct __attribute__((packed, aligned(4))) PackedAligned { char a; int b; char c; };", 8, 4],
  ["Member", "struct Member { char a; alignas(16) float b; char c; };", 32, 16],
  ["MemberAttribute", "struct MemberAttribute { char a; int b __attribute__((aligned(8))); char c; };", 16, 8],
  ["Bits", "struct Bits { int a : 3; int b : 5; int c : 25; };", 8, 4],
  ["BitsMixed", "struct BitsMixed { char a; int b : 4; char c; };", 4, 4],
  ["BitsZero", "struct BitsZero { int a : 3; int : 0; int b : 2; };", 8, 4],
  ["BitsChar", "struct BitsChar { char a : 4; char b : 5; };", 2, 1],
  ["BitsShort", "struct BitsShort { short a : 9; int b : 20; };", 4, 4],
  ["BitsLong", "struct BitsLong { int a : 20; long b : 40; int c : 4; };", 8, 8],
  ["BitsUnnamed", "struct BitsUnnamed { char a; int : 5; char b; };", 3, 1],
  ["BitsUnnamedLast", "struct BitsUnnamedLast { char a; int : 12; };", 3, 1],
  ["BitsUnion", "union BitsUnion { int a : 3; char b; };", 4, 4],
  ["BitsPacked", "struct __attribute__((packed)) BitsPacked { char a; int b : 20; int c : 20; };", 6, 1],
  ["BitsBool", "struct BitsBool { bool a : 1; bool b : 1; unsigned c : 30; };", 4, 4],
  ["Virtual", "struct Virtual { virtual void f(); int a; };", 16, 8],
  ["VirtualDerived", "struct VBase1 { virtual void f(); int a; }; struct VirtualDerived : VBase1 { int b; };", 16, 8],
  ["VirtualLate", "struct VBase2 { int a; }; struct VirtualLate : VBase2 { virtual void f(); int b; };", 16, 8],
  ["Derived", "struct Base1 { int a; char b; }; struct Derived : Base1 { char c; };", 12, 4],
  ["DerivedConstructor", "struct Base2 { int a; char b; Base2(); }; struct DerivedConstructor : Base2 { char c; };", 8, 4],
  ["EmptyBase", "struct E1 { }; struct EmptyBase : E1 { int a; };", 4, 4],
  ["TwoBases", "struct B3 { char a; }; struct C3 { int b; }; struct TwoBases : B3, C3 { char c; };", 12, 4],
  ["DeepTail", "struct B4 { int a; char b; }; struct M4 : B4 { char c; }; struct DeepTail : M4 { char d; };", 12, 4],
  ["Reference", "struct Reference { char a; int &b; };", 16, 8],
  ["Pointers", "struct Pointers { char a; void *b; int (*c)(int); };", 24, 8],
  ["Enums", "enum Color { red }; enum class Small : char { one }; struct Enums { char a; Color b; Small c; };", 12, 4],
  ["Arrays", "struct Arrays { char a; float b[3][2]; short c[5]; };", 40, 4],
  ["Statics", "struct Statics { static int s; int a; };", 4, 4],
  ["Vectors", "struct Vectors { float a; float4 b; float3 c; float2 d; };", 64, 16],
  ["Wide", "struct Wide { char a; long b; long long c; bool d; };", 32, 8],
  ["Anonymous", "struct Anonymous { char a; union { int b; char c[6]; }; char d; };", 16, 4],
  ["EmptyMember", "struct E5 { }; struct EmptyMember { E5 a; int b; };", 8, 4],
  ["EmptyAlignedBase", "struct alignas(8) E6 { }; struct EmptyAlignedBase : E6 { char a; };", 8, 8],
  ["Hidden", "class Hidden0 { int a; char b; }; struct Hidden : Hidden0 { char c; };", 8, 4],
  ["Dtor", "struct D7 { int a; char b; ~D7(); }; struct Dtor : D7 { char c; };", 8, 4],
  ["Method", "struct B8 { int a; char b; int get(); }; struct Method : B8 { char c; };", 12, 4],
];

function typeOf(name: string, declaration: string, dialect: Dialect): Type {
  const { facts } = analyzeText(declaration, dialect);
  const record = facts.records.find(({ tag }) => tag === name);
  if (record === undefined) throw new Error(`no record ${name}`);
  return { kind: "record", record, qualifiers: { space: undefined, const: false, volatile: false, restrict: false } };
}

describe("CUDA records", () => {
  it.each(recorded)("%s", (name, declaration, size, alignment) => {
    const type = typeOf(name, declaration, cuda);
    expect([sizeOf(type), alignOf(type)]).toEqual([size, alignment]);
  });

  it.each([
    ["a template's member", "template <class T> struct S { T a; };"],
    ["an unknown member", "struct S { int a; Unseen b; };"],
    ["an unknown base", "struct S : Unseen { int a; };"],
    ["a virtual base", "struct B { int b; }; struct S : virtual B { int a; };"],
    ["an unknown length", "struct S { int a[LENGTH]; };"],
    ["an unknown alignment", "struct alignas(ALIGNMENT) S { int a; };"],
    ["an unknown member's alignment", "struct S { alignas(ALIGNMENT) int a; };"],
    ["an unknown bit width", "struct S { int a : WIDTH; };"],
    ["an empty base that must not share its address", "struct E { }; struct S : E { E a; int b; };"],
    ["an alignment that is a built-in type's", "struct S { alignas(double) char a; };"],
    ["a base whose members may be private", "struct B { int a; private: char b; }; struct S : B { char c; };"],
  ])("has none with %s", (_, declaration) => expect(sizeOf(typeOf("S", declaration, cuda))).toBeUndefined());

  it("gives the offsets of members", () => {
    const type = typeOf("S", "struct S { char a; int b; int c : 3; int d : 7; short e; };", cuda);
    const layout = type.kind === "record" ? layoutOf(type.record) : undefined;
    expect(layout?.fields.map(({ member, offset, size, padding, bits }) => [member.name, offset, size, padding, bits?.offset])).toEqual([
      ["a", 0, 1, 0, undefined],
      ["b", 4, 4, 3, undefined],
      ["c", 8, 1, 0, 64],
      ["d", 8, 2, 0, 67],
      ["e", 10, 2, 0, undefined],
    ]);
    expect(layout?.tailPadding).toBe(0);
  });

  it("takes the alignment of a type in alignas", () =>
    expect(alignOf(typeOf("S", "struct S { alignas(float4) char a; };", cuda))).toBe(16));
});

describe("OpenCL C types", () => {
  // The values of sizeof and alignof in clang 22.
  it.each([
    ["float3 a;", 16, 16],
    ["char a; float3 b;", 32, 16],
    ["uchar3 a;", 4, 4],
    ["half a; half4 b;", 16, 8],
    ["long16 a;", 128, 128],
    ["char a; double2 b; bool c;", 48, 16],
    ["size_t a; char b;", 16, 8],
    ["global int *a; local char *b; char c;", 24, 8],
    ["float a[3]; int2 b;", 24, 8],
    ["short3 a[2]; char b;", 24, 8],
  ] as const)("struct { %s }", (members, size, alignment) => {
    const type = typeOf("S", `struct S { ${members} };`, openclDialect("CL1.2"));
    expect([sizeOf(type), alignOf(type)]).toEqual([size, alignment]);
  });
});
