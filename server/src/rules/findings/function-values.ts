/** Names of functions that are used as values: passed to a call, stored in a variable, or assigned. */
import { callsAt, symbolAt } from "../../analyses/fact-index.ts";
import { isCertain } from "../../analyses/memory-spaces.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import { constructorsOf, isCopying, takes } from "../../semantics/symbols/candidates.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Expression } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";

/** A function's name as a value, and the code that uses it. */
export interface FunctionValue {
  readonly symbol: FunctionSymbol;
  readonly place: Place;
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol | undefined;
  /** The call that gets it; absent if it is stored. */
  readonly call?: CallFact;
  /** Where it is stored. */
  readonly target?: VariableSymbol;
  /** The variable outside of functions whose initializer it is in. */
  readonly initializes?: VariableSymbol;
}

/** Every function that is passed to a call or stored. */
export function* functionValues(facts: Facts): Generator<FunctionValue> {
  for (const call of facts.calls) {
    const { within, lambda } = call;
    for (const { expression, place } of call.arguments) yield* valuesIn(expression, place, facts, { within, lambda, call });
  }
  for (const { variable } of facts.variables) {
    const { scope, place, owner, lambda } = variable;
    const isOutside = scope === "program" || scope === "static-member";
    if (scope !== "block" && !isOutside) continue;
    const where = { within: owner, lambda, target: variable, ...(isOutside ? { initializes: variable } : {}) };
    for (const value of storedValues(variable)) yield* valuesIn(value, place, facts, where);
  }
  for (const { mode, assignment, path, place, within, lambda } of facts.accesses) {
    if (mode !== "write" || assignment === undefined) continue;
    const target = path.root === undefined ? {} : { target: path.root };
    yield* valuesIn(assignment.value, place, facts, { within, lambda, ...target });
  }
}

/**
 * The expressions that initialize a variable. Within a function the arguments of a constructor are those of a call; outside, where the
 * compiler evaluates it, those count that it keeps.
 */
function storedValues({ initializer, type, scope }: VariableSymbol): readonly Expression[] {
  const values = initializer?.kind === "value" ? [initializer.value] : initializer?.kind === "direct" ? initializer.arguments : [];
  const constructors = type.kind === "record" && scope !== "block" ? constructorsOf(type.record) : [];
  if (constructors.length === 0) return initializer?.kind === "value" || type.kind === "pointer" || type.kind === "reference" ? values : [];
  const [only] = values;
  const given = only?.kind === "list" ? only.elements.map(({ value }) => value) : values;
  const [constructor, ...others] = constructors.filter(
    (each) => takes(each, given.length) && each.record !== undefined && !isCopying(each, each.record),
  );
  return constructor === undefined || others.length > 0 ? [] : given.filter((_, index) => isKept(constructor, index));
}

/** True if a constructor initializes a pointer with its parameter. */
function isKept({ declarations, record }: FunctionSymbol, index: number): boolean {
  const definition = declarations.find(({ isDefinition }) => isDefinition);
  const parameter = definition?.parameters[index]?.symbol.name;
  const isPointer = (name: string | undefined) =>
    record?.members?.some((each) => each.name === name && each.type.kind === "pointer") === true;
  return (definition?.memberInitializers ?? []).some(({ name, arguments: [value, ...others] }) => {
    const isParameter = value?.kind === "name" && value.name.parts.length === 1 && lastPart(value.name)?.text === parameter;
    return isParameter && others.length === 0 && isPointer(lastPart(name)?.text);
  });
}

function* valuesIn(e: Expression, { unit }: Place, facts: Facts, where: Omit<FunctionValue, "symbol" | "place">): Generator<FunctionValue> {
  for (const { name, span } of namesIn(e)) {
    const last = lastPart(name);
    const symbol = last === undefined ? undefined : symbolAt(facts, { unit, start: last.span.start });
    if (symbol?.kind !== "function" || !isCertain(symbol) || callsAt(facts, { unit, span }).length > 0) continue;
    if (!isLocal(symbol, where.within)) yield { symbol, place: { unit, span }, ...where };
  }
}

/** True for a declaration in a block, `Generator rng(Seed(1));`, which may be a variable's. */
function isLocal({ declarations }: FunctionSymbol, within: FunctionSymbol | undefined): boolean {
  return declarations.some(({ place }) => within?.declarations.some((around) => contains(around.place, place)));
}

/** The names in an expression that may be a function: `f`, `&f`, a cast or a list with one. */
function namesIn(e: Expression): readonly Extract<Expression, { kind: "name" }>[] {
  if (e.kind === "name") return [e];
  if (e.kind === "parenthesized") return namesIn(e.inner);
  if (e.kind === "cast" || e.kind === "named-cast") return namesIn(e.operand);
  if (e.kind === "unary") return e.operator === "&" ? namesIn(e.operand) : [];
  return e.kind === "list" ? e.elements.flatMap(({ value }) => namesIn(value)) : [];
}
