/** Explains the effect of `const` and `restrict` on a variable, level by level. */
import type { Language } from "../../dialect.ts";
import type { Type } from "../../semantics/types/types.ts";
import { code } from "./markdown.ts";

/** One line for each level of the type that is const. */
export function constLines(name: string, type: Type): readonly string[] {
  const lines: string[] = [];
  if (type.kind === "reference") return type.referent.qualifiers.const ? [`${code(name)} is read-only`] : [];
  if (type.kind === "pointer") {
    if (type.pointee.qualifiers.const) lines.push(`Read-only through ${code(name)}; other code may write what it points to`);
    if (type.qualifiers.const) lines.push(`The pointer ${code(name)} itself is const`);
    else if (type.pointee.qualifiers.const) lines.push(`The pointer ${code(name)} itself is not const`);
  } else if (type.qualifiers.const) lines.push(`${code(name)} is read-only`);
  return lines;
}

/** The guarantee of `restrict` (C11 §6.7.3.1). */
export function restrictLine(name: string, type: Type, language: Language): string | undefined {
  if (type.kind !== "pointer" || !type.qualifiers.restrict) return undefined;
  const word = language === "cuda" ? "__restrict__" : "restrict";
  const promise = `${code(word)} is a promise: while ${code(name)} is in scope, memory that is written is accessed only through it; the compiler does not check`;
  const cache =
    language === "cuda" && type.pointee.qualifiers.const ? ". With a const pointee nvcc may load through the read-only data cache" : "";
  return promise + cache;
}
