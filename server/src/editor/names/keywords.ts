/** The keywords of C and C++, which a build may compile a file as. */

const cKeywords = [
  ...["auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto"],
  ...["if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch"],
  ...["typedef", "union", "unsigned", "void", "volatile", "while", "_Bool", "_Complex", "_Imaginary", "typeof", "asm"],
];
const cplusplusKeywords = [
  ...["alignas", "alignof", "and", "and_eq", "bitand", "bitor", "bool", "catch", "char16_t", "char32_t", "char8_t", "class", "compl"],
  ...["concept", "const_cast", "consteval", "constexpr", "constinit", "co_await", "co_return", "co_yield", "decltype", "delete"],
  ...["dynamic_cast", "explicit", "export", "false", "friend", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr"],
  ...["operator", "or", "or_eq", "private", "protected", "public", "reinterpret_cast", "requires", "static_assert", "static_cast"],
  ...["template", "this", "thread_local", "throw", "true", "try", "typeid", "typename", "using", "virtual", "wchar_t", "xor", "xor_eq"],
];
const keywords: ReadonlySet<string> = new Set([...cKeywords, ...cplusplusKeywords]);

/** True for a word that no declaration can name in one of the languages. */
export function isKeyword(word: string): boolean {
  return keywords.has(word);
}
