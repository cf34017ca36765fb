/**
 * Decides how a value differs between the lanes of a warp, as far as data flow shows: it is equal in all of them, certainly
 * different, loaded by each lane from an address of its own, or unknown. `threadIdx.x` differs; `threadIdx.y` alone may be equal in a
 * whole warp. Other loads, shuffles and votes are unknown.
 */
import { greatest } from "../lists.ts";
import { memo } from "../memo.ts";
import { evaluateConstant, literalScope } from "../semantics/constants/constants.ts";
import type { AccessFact, CallFact, Facts } from "../semantics/facts/facts.ts";
import type { Place, VariableSymbol } from "../semantics/types/symbols.ts";
import type { Expression } from "../syntax/ast.ts";
import { lastPart } from "../syntax/walk.ts";
import { executionOf, isBuiltinPlace } from "./device-code.ts";
import { accessesTo, callsOf, symbolAt } from "./fact-index.ts";

/** The number of lanes of a warp, on every device so far (CUDA C++ Programming Guide, hardware multithreading). */
export const warpSize = 32;

/** What is known about a value over the lanes of one warp. */
export type LaneValue =
  | { readonly kind: "uniform"; readonly value?: bigint }
  /** At least two and at most `most` different values per warp; `stride` if lane i has i × stride more than lane 0. */
  | { readonly kind: "lanes"; readonly most: number; readonly stride?: number }
  /** Computed from what each lane loads at an address of its own. */
  | { readonly kind: "data" }
  /** From `threadIdx.y` or `.z`: how many values a warp has depends on the block's shape. */
  | { readonly kind: "rows" }
  /** The variable whose value is being computed. */
  | { readonly kind: "self" }
  | { readonly kind: "unknown" };

const unknown: LaneValue = { kind: "unknown" };
const uniform: LaneValue = { kind: "uniform" };
const data: LaneValue = { kind: "data" };
const everyLane: LaneValue = { kind: "lanes", most: warpSize, stride: 1 };

/** How many nested variables and calls are followed. */
const deepest = 12;

/** Answers how an expression's value differs between lanes. */
export interface LaneDependence {
  of(expression: Expression, place: Place): LaneValue;
}

/** The lane dependence of the expressions of one file; `place` gives the unit of an expression. */
export const laneDependence = memo(createDependence);

