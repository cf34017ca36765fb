/**
 * A loop of the device that waits until other threads change a value, but reads it like any other. Only loops in which nothing else
 * happens are judged: there every compiler may keep the first value.
 */
import { isBuiltinPlace, isDeviceCode } from "../../analyses/device-code.ts";
import { accessesWithin, symbolAt } from "../../analyses/fact-index.ts";
import type { AccessFact, Facts } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import { isScalar } from "../../semantics/types/predicates.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import type { ViewSpan } from "../../source.ts";
import { encloses } from "../../spans.ts";
import type { Expression, Statement } from "../../syntax/ast.ts";
import { lastPart, walkExpressions } from "../../syntax/walk.ts";
import { visit } from "../fixes/launch-edits.ts";
import type { Rule, RuleFix } from "../rule.ts";

/** Reports loops that wait for a value that the compiler may read once. */
export const pollingWithoutVolatile: Rule = {
  id: "polling-without-volatile",
  title: "a loop waits for other threads to change a value that the compiler may read only once",
  severity: "warning",
  languages: ["cuda", "opencl"],
  clause:
    "CUDA C++ Programming Guide, volatile qualifier: without it the compiler is free to keep a value in a register; OpenCL C 3.0 §6.15.12: values that other work-items change need atomics; C11 §5.1.2.4p25: unordered accesses are a data race",
  documentation: `
A kernel that waits with \`while (*flag == 0);\` needs to read the flag again and again. To the compiler nothing in the loop changes it, so
it reads the flag once before the loop. If it is zero then, the loop never ends: nvcc compiles it to a branch to itself, and the kernel hangs.

\`volatile\` makes every iteration read memory. An atomic load also orders what the thread reads after the loop.

**What to do**: load the value with \`cuda::atomic_ref\`, \`__nv_atomic_load_n\` or \`atomicAdd(flag, 0)\`, in OpenCL C with \`atomic_load\` or
\`atomic_add(flag, 0)\`; or read it as \`*(volatile int *)flag\`, with a fence after the loop.`,
  limits:
    "Only loops that do nothing else are judged: no call, fence, inline assembly or counter, and nothing that the read depends on changes. A lambda and a template are not judged.",
  fixSafety: "A suggestion: `volatile` ends the wait, but what the other thread wrote before may need a fence.",
  examples: [
    {
      language: "cuda",
      bad: `__global__ void wait(int *flag, int *out) {
  while (*flag == 0); // <-
  *out = 1;
}`,
      good: `__global__ void wait(volatile int *flag, int *out) {
  while (*flag == 0);
  __threadfence();
  *out = 1;
}`,
    },
    {
      language: "opencl",
      bad: `kernel void wait(global int *flag, global int *out) {
  while (flag[0] == 0); // <-
  out[0] = 1;
}`,
      good: `kernel void wait(global int *flag, global int *out) {
  while (atomic_add(flag, 0) == 0);
  out[0] = 1;
}`,
    },
  ],
  checkFile({ facts, dialect }, report) {
    for (const symbol of facts.functions) {
      if (symbol.isTemplate || symbol.record?.isDependent === true) continue;
      for (const declaration of symbol.declarations) {
        if (declaration.body === undefined) continue;
        visit(declaration.body, (statement) => {
          const parts = idleLoop(statement);
          const polled = parts === undefined ? undefined : polledValue(statement, parts, symbol, declaration, facts);
          if (polled === undefined || (dialect.language === "cuda" && !isDeviceCode(polled))) return;
          report({
            place: polled.place,
            message: `the loop may read ${shown(polled)} only once: polling needs volatile or an atomic`,
            fixes: () => readAgain(polled),
          });
        });
      }
    }
  },
};

/** Everything that an idle loop evaluates. */
interface Parts {
  readonly conditions: Expression[];
  readonly assignments: Extract<Expression, { kind: "assignment" }>[];
}

/** The parts of a loop that only computes a condition, and keeps values for it; undefined for any other statement. */
function idleLoop(statement: Statement): Parts | undefined {
  if (statement.kind !== "while" && statement.kind !== "do" && statement.kind !== "for") return undefined;
  if (statement.kind === "for" && statement.update !== undefined) return undefined;
  const { condition, body } = statement;
  const parts: Parts = { conditions: [], assignments: [] };
  if (condition !== undefined && (isNever(condition) || !addIdle(condition, parts))) return undefined;
  return addIdle(body, parts) && !leavesAlways(body) ? parts : undefined;
}

/** True for `while (0)`, which ends a macro. */
function isNever(condition: Statement): boolean {
  let e = condition.kind === "expression" ? condition.expression : undefined;
  while (e?.kind === "parenthesized") e = e.inner;
  return (e?.kind === "number" && Number(e.text) === 0) || (e?.kind === "boolean" && !e.value);
}

/** True for a body that ends the loop, or this iteration, whatever the conditions are. */
function leavesAlways(body: Statement): boolean {
  return body.kind === "block" ? body.statements.some(leavesAlways) : body.kind === "jump" || body.kind === "return";
}

