/**
 * Recognizes functions for which a pragma turns off nvcc's check that code does not call functions of the other side. The text around a
 * function is searched, because a macro may stand for the pragma.
 */
import { codeAt } from "../../preprocess/unit-row.ts";
import type { SideCallFact } from "../../semantics/facts/facts.ts";
import type { FileUri } from "../../source.ts";

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
