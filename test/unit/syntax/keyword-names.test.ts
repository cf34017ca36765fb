/** A C text may use keywords of C++ as names. */
import { describe, expect, test } from "vitest";
import { readTokens } from "../../../server/src/syntax/text/atoms.ts";
import { nameKeywords } from "../../../server/src/syntax/text/keyword-names.ts";

const named = (text: string): string => nameKeywords(text, readTokens(text));

describe("C++'s keywords as names", () => {
  test.each([
    ["void f(T *this, int new) { this[new] = 1; }", "void f(T *____, int ___) { ____[___] = 1; }"],
    [
      "struct S { int class; }; int g(struct S *s) { return s->class; }",
      "struct S { int _____; }; int g(struct S *s) { return s->_____; }",
    ],
    ["void delete(int *p);", "void ______(int *p);"],
    ["int x, public[3];", "int x, public[3];"],
  ])("%s", (text, expected) => {
    expect(named(text)).toBe(expected);
  });

  test.each([
    "struct S { S &f() { g(*this, a * b); return *this; } S() = delete; };",
    "template <class T, typename = void> struct S { using type = T; };",
    "T *p = new T; delete p; x = a * this->n; if (this) throw; f<class>(3);",
    "struct S { virtual void f() noexcept; void operator()(int); S operator*(S); };",
    "auto l = [this, x] { return this; }; void g(T) noexcept; enum class E : char16_t { a };",
  ])("%s is C++", (text) => {
    expect(named(text)).toBe(text);
  });
});
