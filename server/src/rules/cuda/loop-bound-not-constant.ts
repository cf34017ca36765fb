/** A loop that is to be unrolled has a bound that is known only at run time. */
import { executionOf } from "../../analyses/device-code.ts";
import { accessesTo, symbolAt } from "../../analyses/fact-index.ts";
import { laneDependence } from "../../analyses/lane-dependence.ts";
import { isCuda } from "../../analyses/memory-spaces.ts";
import { append } from "../../lists.ts";
import { fileContains } from "../../preprocess/unit-row.ts";
import type { AccessFact, CallFact, Facts } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionDeclaration, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { isInteger, printType, unqualifiedType } from "../../semantics/types/types.ts";
import { encloses } from "../../spans.ts";
import type { Expression, Statement } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { isEditable, launchesOf, statementOf, usesOf, visit } from "../fixes/launch-edits.ts";
import type { PlacedEdit, Rule, RuleFinding } from "../rule.ts";

/** The values that the refactoring compiles the kernel for. */
const dispatched = [4, 8, 16, 32];

/** Reports loops with `#pragma unroll` whose bound is a kernel parameter or a `__constant__` variable. */
export const loopBoundNotConstant: Rule = {
  id: "loop-bound-not-constant",
  title: "a loop with `#pragma unroll` has a bound that is a kernel parameter or a `__constant__` variable",
  severity: "hint",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, #pragma unroll: the loop is unrolled if its trip count is constant, otherwise it is not unrolled at all",
  documentation: `
\`#pragma unroll\` without a number unrolls a loop whose number of iterations is known when the kernel is compiled. With a
bound that is a kernel parameter or a \`__constant__\` variable it does nothing. Only loops that start at a constant and count by a
constant are reported: with a start like \`threadIdx.x\` or a step like \`blockDim.x\` a constant bound would not help either. In HIP
nothing is reported, because clang unrolls such loops too, with a remainder.

Measured on an H200 (CUDA 13.0, 2²⁷ floats): with a bound of 8 a kernel parameter takes 441 µs and a template argument
409 µs; with 64 it is 1,129 µs and 511 µs. A \`__constant__\` variable costs what a parameter costs.

The refactoring makes the bound a template parameter whose default means «use the parameter», and chooses at the launch
among a few values. Edit the list to the values that your program has.

**What to do**: make the bound a template parameter or a \`constexpr\` variable; or give the number of iterations to unroll, \`#pragma unroll 4\`.`,
  limits: "Bounds that are computed from a parameter are not reported, only the parameter itself.",
  fixSafety: "A suggestion: the kernel is compiled for each value in the list, which the author should edit.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void sum(const float *in, float *out, int n) {
  float total = 0;
#pragma unroll
  for (int i = 0; i < n; i++) total += in[i]; // <-
  *out = total;
}`,
      good: `template <int n> __global__ void sum(const float *in, float *out) {
  float total = 0;
#pragma unroll
  for (int i = 0; i < n; i++) total += in[i];
  *out = total;
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    // clang also unrolls a loop with an unknown number of iterations for AMD's devices, with a remainder.
    if (!isCuda(dialect)) return;
    for (const kernel of facts.functions) {
      for (const declaration of kernel.declarations) {
        const { body, place } = declaration;
        const unrolls = place.unit.unrolls;
        if (body === undefined || unrolls === undefined) continue;
        visit(body, (statement) => {
          if (
            statement.kind !== "for" ||
            !unrolls.some((at) => at <= statement.span.start && place.unit.view.text.slice(at, statement.span.start).trim() === "")
          )
            return;
          const finding = findingOf(statement, declaration, facts);
          if (finding !== undefined) report(finding);
        });
      }
    }
  },
};

