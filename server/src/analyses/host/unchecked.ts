/**
 * Recognizes code for which nvcc's check that code does not call functions of the other side may not hold: a pragma turns it off, or a
 * macro that was not read may leave the code to one side. The text around a function is searched, because a macro may stand for the
 * pragma.
 */
import { countUpTo } from "../../lists.ts";
import { memo } from "../../memo.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import type { View } from "../../preprocess/view/view.ts";
import type { Facts, SideCallFact } from "../../semantics/facts/facts.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import type { FileUri } from "../../source.ts";

/** How many characters before a function are searched for a pragma, or a macro for one. */
const searched = 400;

/** True if a pragma turns nvcc's check off for the function, or for a part of the file. */
export function isUnchecked({ within, place }: Pick<SideCallFact, "within" | "place">, textOf: (uri: FileUri) => string): boolean {
  if (/nv_diag_suppress|diag_suppress|"\s*clang force_cuda_host_device/.test(textOf(codeAt(place).uri))) return true;
  return (within?.declarations ?? []).some((each) => {
    const { uri, span } = codeAt(each.place);
    const before = textOf(uri).slice(Math.max(0, span.start - searched), span.start);
    return /exec_?check|hd_warning_disable|suppress/i.test(
      before.slice(Math.max(before.lastIndexOf(";"), before.lastIndexOf("}"), before.lastIndexOf("{")) + 1),
    );
  });
}

/** The C library's functions, which may be undeclared here, have names in lower case. */
const macroName = /^\w*[A-Z]\w*$/;
/** What matters to the brackets of a text: a literal, the end of an item in the first column, a word with a parenthesis, or a bracket. */
const bracket = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\n\}|\b(\w+)\s*\(|[()[\]{}]/g;

/** An opening bracket in a View. */
interface Bracket {
  /** The word in front of it. */
  readonly name: string | undefined;
  /** The start of that word, or of the bracket. */
  readonly start: number;
  /** The place of the closing bracket. */
  end: number;
  readonly outer: Bracket | undefined;
}

/** The opening brackets of a View, in their order. A `}` in the first column ends an item, so it closes all. */
const bracketsIn = memo(({ text }: View): readonly Bracket[] => {
  const all: Bracket[] = [];
  let open: Bracket | undefined;
  for (const { 0: sign, 1: name, index } of text.matchAll(bracket)) {
    if (/[([{]$/.test(sign)) {
      open = { name, start: index, end: text.length, outer: open };
      all.push(open);
    } else if (sign === "\n}") {
      for (; open !== undefined; open = open.outer) open.end = index;
    } else if (/^[)\]}]$/.test(sign) && open !== undefined) {
      open.end = index;
      open = open.outer;
    }
  }
  return all;
});

/**
 * True for a part of an argument of an undeclared name, which may be a macro that one of the two compilations drops:
 * `DEVICE_ONLY(__trap())`. The text is searched, because such an argument may consist of statements: `IF_DEVICE(f(); g();)`.
 */
export function mayBeDropped({ unit, span }: Place, facts: Facts): boolean {
  const all = bracketsIn(unit.view);
  const last = countUpTo(all.length, (index) => all[index]?.start, span.start - 1) - 1;
  for (let around = all[last]; around !== undefined; around = around.outer) {
    const { name, end } = around;
    if (end >= span.start && name !== undefined && macroName.test(name) && !declaredNames(facts).has(name)) return true;
  }
  return false;
}

/** The names that the file declares or that its calls find. None of them is a macro, which would replace it in its declaration too. */
const declaredNames = memo(({ functions, variables, records, typedefs, references, calls }: Facts): ReadonlySet<string> => {
  const called = calls.flatMap(({ callee }) => (callee === undefined ? [] : [callee.name, callee.record?.tag]));
  const declared = [...functions, ...variables.map(({ variable }) => variable), ...typedefs, ...references.map(({ symbol }) => symbol)];
  return new Set([...called, ...declared.map(({ name }) => name), ...records.map(({ tag }) => tag)].filter((name) => name !== undefined));
});
