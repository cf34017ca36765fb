/**
 * Offers alternatives for a constant in CUDA code: `constexpr` or `__constant__` instead of an ordinary host constant, and a kernel
 * parameter instead of either. Each is the fix of a rule, offered without a finding.
 */
import { executionOf } from "../../analyses/device-code.ts";
import type { PlacedEdit } from "../../analyses/placed-edits.ts";
import type { AnalyzedUnit } from "../../diagnostics/analyzed-files.ts";
import { append } from "../../lists.ts";
import { codeAt } from "../../preprocess/unit-row.ts";
import { parameterInstead } from "../../rules/cuda/constant-memory-scalar.ts";
import { constantFix, constexprFix, parameterFix } from "../../rules/fixes/host-variable-fixes.ts";
import { usesOf } from "../../rules/fixes/launch-edits.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { bodyAt, contains } from "../../semantics/types/places.ts";
import { isConst } from "../../semantics/types/predicates.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { SourceSpan } from "../../source.ts";
import { wordPattern } from "../../words.ts";
import { offered } from "./placed-refactoring.ts";
import { isAt, type Refactoring } from "./refactoring.ts";

/** The refactorings of the constant at a span. `isNamedElsewhere` tells whether another file contains a word. */
export function constantRefactorings(
  { facts, dialect }: AnalyzedUnit,
  uri: string,
  span: SourceSpan,
  isNamedElsewhere: (name: string) => boolean,
): readonly Refactoring[] {
  if (dialect.language !== "cuda") return [];
  const variable = constantAt(facts, uri, span);
  if (variable === undefined) return [];
  const { name, memorySpace } = variable;
  const passed = (edits: readonly PlacedEdit[] | undefined) => offered(`Pass '${name}' as a kernel parameter`, edits);
  if (memorySpace === "constant") return isNamedElsewhere(name) ? [] : passed(parameterInstead(variable, facts));
  return [
    ...offered(`Make '${name}' 'constexpr'`, constexprFix(variable, facts)?.edits),
    // Host code in other files may use its value or its address.
    ...(isNamedElsewhere(name) ? [] : offered(`Move '${name}' to '__constant__' memory`, constantFix(variable, facts)?.edits)),
    ...passed(valuePassed(variable, facts, isNamedElsewhere)),
  ];
}

/** A program-scope constant that is declared or used at the span. */
function constantAt(facts: Facts, uri: string, span: SourceSpan): VariableSymbol | undefined {
  const isMeant = (variable: VariableSymbol) =>
    variable.scope === "program" && (variable.memorySpace === "constant" || (variable.memorySpace === "host" && isConst(variable.type)));
  const isHere = ({ unit, span: place }: VariableSymbol["place"]) =>
    !unit.uri.startsWith("builtin:") && isAt(codeAt({ unit, span: place }), uri, span);
  const used = facts.references.find(({ symbol, place }) => symbol.kind === "variable" && isMeant(symbol) && isHere(place))?.symbol;
  if (used?.kind === "variable") return used;
  return facts.variables.find(({ variable }) => isMeant(variable) && isHere(variable.declaration))?.variable;
}

/**
 * The edits that pass the constant's value to the kernels that read it, at their launches; undefined if a kernel needs more than
 * the value.
 */
function valuePassed(
  variable: VariableSymbol,
  facts: Facts,
  isNamedElsewhere: (name: string) => boolean,
): readonly PlacedEdit[] | undefined {
  const uses = usesOf(variable, facts);
  const kernels = facts.functions.filter((each) => executionOf(each).kernel && uses.some((use) => bodyAt(each, use) !== undefined));
  if (kernels.length === 0 || kernels.some(({ name }) => isNamedElsewhere(name))) return undefined;
  const edits: PlacedEdit[] = [];
  for (const kernel of kernels) {
    const fix = isOnlyRead(variable, kernel, facts) ? fixFor(variable, kernel, facts) : undefined;
    if (fix === undefined) return undefined;
    append(edits, fix);
  }
  return edits;
}

function fixFor(variable: VariableSymbol, kernel: FunctionSymbol, facts: Facts): readonly PlacedEdit[] | undefined {
  const access = facts.accesses.find(({ path, within }) => path.root === variable && within === kernel);
  return access === undefined ? undefined : parameterFix({ variable, access, place: access.place }, facts)?.edits;
}

/** True if every use is a read at run time. An array bound, a case or a template argument must stay constant. */
function isOnlyRead(variable: VariableSymbol, kernel: FunctionSymbol, facts: Facts): boolean {
  const uses = usesOf(variable, facts).filter((use) => bodyAt(kernel, use) !== undefined);
  const reads = facts.accesses.filter(({ path, within, mode }) => path.root === variable && within === kernel && mode === "read");
  if (uses.length !== timesNamed(variable.name, kernel)) return false;
  return uses.every((use) => reads.some(({ place }) => contains(place, use)) && !mustBeConstant(use, facts));
}

/**
 * How often the bodies name the variable. The facts lack the uses in constant expressions of types, so the number of uses in the
 * facts is compared with this number.
 */
function timesNamed(name: string, { declarations }: FunctionSymbol): number {
  const texts = declarations.map(({ body, place: { unit } }) =>
    body === undefined ? "" : unit.view.text.slice(body.span.start, body.span.end),
  );
  return texts.join("\n").match(wordPattern(name, "g"))?.length ?? 0;
}

/** True for a use in an expression that has to be constant, such as the bound of an array. */
export function mustBeConstant(use: Place, { variables }: Facts): boolean {
  const { text } = use.unit.view;
  const before = text.slice(Math.max(text.lastIndexOf(";", use.span.start), text.lastIndexOf("{", use.span.start)) + 1, use.span.start);
  const after = text.slice(use.span.end, use.span.end + 40);
  const isArgument = /[<,]\s*$/.test(before) && before.includes("<") && /^\s*[,>]/.test(after) && after.includes(">");
  return (
    isArgument ||
    /\b(?:case|constexpr|static_assert|enum|alignas|template)\b/.test(before) ||
    // Matches `int a[n]`, and also `return a[n]`.
    /^[^=(]*[\w>*&]\s+[*&]*\w+\s*\[[^=]*$/.test(before) ||
    variables.some(({ variable }) => contains(variable.declaration, use))
  );
}
