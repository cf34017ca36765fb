/**
 * Recognizes code for which nvcc's check that code does not call functions of the other side may not hold: a pragma turns it off, or a
 * macro that was not read may leave the code to one side. The text around a function is searched, because a macro may stand for the
 * pragma.
 */
import { memo } from "../../memo.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
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
/** How many characters before a place are searched for the beginning of its item, which is behind a `}` in the first column. */
const longestItem = 20_000;
/** What matters to the brackets of a text: a literal, a word with a parenthesis, or a bracket. */
const bracket = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b(\w+)\s*\(|[()[\]{}]/g;

/**
 * True for a part of an argument of an undeclared name, which may be a macro that one of the two compilations drops:
 * `DEVICE_ONLY(__trap())`. The text is searched, because such an argument may consist of statements: `IF_DEVICE(f(); g();)`.
 */
export function mayBeDropped({ unit, span }: Place, facts: Facts): boolean {
  const { text } = unit.view;
  const from = Math.max(0, span.start - longestItem, text.lastIndexOf("\n}", span.start - 1));
  const open: { readonly name: string | undefined }[] = [];
  bracket.lastIndex = from;
  for (let found = bracket.exec(text); found !== null && found.index < span.start; found = bracket.exec(text)) {
    const [sign, name] = found;
    if (/[([{]$/.test(sign)) open.push({ name });
    else if (/^[)\]}]/.test(sign)) open.pop();
  }
  return open.some(({ name }) => name !== undefined && macroName.test(name) && !declaredNames(facts).has(name));
}

/** The names that the file declares or that its calls find. None of them is a macro, which would replace it in its declaration too. */
const declaredNames = memo(({ functions, variables, records, typedefs, references, calls }: Facts): ReadonlySet<string> => {
  const called = calls.flatMap(({ callee }) => (callee === undefined ? [] : [callee.name, callee.record?.tag]));
  const declared = [...functions, ...variables.map(({ variable }) => variable), ...typedefs, ...references.map(({ symbol }) => symbol)];
  return new Set([...called, ...declared.map(({ name }) => name), ...records.map(({ tag }) => tag)].filter((name) => name !== undefined));
});
