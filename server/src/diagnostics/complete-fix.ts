/**
 * Completes a fix that changes a function's parameter. Every other file of the workspace that declares, defines or calls the
 * function must follow, or the fix is not offered. Fixes are completed when someone applies them, because most fixes are never
 * applied.
 */
import { toFileEdit } from "../analyses/placed-edits.ts";
import type { Diagnostic, Fix, QualifiedParameter } from "../finding.ts";
import { append } from "../lists.ts";
import type { AddressSpace } from "../qualifiers.ts";
import { qualifyVariable } from "../rules/fixes/pointer-qualification.ts";
import { signatureOf } from "../semantics/declarations/function-signatures.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionSymbol, VariableSymbol } from "../semantics/types/symbols.ts";
import { type Edit, editKey, type Files, type SourceSpan, textOf } from "../source.ts";
import { touch } from "../spans.ts";
import { wordPattern } from "../words.ts";
import type { ReadFile } from "./analyzed-files.ts";

/** If more files than this name the function, the fix is not offered. */
const mostFiles = 24;

/** The complete fix; undefined if another file cannot be edited. `uri` is the file that contains the finding. */
export function completeFix(fix: Fix, uri: string, files: Files, read: (uri: string) => ReadFile): Fix | undefined {
  const { qualifiedParameter } = fix;
  if (qualifiedParameter === undefined) return fix;
  const word = wordPattern(qualifiedParameter.name);
  const others = files.list().filter((other) => other !== uri && word.test(textOf(files, other)));
  if (others.length > mostFiles) return undefined;
  const edits = new Map(fix.edits.map((edit) => [editKey(edit), edit]));
  for (const other of others) {
    const reading = read(other).readings[0];
    if (reading === undefined || reading.dialect.language !== "opencl") continue;
    const more = editsIn(reading.facts, qualifiedParameter);
    if (more === undefined) return undefined;
    for (const edit of more) edits.set(editKey(edit), edit);
  }
  return { ...fix, edits: [...edits.values()] };
}

/** The fixes of the diagnostics that touch the span, except those that cannot be completed. */
export function fixesAt(
  diagnostics: readonly Diagnostic[],
  span: SourceSpan,
  complete: (fix: Fix) => Fix | undefined,
): readonly { readonly diagnostic: Diagnostic; readonly fix: Fix }[] {
  const here = diagnostics.filter(({ location }) => touch(location.span, span));
  return here.flatMap((diagnostic) => diagnostic.fixes.map(complete).flatMap((fix) => (fix === undefined ? [] : [{ diagnostic, fix }])));
}

/** A function's parameter in another file, in each function that it may be there; undefined where one has no such parameter. */
export function parametersOf(facts: Facts, { name, signature, parameter }: QualifiedParameter): readonly (VariableSymbol | undefined)[] {
  const symbols = new Set<FunctionSymbol>(facts.functions.filter((each) => each.name === name));
  // If the function is from a header, this file names it where it calls it.
  for (const { callee } of facts.calls) if (callee?.name === name && !callee.isBuiltin) symbols.add(callee);
  return [...symbols].flatMap(({ declarations: [first] }) =>
    first === undefined || (signature !== undefined && signatureOf(first.parameters) !== signature)
      ? []
      : [first.parameters[parameter]?.symbol],
  );
}

function editsIn(facts: Facts, qualified: QualifiedParameter): readonly Edit[] | undefined {
  const { space } = qualified;
  const edits: Edit[] = [];
  for (const variable of parametersOf(facts, qualified)) {
    const placed = variable === undefined ? undefined : pointsTo(variable.type, space) ? [] : qualifyVariable(facts, variable, space);
    const own = placed?.map(toFileEdit);
    if (own === undefined || !own.every((edit) => edit !== undefined)) return undefined;
    append(edits, own);
  }
  return edits;
}

function pointsTo(type: FunctionSymbol["type"]["parameters"][number], space: AddressSpace): boolean {
  return type.kind === "pointer" && type.pointee.qualifiers.space === space;
}
