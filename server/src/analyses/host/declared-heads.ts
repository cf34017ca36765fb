/**
 * Decides whether the head of a function's declaration may have specifiers that this configuration does not show: a macro that is
 * empty here, or that another branch or another project setting defines as an execution space.
 */
import { fileOf } from "../../preprocess/row.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { FunctionDeclaration } from "../../semantics/types/symbols.ts";
import type { FileUri } from "../../source.ts";

/** Words that may stand in a macro for specifiers without changing where a function runs. */
const harmless = new Set(
  "inline static constexpr extern explicit virtual friend const volatile typename template noexcept unsigned signed void bool char short int long float double auto C __inline__ __inline __forceinline __forceinline__ __noinline__ __attribute__ always_inline noinline __always_inline__ __noinline__ nodiscard maybe_unused unused gnu flatten hot __declspec dllexport dllimport visibility default".split(
    " ",
  ),
);

/** The longest head that is examined. */
const longest = 2000;

/** True if some word of the author's text before the function's name may stand for a specifier. */
export function mayHideSpecifier(declaration: FunctionDeclaration, textOf: (uri: FileUri) => string): boolean {
  const { place, namePlace, words } = declaration;
  const { uri, span } = codeAt(namePlace);
  const text = textOf(uri);
  const before = withoutComments(text.slice(Math.max(0, span.start - longest), span.start));
  const from = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"));
  const head = before.slice(from + 1).replace(/^[ \t]*#.*$/gm, "");
  const { view } = place.unit;
  const known = view.text.slice(Math.max(0, namePlace.span.start - head.length - longest), namePlace.span.start);
  const unknown = [...new Set(head.match(/[A-Za-z_]\w*/g) ?? [])].filter((name) => !harmless.has(name) && !hasToken(known, name));
  return unknown.some((name) => {
    const word = words.find((each) => each.place.unit.view.origin(each.place.span).macro?.name === name);
    const definition = word?.place.unit.view.origin(word.place.span).macro?.definition;
    if (word === undefined || definition === undefined) return true;
    return !isHarmlessMacro(name, textOf(fileOf(definition.uri)));
  });
}

function hasToken(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, " ");
}

/** True if every definition of the macro in the text consists of harmless words. */
function isHarmlessMacro(name: string, text: string): boolean {
  const definitions = [...text.matchAll(new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${name}\\b(?<body>(?:\\\\\\r?\\n|[^\\n])*)`, "gm"))];
  return (
    definitions.length > 0 &&
    definitions.every(({ groups }) =>
      (withoutComments(groups?.body ?? "").match(/[A-Za-z_]\w*/g) ?? []).every((word) => harmless.has(word)),
    )
  );
}