function findingOf(loop: Extract<Statement, { kind: "for" }>, declaration: FunctionDeclaration, facts: Facts): RuleFinding | undefined {
  const condition = loop.condition?.kind === "expression" ? loop.condition.expression : undefined;
  if (condition?.kind !== "binary" || !["<", "<=", ">", ">=", "!="].includes(condition.operator)) return undefined;
  for (const [side, other] of [
    [condition.right, condition.left],
    [condition.left, condition.right],
  ] as const) {
    const bound = nameOf(side, declaration, facts);
    if (bound === undefined || !countsByConstants(loop, other, declaration, facts)) continue;
    const isParameter = bound.scope === "parameter";
    const what = isParameter ? "kernel parameter" : "'__constant__' variable";
    const place = { unit: declaration.place.unit, span: side.span };
    return {
      place,
      message: `'#pragma unroll' does nothing: the bound '${bound.name}' is a ${what}`,
      related: [{ message: `'${bound.name}' is declared here`, place: bound.place }],
      fixes: () => {
        const edits = isParameter ? templateFix(bound, place, declaration, facts) : undefined;
        const title = `Make '${bound.name}' a template parameter, with a choice at the launch`;
        return edits === undefined ? [] : [{ title, edits, safety: "suggestion" }];
      },
    };
  }
  return undefined;
}

/**
 * True if the other side of the condition is a variable that starts at a constant and changes by one: only then the bound decides
 * whether the number of iterations is constant.
 */
function countsByConstants(
  loop: Extract<Statement, { kind: "for" }>,
  side: Expression,
  { place }: FunctionDeclaration,
  facts: Facts,
): boolean {
  const counter = variableNamed(side, place, facts);
  if (counter === undefined || loop.update === undefined) return false;
  const isConstant = (e: Expression) => {
    const value = laneDependence(facts).of(e, place);
    return value.kind === "uniform" && value.value !== undefined;
  };
  const isCounter = (e: Expression) => variableNamed(e, place, facts) === counter;
  const changes = operandsOfComma(loop.update).filter((e) => (e.kind === "update" || e.kind === "assignment") && isCounter(target(e)));
  const [only] = changes;
  if (only === undefined || changes.length > 1 || !isStep(only, isCounter, isConstant)) return false;
  const start = startOf(loop, counter, isCounter);
  const isOther = ({ mode, path, place: at }: AccessFact) =>
    mode !== "read" && path.steps.length === 0 && contains({ unit: place.unit, span: loop.body.span }, at);
  return start !== undefined && isConstant(start) && !accessesTo(facts, counter).some(isOther);
}

/** The value that the counter has before the first iteration, if the loop itself gives it. */
function startOf(
  { initializer, span }: Extract<Statement, { kind: "for" }>,
  counter: VariableSymbol,
  isCounter: (e: Expression) => boolean,
): Expression | undefined {
  if (initializer?.kind === "expression") {
    const own = operandsOfComma(initializer.expression).find((e) => e.kind === "assignment" && e.operator === "=" && isCounter(e.left));
    return own?.kind === "assignment" ? own.right : undefined;
  }
  const isOwn = initializer !== undefined && encloses(span, counter.place.span) && encloses(initializer.span, counter.place.span);
  return isOwn && counter.initializer?.kind === "value" ? counter.initializer.value : undefined;
}

/** True for `i++`, `i += 2`, `i = i + 2`, `i *= 2` and the like, with a constant. */
function isStep(e: Expression, isCounter: (e: Expression) => boolean, isConstant: (e: Expression) => boolean): boolean {
  if (e.kind === "update") return true;
  if (e.kind !== "assignment") return false;
  if (e.operator !== "=") return isConstant(e.right);
  const value = e.right.kind === "parenthesized" ? e.right.inner : e.right;
  if (value.kind !== "binary") return false;
  return (isCounter(value.left) && isConstant(value.right)) || (isCounter(value.right) && isConstant(value.left));
}

function target(e: Extract<Expression, { kind: "update" | "assignment" }>): Expression {
  return e.kind === "update" ? e.operand : e.left;
}

function operandsOfComma(e: Expression): readonly Expression[] {
  if (e.kind === "parenthesized") return operandsOfComma(e.inner);
  return e.kind === "comma" ? [...operandsOfComma(e.left), ...operandsOfComma(e.right)] : [e];
}

