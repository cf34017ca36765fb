/**
 * A barrier whose fence is for one memory, although work-items exchange values through the other one there. Only exchanges that are
 * certain count: an element that the work-item did not write itself is read behind the barrier, and nothing else orders the two.
 */
import { accessesTo, callsWithin } from "../../analyses/fact-index.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import type { AccessFact, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Expression } from "../../syntax/ast.ts";
import { isWrite } from "../predicates.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports barriers that order another memory than the one through which work-items exchange values. */
export const barrierMemoryMismatch: Rule = {
  id: "barrier-memory-mismatch",
  title: "a barrier orders global memory where work-items exchange values through local memory, or the reverse",
  severity: "warning",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.15.8, synchronization functions: CLK_LOCAL_MEM_FENCE orders memory operations to local memory, CLK_GLOBAL_MEM_FENCE those to global memory",
  documentation: `
All work-items of a group wait at a barrier, but it only orders the memory that its fence names. With \`CLK_GLOBAL_MEM_FENCE\` alone, what
one work-item has written to **local** memory need not be visible to the others behind the barrier, and the reverse holds for
\`CLK_LOCAL_MEM_FENCE\`. Many devices order both, so the mistake shows on another one.

Reported is a barrier between a write to an element and a read of another element of the same object, which another work-item has
written: \`tile[id]\` before it, \`tile[id + 1]\`, \`tile[0]\` or a loop over \`tile[i]\` from zero behind it.

**What to do**: name the memory, or both: \`barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\`.`,
  limits:
    "Values that are exchanged around a loop, through pointers that are copied, or in several functions are not judged. In global memory, a loop counts where the elements before the barrier depend on the position in the group alone.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void shift(global float *data, local float *tile) {
  int id = get_local_id(0);
  tile[id] = data[id];
  barrier(CLK_GLOBAL_MEM_FENCE); // <-
  data[id] = tile[id ^ 1];
}`,
      good: `kernel void shift(global float *data, local float *tile) {
  int id = get_local_id(0);
  tile[id] = data[id];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[id] = tile[id ^ 1];
}`,
    },
  ],
  check({ facts }, report) {
    const functions = new Set(facts.calls.filter(isBarrier).flatMap(({ within }) => within ?? []));
    for (const within of functions) for (const finding of findingsIn(within, facts)) report(finding);
  },
};

function isBarrier({ name, callee }: CallFact): boolean {
  return (name === "barrier" || name === "work_group_barrier") && (callee === undefined || callee.isBuiltin);
}

const flags = { CLK_LOCAL_MEM_FENCE: "local", CLK_GLOBAL_MEM_FENCE: "global" } as const;

/** Calls that may order memory: those of the program's functions, and builtins that wait or fence. */
function mayOrder({ name, callee }: CallFact): boolean {
  return callee?.isBuiltin !== true || /barrier|fence|wait|atom/.test(name);
}

function findingsIn(within: FunctionSymbol, facts: Facts): readonly RuleFinding[] {
  const calls = callsWithin(facts, within);
  const ordering = calls.filter(mayOrder);
  return calls.filter(isBarrier).flatMap((barrier): readonly RuleFinding[] => {
    const [flag] = barrier.arguments;
    // The flags are macros for numbers.
    const written = flag?.expression.kind === "number" ? flag.place.unit.view.origin(flag.place.span).macro?.name : undefined;
    if (flag === undefined || (written !== "CLK_LOCAL_MEM_FENCE" && written !== "CLK_GLOBAL_MEM_FENCE")) return [];
    const space = flags[written] === "local" ? "global" : "local";
    const { start, end } = barrier.place.span;
    const others = ordering.filter((each) => each !== barrier && each.place.unit === barrier.place.unit).map(({ place }) => place.span);
    const from = Math.max(0, ...others.filter((each) => each.end <= start).map((each) => each.end));
    const to = Math.min(Number.POSITIVE_INFINITY, ...others.filter((each) => each.start >= end).map((each) => each.start));
    const exchanged = exchangedBetween(within, barrier, { from, to, space }, facts);
    if (exchanged === undefined) return [];
    const missing = space === "local" ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
    return [
      {
        place: flag.place,
        message: `work-items exchange '${exchanged.path.root?.name}' in ${space} memory here, which needs '${missing}'`,
        related: [{ message: "this element is read behind the barrier", place: exchanged.place }],
      },
    ];
  });
}

/** The read behind the barrier of an element that another work-item has written before it. */
function exchangedBetween(
  within: FunctionSymbol,
  { place: { unit, span } }: CallFact,
  { from, to, space }: { readonly from: number; readonly to: number; readonly space: AddressSpace },
  facts: Facts,
): AccessFact | undefined {
  const near = facts.accesses.filter((each) => each.within === within && each.place.unit === unit && elementOf(each, space) !== undefined);
  const reads = near.filter(({ mode, place }) => mode === "read" && place.span.start >= span.end && place.span.end <= to);
  return reads.find((read) => {
    const root = read.path.root;
    const between = unit.view.text.slice(span.end, read.place.span.start);
    const index = elementOf(read, space);
    const loop = index?.kind === "name" ? loopOver(unit.view.text.slice(index.span.start, index.span.end), between) : undefined;
    // What is behind the barrier must be reached whenever the barrier is.
    if (root === undefined || leaves.test(loop === undefined ? between : between.replace(loop, ""))) return false;
    const writes = accessesTo(facts, root).filter((each) => isWrite(each) && each.within === within && each.place.unit === unit);
    const isWrittenBehind = writes.some(({ place }) => place.span.start >= span.end && place.span.start < read.place.span.start);
    if (loop !== undefined && isWrittenBehind) return false;
    return writes.some((write) => {
      const written = elementOf(write, space);
      if (write.place.span.start < from || write.place.span.end > span.start) return false;
      return loop === undefined
        ? isOtherElement(written, index, unit.view.text, space)
        : written?.kind === "name" && (space === "local" || isPositionInGroup(variableAt(written, unit, facts), facts));
    });
  });
}

const leaves = /\b(else|break|continue|goto|case|default|for|while|do)\b|\breturn\b[^;]*;/;

/** The head of a loop that counts from zero, if it is the only one between the barrier and what reads the counter's element. */
function loopOver(counter: string, between: string): string | undefined {
  const [head, ...others] = between.match(/\bfor\s*\([^;]*;[^;]*;[^;{}]*?\)(?=\s*(?:\{|[\w*(]))/g) ?? [];
  const isCounted = head !== undefined && new RegExp(`^for\\s*\\(\\s*(?:[\\w ]+\\s)?${counter}\\s*=\\s*0[uU]?\\s*;`).test(head);
  // A bracket that closes behind the head may end the loop.
  const isInside = isCounted && !between.slice(between.indexOf(head) + head.length).includes("}");
  return isInside && others.length === 0 ? head : undefined;
}

/** True for a variable that the work-item's position in its group decides: every group has the same values of it, from zero. */
function isPositionInGroup(variable: VariableSymbol | undefined, facts: Facts, depth = 3): boolean {
  if (variable?.initializer?.kind !== "value" || depth === 0 || accessesTo(facts, variable).some(isWrite)) return false;
  const { unit } = variable.place;
  const { span } = variable.initializer.value;
  const isIn = ({ place }: { readonly place: AccessFact["place"] }) =>
    place.unit === unit && place.span.start >= span.start && place.span.end <= span.end;
  const calls = facts.calls.filter(isIn);
  const read = facts.accesses.filter(isIn);
  return (
    calls.length + read.length > 0 &&
    calls.every(({ name, callee }) => callee?.isBuiltin === true && /^(?:get_local_(?:id|linear_id|size)|mad24|mul24)$/.test(name)) &&
    (calls.some(({ name }) => /^get_local_(?:linear_)?id$/.test(name)) || read.length > 0) &&
    read.every(({ path }) => path.steps.length === 0 && (isGroupSize(path.root, facts) || isPositionInGroup(path.root, facts, depth - 1)))
  );
}

/** True for a variable that holds the size of the group. */
function isGroupSize(variable: VariableSymbol | undefined, facts: Facts): boolean {
  if (variable?.initializer?.kind !== "value" || accessesTo(facts, variable).some(isWrite)) return false;
  const { span } = variable.initializer.value;
  return /^get_local_size\s*\(\s*\d+\s*\)$/.test(variable.place.unit.view.text.slice(span.start, span.end));
}

function variableAt({ span }: Expression, unit: AccessFact["place"]["unit"], facts: Facts): VariableSymbol | undefined {
  return facts.accesses.find(({ place }) => place.unit === unit && place.span.start === span.start && place.span.end === span.end)?.path
    .root;
}

/** The index of the element that is accessed, if it is one of an array or of what a parameter points to in this memory. */
function elementOf({ path: { root, steps }, type }: AccessFact, space: AddressSpace): Expression | undefined {
  if (root === undefined || spaceOf(root) !== space || type.qualifiers.volatile) return undefined;
  const [first, ...others] = steps.filter(({ kind }) => kind !== "dereference");
  return first?.kind === "index" && others.length === 0 ? first.index : undefined;
}

function spaceOf({ type, scope }: VariableSymbol): AddressSpace | undefined {
  if (type.kind === "pointer") return scope === "parameter" && isPlain(type.pointee) ? type.pointee.qualifiers.space : undefined;
  return type.kind === "array" ? type.element.qualifiers.space : undefined;
}

function isPlain({ kind, qualifiers }: Type): boolean {
  return (kind === "arithmetic" || kind === "vector" || kind === "record") && !qualifiers.volatile;
}

/** True for `i` and `i + 1` or `i ^ mask`, and for `0` in local memory. A buffer in global memory may have parts that nobody writes. */
function isOtherElement(written: Expression | undefined, read: Expression | undefined, text: string, space: AddressSpace): boolean {
  if (written?.kind !== "name" || read === undefined) return false;
  if (read.kind === "number") return space === "local";
  const spelling = (e: Expression) => text.slice(e.span.start, e.span.end);
  if (read.kind !== "binary" || !["+", "-", "^"].includes(read.operator)) return false;
  const [index, other] = spelling(read.left) === spelling(written) ? [read.left, read.right] : [read.right, read.left];
  const isNear = space === "local" || read.operator === "^" || other.kind === "number";
  return isNear && spelling(index) === spelling(written) && spelling(other) !== "0";
}