function addIdle(statement: Statement, parts: Parts): boolean {
  switch (statement.kind) {
    case "empty":
    case "jump":
      return true;
    case "return":
      return statement.value === undefined;
    case "block":
      return statement.statements.every((inner) => addIdle(inner, parts));
    case "expression": {
      const { expression } = statement;
      if (expression.kind !== "assignment") parts.conditions.push(expression);
      return addAssignments(expression, parts);
    }
    case "if":
      return (
        statement.initializer === undefined &&
        statement.condition !== undefined &&
        addIdle(statement.condition, parts) &&
        addIdle(statement.then, parts) &&
        (statement.otherwise === undefined || addIdle(statement.otherwise, parts))
      );
    default:
      return false;
  }
}

const harmless: ReadonlySet<Expression["kind"]> = new Set([
  ...(["name", "number", "character", "boolean", "nullptr", "unary", "binary", "conditional", "parenthesized"] as const),
  ...(["comma", "subscript", "member", "cast", "named-cast"] as const),
]);

/** Collects the assignments in an expression; false if it does anything else. */
function addAssignments(expression: Expression, { assignments }: Parts): boolean {
  let isHarmless = true;
  walkExpressions(expression, (inner) => {
    if (inner.kind === "assignment" && inner.operator === "=" && inner.left.kind === "name") assignments.push(inner);
    else if (!harmless.has(inner.kind)) isHarmless = false;
  });
  return isHarmless;
}

/** The first value in memory that the loop waits for; undefined if something in the loop may change what it reads. */
function polledValue(
  loop: Statement,
  { conditions, assignments }: Parts,
  within: FunctionSymbol,
  { place }: FunctionDeclaration,
  facts: Facts,
): AccessFact | undefined {
  const { unit } = place;
  const isIn = ({ place: at }: AccessFact) => contains({ unit, span: loop.span }, at);
  const kept = new Set<VariableSymbol>();
  const reads: AccessFact[] = [];
  for (const access of accessesWithin(facts, within)) {
    if (!isIn(access) || (loop.kind === "for" && loop.initializer !== undefined && encloses(loop.initializer.span, access.place.span)))
      continue;
    const { mode, path, type, lambda } = access;
    if (lambda !== undefined || !isScalar(type) || type.qualifiers.volatile) return undefined;
    if (mode === "write" && isOwn(path.root) && path.steps.length === 0) kept.add(path.root);
    else if (mode === "read") reads.push(access);
    else return undefined;
  }
  const names = [...conditions, ...assignments].flatMap((e) => namedIn(e, unit, facts));
  const usesKept = (span: ViewSpan) => names.some(({ variable, at }) => kept.has(variable) && encloses(span, at));
  const polled = reads.filter(isInMemory);
  if (assignments.some(({ right }) => usesKept(right.span)) || polled.some(({ place: at }) => usesKept(at.span))) return undefined;
  const decides = (e: Expression) => usesKept(e.span) || polled.some(({ place: at }) => encloses(e.span, at.span));
  return conditions.some(decides) ? polled[0] : undefined;
}

/** The variables that an expression names, and where. */
function namedIn(
  e: Expression,
  unit: Place["unit"],
  facts: Facts,
): readonly { readonly variable: VariableSymbol; readonly at: ViewSpan }[] {
  const found: { variable: VariableSymbol; at: ViewSpan }[] = [];
  walkExpressions(e, (inner) => {
    const part = inner.kind === "name" ? lastPart(inner.name) : undefined;
    const symbol = part === undefined ? undefined : symbolAt(facts, { unit, start: part.span.start });
    if (symbol?.kind === "variable") found.push({ variable: symbol, at: inner.span });
  });
  return found;
}

/** A variable of the thread alone. */
function isOwn(variable: VariableSymbol | undefined): variable is VariableSymbol {
  return (
    variable !== undefined &&
    (variable.scope === "block" || variable.scope === "parameter") &&
    (variable.memorySpace === undefined || variable.memorySpace === "host") &&
    variable.type.kind !== "reference" &&
    (variable.type.qualifiers.space ?? "private") === "private"
  );
}

/** True for a value that other threads can change. */
function isInMemory({ path: { root, steps }, type }: AccessFact): boolean {
  if (root === undefined || isBuiltinPlace(root.place) || type.qualifiers.space === "constant") return false;
  if (steps.some(({ kind }) => kind === "dereference")) return true;
  const { memorySpace } = root;
  const { space } = type.qualifiers;
  return memorySpace === "device" || memorySpace === "managed" || memorySpace === "shared" || space === "global" || space === "local";
}

function shown({ path: { root } }: AccessFact): string {
  return root === undefined ? "the value" : `'${root.name}'`;
}

/** The fix that reads the value as a volatile one; none for a pointer, whose type it would have to spell. */
function readAgain({ place, type }: AccessFact): readonly RuleFix[] {
  const { space } = type.qualifiers;
  if (type.kind !== "arithmetic" || space === "generic") return [];
  const text = place.unit.view.text.slice(place.span.start, place.span.end);
  const element = printType({ ...type, qualifiers: { ...type.qualifiers, const: false, volatile: false } });
  const address = /^\*\s*[A-Za-z_]\w*$/.test(text) ? text.slice(1).trim() : `&${text}`;
  const edits = [{ place, text: `*(volatile ${element} *)${address}` }];
  return [{ title: "Read it as a volatile value", edits, safety: "suggestion" }];
}
