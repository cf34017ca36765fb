/**
 * Replaces C++ keywords that are ordinary names in OpenCL C: `void f(global int *this, int template)`. The grammar is that of C++.
 * A text that declares such a name must be C, so the word is replaced in the whole text by a name of the same length. The result
 * depends only on the text.
 */
import { isKeyword, type TokenText } from "./atoms.ts";

const cplusplusWords = new Set([
  ...["this", "template", "typename", "class", "new", "delete", "namespace", "try", "catch", "throw", "operator", "public", "protected"],
  ...["virtual", "friend", "using", "explicit", "export", "mutable", "typeid", "noexcept", "constexpr", "consteval", "constinit"],
  ...["static_cast", "const_cast", "reinterpret_cast", "dynamic_cast", "concept", "requires", "co_await", "co_return", "co_yield"],
  ...["nullptr", "thread_local", "decltype", "wchar_t", "char8_t", "char16_t", "char32_t"],
]);

/** The rewritten text, of the same length; unchanged if none of these words is declared as a name. */
export function nameKeywords(text: string, tokens: TokenText): string {
  const declared = new Set<string>();
  for (let at = 0; at < tokens.count; at++) {
    const word = tokens.text(at);
    if (cplusplusWords.has(word) && !declared.has(word) && isDeclared(tokens, at)) declared.add(word);
  }
  if (declared.size === 0) return text;
  let result = "";
  let from = 0;
  for (let at = 0; at < tokens.count; at++) {
    if (!declared.has(tokens.text(at))) continue;
    result += text.slice(from, tokens.start(at)) + "_".repeat(tokens.end(at) - tokens.start(at));
    from = tokens.end(at);
  }
  return result + text.slice(from);
}

/** True where C++ does not allow the keyword: after a type, or after the stars that follow one, and before the end of a declarator. */
function isDeclared(tokens: TokenText, at: number): boolean {
  const after = tokens.text(at + 1);
  // A tag: `struct this {`, `enum class *p`; C++'s own `enum class` is followed by its name.
  if (/^(struct|union|enum)$/.test(tokens.text(at - 1)) && /^[{*]$/.test(after)) return true;
  const isFunction = after === "(" && tokens.scope(at) === "items" && tokens.text(at) !== "operator";
  if (!isFunction && (!/^[,;=[)]$/.test(after) || (after === "=" && tokens.text(at + 2) === "="))) return false;
  let before = at - 1;
  while (/^(\*|const|volatile|restrict|__restrict|__(global|local|constant|private|generic))$/.test(tokens.text(before))) before--;
  return isType(tokens, before);
}

function isType(tokens: TokenText, at: number): boolean {
  const word = tokens.text(at);
  if (/^(void|bool|char|short|int|long|float|double|half|signed|unsigned)$/.test(word)) return true;
  // `struct S *this`, `float4 class`; a name alone may be the operand of a product.
  const isTag = /^(struct|union|enum)$/.test(tokens.text(at - 1));
  if (!/^[A-Za-z_]\w*$/.test(word) || (!isTag && (isKeyword(word) || cplusplusWords.has(word)))) return false;
  return /^[(,;{}]$|^$|^(struct|union|enum|const|volatile|static|__(global|local|constant|private|generic))$/.test(tokens.text(at - 1));
}
