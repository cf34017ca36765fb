/** The lowered form of statements, in the compact notation of `show.ts`. */
import { describe, expect, test } from "vitest";
import { statements } from "./show.ts";

const cases: readonly (readonly [code: string, lowered: string])[] = [
  ["int a = 1, b(2), c{3}, d = {4};", "declare int | a = 1 | b (2) | c = {3} | d = {4}"],
  ["dim3 g(x, y * z);", "declare dim3 | g (x, (y * z))"],
  ["T h(int);", "declare T | (int) h"],
  ["T i();", "declare T | () i"],
  ["a * b;", "declare a | * b"],
  ["f(x);", "f(x)"],
  ["if (int n = g(); n > 1) h(); else { }", "if declare int | n = g(); [(n > 1)] h() else {  }"],
  ["if constexpr (x) ;", "if constexpr [x] empty"],
  ["while (T *p = q()) { }", "while [declare T | * p = q()] {  }"],
  ["do x(); while (y);", "do [y] x()"],
  ["for (int i = 0, j = 1; i < n; ++i, j--) x();", "for [declare int | i = 0 | j = 1; (i < n); ((++i) , (j--))] x()"],
  ["for (;;) ;", "for [; ; ] empty"],
  ["for (auto &x : y) z();", "for [declare auto | & x : y] z()"],
  ["for (int i = 0; auto v : w) ;", "{ declare int | i = 0; for [declare auto | v : w] empty }"],
  ["switch (x) { case 1: case 2: a(); break; default: b(); }", "switch [x] { label 1 {  }; label 2 { a(); jump }; label { b() } }"],
  ["l: c();", "label { c() }"],
  ["goto l;", "jump"],
  ["return;", "return"],
  ["return 1;", "return 1"],
  ["return {1, 2};", "return {1, 2}"],
  ["try { a(); } catch (const E &e) { b(); } catch (...) { }", "try { a() } catch { b() } catch {  }"],
  ["throw x;", "throw x"],
  ["throw;", "throw"],
  [`asm volatile("m" : "=r"(a) : "r"(b), "l"(c) : "memory");`, "asm (a) (b, c)"],
  [";", "empty"],
  ["{ }", "?"],
  ["__local float l[3];", "declare __local float | [3] l"],
  ["static __shared__ int s;", "declare static __shared__ int | s"],
  ["delete[] p;", "delete(p)"],
  ["using namespace a;", "using namespace a"],
  ["typedef int I;", "declare typedef int | I"],
  ["struct S { int a; };", "declare struct S { declare int | a }"],
  ["int x = ; y = 1; (;", "unknown { declare int | x = (y = 1) }; unknown {  }; unknown {  }"],
];

describe("statements", () => {
  test.each(cases)("%s", (code, lowered) => {
    expect(statements(code)).toBe(lowered);
  });
});
