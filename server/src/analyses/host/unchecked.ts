/**
 * Recognizes code for which nvcc's check that code does not call functions of the other side may not hold: a pragma turns it off, or a
 * macro that was not read may leave the code to one side. The text around a function is searched, because a macro may stand for the
 * pragma.
 */
import { codeAt } from "../../preprocess/unit-row.ts";
import type { Facts, SideCallFact } from "../../semantics/facts/facts.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import type { FileUri } from "../../source.ts";
import { encloses } from "../../spans.ts";
import { callsAround, symbolAt } from "../fact-index.ts";

/** How many characters before a function are searched for a pragma, or a macro for one. */
const searched = 400;

/** True if a pragma turns nvcc's check off for the function, or for a part of the file. */
export function isUnchecked({ within, place }: Pick<SideCallFact, "within" | "place">, textOf: (uri: FileUri) => string): boolean {
  if (/nv_diag_suppress|diag_suppress|force_cuda_host_device/.test(textOf(codeAt(place).uri))) return true;
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

/** True for an argument of an undeclared name, which may be a macro that one of the two compilations drops: `DEVICE_ONLY(__trap())`. */
export function mayBeDropped({ unit, span }: Place, facts: Facts): boolean {
  return callsAround(facts, { unit, span }).some(
    ({ callee, name, place, arguments: values }) =>
      callee === undefined &&
      macroName.test(name) &&
      values.some((value) => encloses(value.place.span, span)) &&
      symbolAt(facts, { unit, start: place.span.start }) === undefined,
  );
}
