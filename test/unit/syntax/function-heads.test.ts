/** Old-style definitions and function heads without a body are rewritten before they reach the grammar. */
import { describe, expect, test } from "vitest";
import { readTokens } from "../../../server/src/syntax/text/atoms.ts";
import { completeHeads } from "../../../server/src/syntax/text/function-heads.ts";

const completed = (text: string): string => completeHeads(text, readTokens(text));

describe("old-style definitions", () => {
  test.each([
    ["int f(a, b) int a; T *b; { }", "int f(      int a, T *b) { }"],
    ["int f(a) struct S { int x; } a; { }", "int f(   struct S { int x; } a) { }"],
    ["int f(a,\n  b) int b; { }", "int f(  \n     int b) { }"],
  ])("%s", (text, expected) => {
    expect(completed(text)).toBe(expected);
  });

  test.each([
    "MACRO(a, b) int a = 3; struct S { };",
    "int f(int a) { } int g(b);",
    "void f(a); int a; struct S { int b; };",
    "BEGIN(a) int a; void f() { }",
  ])("%s is left alone", (text) => {
    expect(completed(text)).toBe(text);
  });
});

describe("headers without a body", () => {
  test.each([
    ["__kernel void f(int a)\n__kernel void g() { }", "__kernel void f(int a);__kernel void g() { }"],
    ["int f(int a) static int g(int a) { }", "int f(int a);static int g(int a) { }"],
    ["T *f(int a)\n\nvoid g(void);", "T *f(int a);\nvoid g(void);"],
  ])("%s", (text, expected) => {
    expect(completed(text)).toBe(expected);
  });

  test.each([
    "MACRO(a) void g() { }",
    "__kernel BOUNDS(8) void g() { }",
    "void f() const; void g() { int x(3); }",
    "static DECL(f) struct S { };",
  ])("%s is left alone", (text) => {
    expect(completed(text)).toBe(text);
  });
});
