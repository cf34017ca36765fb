/** Snippets of OpenCL kernels, in the spelling of the file: a kernel, loops over work-items and an array in local memory. */
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { spellWordIn } from "../../rules/fixes/spaces.ts";
import { codeTokens, itemAround, type Position } from "../names/tokens.ts";
import type { CompletionEntry } from "./completion.ts";

/** The snippets for a place where an item or a statement may begin. */
export function snippetsFor(
  { depth, open, before }: Position,
  { unit }: AnalyzedUnit,
  text: string,
  offset: number,
): readonly CompletionEntry[] {
  if (before !== undefined && !/^[;{}]$/.test(before.text) && !(depth === 0 && open.length === 0 && before.text === ")")) return [];
  const kernel = spellWordIn(unit, "__kernel");
  if (depth === 0) {
    const body = `${kernel} void \${1:name}(${spellWordIn(unit, "__global")} \${2:float} *\${3:out}) {\n\tsize_t i = get_global_id(0);\n\t$0\n}`;
    return open.length > 0 ? [] : [snippet("kernel function", kernel, body, "a kernel for one-dimensional ranges")];
  }
  if (open.at(-1)?.sign !== "{") return [];
  const loop = (level: string) =>
    `for (size_t \${1:i} = get_${level}_id(0); \${1:i} < \${2:n}; \${1:i} += get_${level}_size(0)) {\n\t$0\n}`;
  const loops = [
    snippet("for each work-item of all", "for", loop("global"), "each work-item takes every n-th element"),
    snippet("for each work-item of the group", "for", loop("local"), "the work-group shares the elements"),
  ];
  // Only the outermost block of a kernel declares variables in local memory (OpenCL C 3.0 §6.7.1).
  if (depth > 1 || !isInKernel(text, offset)) return loops;
  const local = spellWordIn(unit, "__local");
  return [...loops, snippet("local array", local, `${local} \${1:float} \${2:tile}[\${3:256}];`, "an array that the work-group shares")];
}

function snippet(label: string, typedAs: string, text: string, detail: string): CompletionEntry {
  return { kind: "snippet", label, typedAs, detail, snippet: text, rank: 1 };
}

function isInKernel(text: string, offset: number): boolean {
  const item = itemAround(text, offset);
  if (item === undefined) return false;
  const head = codeTokens(text).filter(({ start, end }) => start >= item.start && end <= offset);
  return head
    .slice(
      0,
      head.findIndex((token) => token.text === "{"),
    )
    .some((token) => /^(?:__)?kernel$/.test(token.text));
}
