/**
 * Shows implicit address spaces, which editors display in gray: of OpenCL pointers' pointees, and of program-scope variables in
 * global memory. If standards differ, the hint names each.
 */
import { type DialectFacts, type FileFacts, spanIn } from "../diagnostics/analyzed-files.ts";
import { enumerated } from "../lists.ts";
import type { AddressSpace } from "../qualifiers.ts";
import type { FunctionSymbol, VariableSymbol } from "../semantics/types/symbols.ts";
import { grouped, labelsOf } from "./hover/dialects.ts";

/** A text that the editor shows between the author's characters. */
export interface InlayHint {
  readonly offset: number;
  readonly label: string;
  readonly tooltip: string;
}

/** The hints of a file, in the order of the text. */
export function inlayHints({ uri, readings }: FileFacts): readonly InlayHint[] {
  const found = new Map<
    number,
    { name: string; isPointer: boolean; spaces: { dialect: DialectFacts["dialect"]; value: AddressSpace }[] }
  >();
  for (const { dialect, facts } of readings) {
    if (dialect.language !== "opencl") continue;
    for (const { variable } of facts.variables) {
      const space = silentSpace(variable);
      const offset = space === undefined ? undefined : spanIn(uri, firstOf(variable))?.start;
      if (space === undefined || offset === undefined) continue;
      const entry = found.get(offset) ?? { name: variable.name, isPointer: variable.type.kind === "pointer", spaces: [] };
      found.set(offset, entry);
      // All declarators of `int *a, *b;` share one place.
      if (!entry.spaces.some((known) => known.dialect === dialect)) entry.spaces.push({ dialect, value: space });
    }
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([offset, { name, isPointer, spaces }]) => {
      const groups = grouped(spaces, (space) => space);
      const named = groups.map(({ value, dialects }) => (groups.length === 1 ? value : `${value} in ${labelsOf(dialects)}`));
      return {
        offset,
        label: groups.map(({ value }) => value).join("|"),
        tooltip: `'${name}' ${isPointer ? "points to" : "is in"} ${enumerated(named, "and")}: the address space is not written`,
      };
    });
}

/** The address space that the standard implies. */
function silentSpace(variable: VariableSymbol): AddressSpace | undefined {
  const { type, words, scope, owner, isSpaceExplicit } = variable;
  if (variable.name === "" || variable.isDependent || words.some(({ text }) => /^__(global|local|constant|private|generic)$/.test(text)))
    return undefined;
  if (type.kind !== "pointer") return scope === "program" && !isSpaceExplicit && type.qualifiers.space === "global" ? "global" : undefined;
  // The author of a typedef has chosen its space. A hint before a pointer to a pointer would describe only the innermost pointee.
  if (type.pointee.kind === "pointer" || type.pointee.kind === "unknown" || !declaresPointer(variable)) return undefined;
  // The address space of a kernel's parameter must be written; its absence is a finding.
  if (scope === "parameter" && isKernel(owner)) return undefined;
  const { space } = type.pointee.qualifiers;
  return space === "private" || space === "generic" ? space : undefined;
}

function declaresPointer({ declaration: { unit, span } }: VariableSymbol): boolean {
  return /[*[]/.test(unit.view.text.slice(span.start, span.end));
}

function isKernel(owner: FunctionSymbol | undefined): boolean {
  return owner?.declarations.some(({ execution }) => execution.kernel) === true;
}

function firstOf({ declaration: { unit, span } }: VariableSymbol): VariableSymbol["declaration"] {
  return { unit, span: { start: span.start, end: Math.min(span.start + 1, span.end) } };
}