/** The variable that an expression names. */
function variableNamed(e: Expression, place: Place, facts: Facts): VariableSymbol | undefined {
  if (e.kind === "parenthesized") return variableNamed(e.inner, place, facts);
  const part = e.kind === "name" ? lastPart(e.name) : undefined;
  const symbol = part === undefined ? undefined : symbolAt(facts, { unit: place.unit, start: part.span.start });
  return symbol?.kind === "variable" ? symbol : undefined;
}

/** The name of the kernel parameter or `__constant__` variable that is the bound, if nothing else sets it. */
function nameOf(e: Expression, { owner, place }: FunctionDeclaration, facts: Facts): VariableSymbol | undefined {
  const symbol = variableNamed(e, place, facts);
  if (symbol === undefined || !isInteger(symbol.type)) return undefined;
  const isWritten = accessesTo(facts, symbol).some(({ mode }) => mode !== "read");
  if (symbol.scope === "parameter") return executionOf(owner).kernel && symbol.owner === owner && !isWritten ? symbol : undefined;
  return symbol.memorySpace === "constant" && !symbol.type.qualifiers.const ? symbol : undefined;
}

/**
 * The edits that make every loop of the kernel with this bound use `(n_fixed > 0 ? n_fixed : n)`, where launches choose the
 * instantiation.
 */
function templateFix(
  bound: VariableSymbol,
  place: Place,
  { owner, declarator }: FunctionDeclaration,
  facts: Facts,
): readonly PlacedEdit[] | undefined {
  const launches = isEditable(owner, facts) ? launchesOf(owner, facts) : undefined;
  const name = `${bound.name}_fixed`;
  if (launches === undefined || bound.index === undefined || declarator.parameters.length === 0 || fileContains(name, place.unit))
    return undefined;
  const type = printType(unqualifiedType(bound.type));
  const edits: PlacedEdit[] = owner.declarations.map((each, index) => ({
    place: each.place,
    how: "before",
    text: `template <${type} ${name}${index === 0 ? " = 0" : ""}>\n`,
  }));
  edits.push({ place, text: `(${name} > 0 ? ${name} : ${bound.name})` });
  if (!usesOf(bound, facts).some(({ span }) => span.start === place.span.start)) return undefined;
  for (const launch of launches) {
    const chosen = chooseAtLaunch(launch, bound.index);
    if (chosen === undefined) return undefined;
    append(edits, chosen);
  }
  return edits;
}

/** The edit that turns a launch into `switch (n) { case 4: k<4><<<…>>>(…); break; … default: k<<<…>>>(…); }`. */
function chooseAtLaunch(launch: CallFact, index: number): readonly PlacedEdit[] | undefined {
  const statement = statementOf(launch);
  const argument = launch.arguments[index];
  if (statement === undefined || argument === undefined || launch.hasTemplateArguments === true) return undefined;
  const { unit, span } = launch.place;
  const written = unit.view.text.slice(span.start, span.end);
  if (!written.startsWith(launch.name)) return undefined;
  const withValue = (value: string) => `${launch.name}<${value}>${written.slice(launch.name.length)}`;
  if (argument.value !== undefined) return [{ place: launch.place, text: withValue(argument.value.toString()) }];
  // The edit would evaluate any other expression twice.
  if (argument.expression.kind !== "name") return undefined;
  const value = unit.view.text.slice(argument.place.span.start, argument.place.span.end);
  const lineStart = unit.view.text.lastIndexOf("\n", span.start) + 1;
  const indent = /^[ \t]*/.exec(unit.view.text.slice(lineStart, span.start))?.[0] ?? "";
  const cases = dispatched.map((each) => `${indent}  case ${each}: ${withValue(each.toString())}; break;\n`).join("");
  return [{ place: statement, text: `switch (${value}) {\n${cases}${indent}  default: ${written};\n${indent}}` }];
}
