/**
 * The ordinary host memory that a pointer of host code certainly points to: a variable on the host, memory from `malloc` or `new`, or the
 * elements of a container. A pointer counts only if all of its sources are visible and none is in device memory.
 */
import { memo } from "../../memo.ts";
import type { AccessFact, AccessPath, CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import { leavesObject } from "../access-paths.ts";
import { accessesTo, conversionsTo, declarationsOf, localNamed } from "../fact-index.ts";
import { isDeclarationClear } from "../host-code.ts";
import { isInHostMemory } from "../memory-spaces.ts";
import { pointerPath } from "../object-flow.ts";

/** Memory of the host, in words that complete the sentence `this points to …`. */
export interface HostMemory {
  readonly what: string;
  readonly related: readonly { readonly message: string; readonly place: Place }[];
}

/** The host memory that a value certainly points to. */
export function pointedMemory(
  value: Pick<CallArgument, "expression" | "type" | "path" | "heap" | "place">,
  facts: Facts,
): HostMemory | undefined {
  if (value.heap !== undefined) return fromHeap(value.heap);
  return memoryOf(pointerPath(value), facts) ?? elementsOf(value, facts);
}

/** The host memory that the object of a path points to, whose address is taken for a launch at `except` alone. */
export function memoryBehind(path: AccessPath | undefined, facts: Facts, except?: Place): HostMemory | undefined {
  return memoryOf(path, facts, stepsFollowed, except);
}

/** Memory from a function of the host's heap. */
export function fromHeap(name: string): HostMemory {
  return { what: `memory from '${name}'`, related: [] };
}

/** How many pointers are followed to their sources. */
const stepsFollowed = 4;

/** The host memory that a pointer certainly points to. */
function memoryOf(path: AccessPath | undefined, facts: Facts, depth = stepsFollowed, except?: Place): HostMemory | undefined {
  const root = path?.root;
  if (path === undefined || root === undefined || depth === 0 || isGivenAway(root, facts)) return undefined;
  const last = path.steps[path.steps.length - 1];
  if (last?.kind === "address") return leavesObject(path) ? undefined : memoryOfVariable(root, facts);
  return path.steps.length === 0 && root.scope === "block" && root.type.kind === "pointer"
    ? memoryOfPointer(root, facts, depth, except)
    : undefined;
}

function memoryOfVariable(variable: VariableSymbol, facts: Facts): HostMemory | undefined {
  if (!isDeclarationClear(variable, facts) || !isOnHost(variable, facts) || variable.type.kind === "reference") return undefined;
  const isStack = variable.scope === "parameter" || (variable.scope === "block" && variable.memorySpace === undefined);
  return {
    what: `'${variable.name}'${isStack ? " on the host's stack" : hasWord(variable.words, "static") ? ", a static variable of the host" : " in host memory"}`,
    related: [{ message: `'${variable.name}' is declared here`, place: variable.place }],
  };
}

function isOnHost(variable: VariableSymbol, facts: Facts): boolean {
  return isInHostMemory(variable) && declarationsOf(facts, variable).length > 0;
}

/** The host memory that all values of the pointer point to; undefined if other code may set it. */
function memoryOfPointer(pointer: VariableSymbol, facts: Facts, depth: number, except: Place | undefined): HostMemory | undefined {
  const isShared = ({ mode, path, place }: AccessFact) =>
    path.steps.length === 0 && (mode === "address" || mode === "bind") && !(except !== undefined && contains(except, place));
  if (accessesTo(facts, pointer).some(isShared)) return undefined;
  const sources = conversionsTo(facts, pointer).filter(
    ({ context, isNullConstant }) => (context === "initialize" || context === "assign") && !isNullConstant,
  );
  const written = accessesTo(facts, pointer).filter(
    ({ mode, path, assignment }) => path.steps.length === 0 && mode === "write" && assignment !== undefined && !isNull(assignment.value),
  );
  if (sources.length === 0 || written.length > sources.length) return undefined;
  let found: HostMemory | undefined;
  for (const { heap, path, operandPlace } of sources) {
    const memory =
      heap === undefined
        ? memoryOf(path, facts, depth - 1)
        : {
            what: `memory from '${heap}' in '${pointer.name}'`,
            related: [{ message: `it comes from '${heap}' here`, place: operandPlace }],
          };
    if (memory === undefined) return undefined;
    found = memory;
  }
  return found;
}

function isNull(e: CallArgument["expression"]): boolean {
  return e.kind === "nullptr" || (e.kind === "number" && Number(e.text) === 0);
}

/** True if the memory is registered as page-locked, or passed to a function whose name suggests that it registers memory. */
function isGivenAway(variable: VariableSymbol, facts: Facts): boolean {
  return registrations(facts).variables.has(variable);
}

/** The calls that may make memory accessible to devices, and the variables that they get. */
const registrations = memo(({ calls }: Facts) => {
  const all = calls.filter(givesAway);
  return { exist: all.length > 0, variables: new Set(all.flatMap((call) => call.arguments.map(({ path }) => path?.root))) };
});

function givesAway({ name }: CallFact): boolean {
  return /regist|pin|lock|managed|hostGetDevicePointer/i.test(name);
}

/** Containers of the standard library whose elements are in host memory, if they have the default allocator. */
const container = /^(?:(?:static|const|constexpr)\s+)*std::(vector|array|string|basic_string)\b/;

/** The elements of a container: `v.data()`, `v.data() + n`, `&v[0]`, `&v.front()`. */
function elementsOf({ expression, place }: Pick<CallArgument, "expression" | "place">, facts: Facts): HostMemory | undefined {
  const symbol = localNamed(facts, objectWithElements(expression), place);
  if (symbol === undefined || registrations(facts).exist) return undefined;
  if (!isOnHost(symbol, facts) || !isDeclarationClear(symbol, facts)) return undefined;
  const { unit, span } = symbol.declaration;
  const text = unit.view.text.slice(span.start, span.end);
  const name = container.exec(text)?.[1];
  // A second argument of a vector is an allocator, which may allocate memory for devices.
  if (name === undefined || (name !== "array" && allocates(text))) return undefined;
  return {
    what: `elements of the 'std::${name}' '${symbol.name}'`,
    related: [{ message: `'${symbol.name}' is declared here`, place: symbol.place }],
  };
}

function objectWithElements(e: CallArgument["expression"]): CallArgument["expression"] | undefined {
  if (e.kind === "parenthesized") return objectWithElements(e.inner);
  if (e.kind === "binary" && (e.operator === "+" || e.operator === "-")) return objectWithElements(e.left);
  if (e.kind === "call") return calledOn(e, ["data", "c_str"]);
  if (e.kind !== "unary" || e.operator !== "&") return undefined;
  if (e.operand.kind === "subscript") return e.operand.object;
  return e.operand.kind === "call" ? calledOn(e.operand, ["front"]) : undefined;
}

/** The object of a call of one of these member functions without arguments. */
function calledOn(
  e: Extract<CallArgument["expression"], { kind: "call" }>,
  names: readonly string[],
): CallArgument["expression"] | undefined {
  const { function: callee } = e;
  if (callee.kind !== "member" || callee.isArrow || e.arguments.length > 0) return undefined;
  const name = callee.name.parts.length === 1 ? callee.name.parts[0]?.text : undefined;
  return name !== undefined && names.includes(name) ? callee.object : undefined;
}

/** True if the first template arguments in a text are several. */
export function allocates(text: string): boolean {
  let depth = 0;
  for (const letter of text.slice(text.indexOf("<"))) {
    if (letter === "<" || letter === "(") depth += 1;
    else if (letter === ">" || letter === ")") depth -= 1;
    else if (letter === "," && depth === 1) return true;
    if (depth === 0) return false;
  }
  return false;
}