function createDependence(facts: Facts): LaneDependence {
  const values = new Map<VariableSymbol, LaneValue>();

  const of = (e: Expression, place: Place, depth = deepest): LaneValue => {
    if (depth === 0) return unknown;
    const inner = (other: Expression) => of(other, place, depth - 1);
    switch (e.kind) {
      case "number":
      case "character":
      case "sizeof":
        return constantOf(e);
      case "parenthesized":
        return inner(e.inner);
      case "cast":
      case "named-cast":
        return inner(e.operand);
      case "unary":
        if (e.operator === "*") return loaded(inner(e.operand));
        return e.operator === "+" ? inner(e.operand) : e.operator === "-" || e.operator === "~" ? negated(inner(e.operand)) : unknown;
      case "update":
        return inner(e.operand);
      case "binary":
        return combined(e.operator, inner(e.left), inner(e.right));
      case "name": {
        const last = lastPart(e.name);
        const symbol = last === undefined ? undefined : symbolAt(facts, { unit: place.unit, start: last.span.start });
        return symbol?.kind === "variable" ? ofVariable(symbol, depth - 1) : unknown;
      }
      case "subscript":
        return e.indices.length === 1 && e.indices[0] !== undefined ? loaded(inner(e.indices[0])) : unknown;
      case "member":
        return ofMember(e, place, depth);
      case "call":
        return e.launch === undefined ? ofCall(e) : unknown;
      default:
        return unknown;
    }
  };

  const ofMember = (e: Extract<Expression, { kind: "member" }>, place: Place, depth: number): LaneValue => {
    if (e.object.kind === "subscript" || e.object.kind === "member") {
      const whole = of(e.object, place, depth - 1);
      return whole.kind === "data" ? data : unknown;
    }
    if (e.object.kind !== "name" || e.isArrow) return unknown;
    const part = e.object.name.parts[0];
    const symbol = part === undefined ? undefined : symbolAt(facts, { unit: place.unit, start: part.span.start });
    if (part === undefined || symbol?.kind !== "variable") return unknown;
    if (!isBuiltinPlace(symbol.place))
      return symbol.type.kind === "record" && symbol.scope === "parameter" ? ofVariable(symbol, depth - 1) : unknown;
    if (part.text === "threadIdx") return e.name.parts[0]?.text === "x" ? everyLane : { kind: "rows" };
    return part.text === "blockIdx" || part.text === "blockDim" || part.text === "gridDim" ? uniform : unknown;
  };

  const ofVariable = (variable: VariableSymbol, depth: number): LaneValue => {
    const known = values.get(variable);
    if (known !== undefined) return known;
    if (depth <= 0) return unknown;
    values.set(variable, { kind: "self" });
    const value = sourcesOf(variable, depth);
    values.set(variable, value);
    return value;
  };

  const sourcesOf = (variable: VariableSymbol, depth: number): LaneValue => {
    const { scope, type, initializer } = variable;
    if (isBuiltinPlace(variable.place) || variable.isPack === true) return unknown;
    if (scope === "program" || scope === "static-member")
      return type.qualifiers.const && initializer !== undefined
        ? joined(initialValue(variable, depth))
        : variable.memorySpace === "constant" && type.kind === "arithmetic"
          ? uniform
          : unknown;
    if (scope === "member" || variable.memorySpace !== undefined || variable.lambda !== undefined) return unknown;
    const start = scope === "parameter" ? passedValues(variable, depth) : initialValue(variable, depth);
    return joined([
      ...start,
      ...accessesTo(facts, variable).flatMap((access) => (access.path.steps.length === 0 ? written(access, variable, depth) : [])),
    ]);
  };

  const initialValue = ({ initializer, place }: VariableSymbol, depth: number): readonly LaneValue[] => {
    if (initializer === undefined) return [];
    const value =
      initializer.kind === "value"
        ? initializer.value
        : initializer.kind === "direct" && initializer.arguments.length === 1
          ? initializer.arguments[0]
          : undefined;
    const only = value?.kind === "list" && value.elements.length === 1 ? value.elements[0]?.value : value;
    return [only === undefined ? unknown : of(only, place, depth - 1)];
  };

  const passedValues = ({ owner, index }: VariableSymbol, depth: number): readonly LaneValue[] => {
    if (owner === undefined || index === undefined) return [unknown];
    if (executionOf(owner).kernel) return [uniform];
    const callers = callsOf(facts, owner);
    return callers.length === 0 ? [unknown] : callers.map((call) => passed(call, index, depth));
  };

  const passed = ({ arguments: values, lambda }: CallFact, index: number, depth: number): LaneValue => {
    const argument = values[index];
    return argument === undefined || lambda !== undefined ? unknown : of(argument.expression, argument.place, depth - 1);
  };

  /** The value that one use of a variable writes to it; undefined if the use only reads it. */
  const written = ({ mode, assignment, place }: AccessFact, variable: VariableSymbol, depth: number): readonly LaneValue[] => {
    if (mode === "read") return [];
    if (mode === "address" || mode === "bind") return variable.type.kind === "arithmetic" ? [unknown] : [];
    if (assignment === undefined) return mode === "read-write" ? [{ kind: "self" }] : [unknown];
    const value = of(assignment.value, place, depth - 1);
    return [assignment.operator === "=" ? value : combined(assignment.operator.slice(0, -1), { kind: "self" }, value)];
  };

  return { of: (expression, place) => of(expression, place) };
}

function constantOf(e: Expression): LaneValue {
  if (e.kind === "sizeof") return uniform;
  const value = evaluateConstant(e, literalScope)?.value;
  return typeof value === "bigint" ? { kind: "uniform", value } : unknown;
}

/** The value of a call of OpenCL's work-item functions. A sub-group is at most as wide as a warp. */
function ofCall(e: Extract<Expression, { kind: "call" }>): LaneValue {
  const name = e.function.kind === "name" && e.function.name.parts.length === 1 ? e.function.name.parts[0]?.text : undefined;
  const first = e.arguments[0];
  switch (name) {
    case "get_local_id":
    case "get_global_id":
      return first?.kind === "number" && Number(first.text) === 0 ? everyLane : { kind: "rows" };
    case "get_group_id":
    case "get_local_size":
    case "get_global_size":
    case "get_num_groups":
    case "get_global_offset":
    case "get_work_dim":
      return uniform;
    default:
      return unknown;
  }
}

/** Joins the values of several sources of one variable. If they do not agree, the result is unknown. */
function joined(all: readonly LaneValue[]): LaneValue {
  const others = all.filter(({ kind }) => kind !== "self");
  const first = others[0];
  if (first === undefined || others.some(({ kind }) => kind !== first.kind)) return unknown;
  if (all.length === 1) return first;
  if (first.kind === "uniform") return uniform;
  if (first.kind !== "lanes") return first;
  const lanes = others.filter((other) => other.kind === "lanes");
  const isSame = lanes.every(({ stride }) => stride === first.stride);
  return {
    kind: "lanes",
    most: greatest(lanes.map(({ most }) => most)),
    ...(isSame && first.stride !== undefined ? { stride: first.stride } : {}),
  };
}

function negated(value: LaneValue): LaneValue {
  if (value.kind === "lanes") return { kind: "lanes", most: value.most };
  if (value.kind === "data") return data;
  return value.kind === "uniform" ? uniform : value.kind === "rows" ? value : unknown;
}

/** What lanes load that read elements at this index. */
function loaded(index: LaneValue): LaneValue {
  return index.kind === "lanes" || index.kind === "data" ? data : unknown;
}

// ---------------------------------------------------------------- operators

function combined(operator: string, left: LaneValue, right: LaneValue): LaneValue {
  if (left.kind === "unknown" || right.kind === "unknown") return unknown;
  if (left.kind === "data" || right.kind === "data") return withData(operator, left, right);
  if (left.kind === "uniform" && right.kind === "uniform") return uniform;
  if (left.kind === "self" || right.kind === "self")
    return isShift(operator) && (left.kind === "uniform" || right.kind === "uniform") ? { kind: "self" } : unknown;
  const constant = right.kind === "uniform" && right.value !== undefined ? Number(right.value) : undefined;
  if (left.kind === "lanes" && right.kind === "lanes") return bothLanes(operator, left, right);
  if (left.kind === "lanes" && right.kind === "uniform") return lanesWithUniform(operator, left, constant);
  if (right.kind === "lanes") {
    if (operator === "+") return right;
    if (operator === "-") return { kind: "lanes", most: right.most };
    return operator === "*" && left.kind === "uniform"
      ? lanesWithUniform("*", right, left.value === undefined ? undefined : Number(left.value))
      : unknown;
  }
  if (left.kind === "lanes") return isShift(operator) ? left : unknown;
  return { kind: "rows" };
}

function isShift(operator: string): boolean {
  return operator === "+" || operator === "-";
}

/** Fewer values than this are no table that lanes read at random. */
const fewest = 8;

/** The result for a value that lanes have loaded. Comparisons, and remainders of small numbers, have few values. */
function withData(operator: string, left: LaneValue, right: LaneValue): LaneValue {
  if (left.kind === "self" || right.kind === "self") return unknown;
  const constant = right.kind === "uniform" && right.value !== undefined ? Number(right.value) : undefined;
  switch (operator) {
    case "+":
    case "-":
    case "*":
    case "/":
    case "<<":
    case ">>":
    case "^":
    case "|":
      return constant === 0 && operator === "*" ? uniform : data;
    case "%":
    case "&":
      return constant !== undefined && constant >= fewest ? data : unknown;
    default:
      return unknown;
  }
}

type Lanes = Extract<LaneValue, { kind: "lanes" }>;

/** The result for two values that differ between lanes. They may cancel out, unless both grow with the lane. */
function bothLanes(operator: string, left: Lanes, right: Lanes): LaneValue {
  if (operator !== "+" || left.stride === undefined || right.stride === undefined || left.stride <= 0 || right.stride <= 0) return unknown;
  return { kind: "lanes", most: warpSize, stride: left.stride + right.stride };
}

/** The result for a value per lane and a uniform one: the greatest number of different results in a warp. */
function lanesWithUniform(operator: string, lanes: Lanes, constant: number | undefined): LaneValue {
  const { most, stride } = lanes;
  switch (operator) {
    case "+":
    case "-":
      return lanes;
    case "*":
      if (constant === 0) return uniform;
      return constant === undefined || stride === undefined ? { kind: "lanes", most } : { kind: "lanes", most, stride: stride * constant };
    case "<<":
      return constant === undefined ? { kind: "lanes", most } : lanesWithUniform("*", lanes, 2 ** constant);
    case "%":
      return constant === undefined ? unknown : remainder(lanes, constant);
    case "/":
      return constant === undefined ? unknown : quotient(lanes, constant);
    case ">>":
      return constant === undefined ? unknown : quotient(lanes, 2 ** constant);
    case "&":
      // `& (2^n - 1)` is the remainder of division by 2^n.
      return constant !== undefined && constant > 0 && Number.isInteger(Math.log2(constant + 1)) ? remainder(lanes, constant + 1) : unknown;
    case "^":
      return { kind: "lanes", most };
    default:
      return unknown;
  }
}

function remainder({ most, stride }: Lanes, divisor: number): LaneValue {
  if (divisor <= 0 || stride === undefined || stride <= 0) return unknown;
  const different = divisor / greatestCommonDivisor(stride, divisor);
  if (different <= 1) return uniform;
  // Remainders that start over within a warp more than once do not grow with the lane, so that a division may make them equal.
  return { kind: "lanes", most: Math.min(most, different), ...(stride * warpSize <= divisor ? { stride } : {}) };
}

/** The result of a division: several lanes share a quotient. If a whole warp may share it, the result is unknown. */
function quotient({ most, stride }: Lanes, divisor: number): LaneValue {
  if (divisor <= 0 || stride === undefined || stride * warpSize <= divisor) return unknown;
  if (stride % divisor === 0) return { kind: "lanes", most, stride: stride / divisor };
  return { kind: "lanes", most: Math.min(most, Math.ceil((stride * (warpSize - 1)) / divisor) + 1) };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
