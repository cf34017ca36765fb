/**
 * Checks runtime calls that take a device variable by name (`cudaMemcpyToSymbol` and the like, also HIP's): the variable, the
 * direction and the number of bytes.
 */
import { leavesObject } from "../../analyses/access-paths.ts";
import { callsAt, declarationsOf } from "../../analyses/fact-index.ts";
import { isDeclarationClear } from "../../analyses/host-code.ts";
import { isInHostMemory } from "../../analyses/memory-spaces.ts";
import { formatBytes as bytes } from "../../analyses/memory-table.ts";
import { pointerPath } from "../../analyses/object-flow.ts";
import type { AccessPath, CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import { layoutOf, sizeOf } from "../../semantics/types/layout.ts";
import { innermostElement } from "../../semantics/types/predicates.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { containsUnknown, isOpaqueToUs, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import type { PlacedEdit, RuleFinding, RuleFix } from "../rule.ts";

interface SymbolCall {
  readonly kind: "to" | "from" | "address" | "size";
  readonly prefix: "cuda" | "hip";
  readonly symbol: CallArgument;
  readonly data: CallArgument | undefined;
  readonly count: CallArgument | undefined;
  readonly offset: CallArgument | undefined;
  readonly direction: CallArgument | undefined;
}

/** True for a function of the CUDA or HIP runtime that takes a variable itself, but not for an overload that takes its name, a `char *`. */
export function isSymbolCall({ name, callee }: CallFact): boolean {
  if (!symbolFunction.test(name)) return false;
  const isName = (type: Type) => type.kind === "pointer" && type.pointee.kind === "arithmetic" && type.pointee.name === "char";
  return callee?.type.parameters.some(isName) !== true;
}

const symbolFunction = /^(?:::)?(cuda|hip)(?:Memcpy(To|From)Symbol(?:Async)?|GetSymbol(Address|Size))$/;

/** The mistakes in such a call. */
export function symbolFindings(call: CallFact, facts: Facts): readonly RuleFinding[] {
  const parts = partsOf(call);
  if (parts === undefined) return [];
  const wrong = wrongSymbol(call, parts, facts);
  const named = wrong === undefined ? parts : namedByString(parts, facts);
  const others = named === undefined ? [] : [wrongDirection(named), wrongCount(named), wrongDestination(named), wrongLevel(named)];
  return [wrong, ...others].filter((finding) => finding !== undefined);
}

/** A call that names a device variable of the file by a string, as CUDA before 5.0 allowed: the same call with the variable. */
function namedByString(parts: SymbolCall, { variables }: Facts): SymbolCall | undefined {
  const { expression, place } = parts.symbol;
  const name = expression.kind === "string" ? /^"(\w+)"$/.exec(expression.text)?.[1] : undefined;
  const [fact, ...others] = variables.filter(({ variable }) => variable.name === name && variable.memorySpace !== undefined);
  if (fact === undefined || others.length > 0) return undefined;
  const { variable: root } = fact;
  return { ...parts, symbol: { expression, place, type: root.type, path: { root, steps: [] } } };
}

function partsOf(call: CallFact): SymbolCall | undefined {
  const match = symbolFunction.exec(call.name);
  if (match === null) return undefined;
  const [, prefix, copy, question] = match;
  const [first, second, count, offset, direction] = call.arguments;
  const symbol = copy === "To" ? first : second;
  if (symbol === undefined) return undefined;
  const kind = copy === "To" ? "to" : copy === "From" ? "from" : question === "Size" ? "size" : "address";
  const isCopy = copy !== undefined;
  return {
    kind,
    prefix: prefix === "hip" ? "hip" : "cuda",
    symbol,
    data: copy === "To" ? second : first,
    count: isCopy ? count : undefined,
    offset: isCopy ? offset : undefined,
    direction: isCopy ? direction : undefined,
  };
}

/** The device variable that the whole argument names. */
function symbolOf({ path, type }: CallArgument): VariableSymbol | undefined {
  const root = path?.root;
  if (root === undefined || path?.steps.length !== 0 || isOpaqueToUs(type)) return undefined;
  return root.memorySpace === "device" || root.memorySpace === "constant" ? root : undefined;
}

// ---------------------------------------------------------------- which variable

function wrongSymbol({ name }: CallFact, { symbol, prefix }: SymbolCall, facts: Facts): RuleFinding | undefined {
  const { expression, place, path } = symbol;
  // HIP's functions of the same names take an address.
  if (prefix === "hip") return wrongAddress(name, symbol, facts);
  if (expression.kind === "string")
    return { place, message: `'${name}' takes the variable itself; passing its name as a string was removed in CUDA 5.0` };
  const root = path?.root;
  if (root === undefined || path === undefined || !isClear(root, facts)) return undefined;
  const related = [{ message: `'${root.name}' is declared here`, place: root.place }];
  const isDevice = root.memorySpace === "device" || root.memorySpace === "constant";
  if (isDevice && expression.kind === "unary" && expression.operator === "&" && path.steps.length === 1) {
    const edits: PlacedEdit[] = [
      { place: { unit: place.unit, span: { start: place.span.start, end: expression.operand.span.start } }, text: "" },
    ];
    return {
      place,
      message: `'${name}' takes '${root.name}' itself, not its address`,
      related,
      fixes: () => [{ title: "Drop the '&'", edits, safety: "safe" }],
    };
  }
  if (isDevice && root.type.kind !== "pointer" && isLaterPart(path, expression)) {
    const part = path.steps.some(({ kind }) => kind === "member") ? "a part" : "an element";
    return { place, message: `'${name}' takes a whole variable, not ${part}: pass '${root.name}' and an offset`, related };
  }
  if (isDevice && isTemporaryAddress(symbol))
    return { place, message: `'${name}' takes '${root.name}' itself, not a pointer to it`, related };
  return notOnDevice(root, path.steps.length === 0, place, facts);
}

/**
 * True for a part of the variable that does not start where the variable does. The runtime looks its address up among those of the
 * variables, so a part at the start counts as the whole.
 */
function isLaterPart({ steps }: AccessPath, expression: CallArgument["expression"]): boolean {
  const [first, ...others] = steps;
  if (first?.kind === "index" && others.length === 0) return !isFirst(expression);
  return steps.length > 0 && steps.every(({ kind }) => kind === "member" || kind === "index") && steps.some(isLaterMember);
}

function isLaterMember(step: AccessPath["steps"][number]): boolean {
  const record = step.kind === "member" ? step.member?.record : undefined;
  if (step.kind !== "member" || record === undefined) return false;
  const offset = layoutOf(record)?.fields.find(({ member }) => member === step.member)?.offset;
  return offset !== undefined && offset > 0;
}

/**
 * True for a pointer into the variable. The runtime's template takes the address of its argument, and that of a temporary is not a
 * symbol; a `const void *` is passed on as it is (measured with CUDA 13 on an H100).
 */
function isTemporaryAddress({ expression, type, path }: CallArgument): boolean {
  if (type.kind !== "pointer" || path === undefined || leavesObject(path)) return false;
  if (path.root?.type.kind === "pointer" && path.steps.length === 0) return false;
  return expression.kind !== "name" && !(type.pointee.kind === "void" && type.pointee.qualifiers.const);
}

/** HIP takes the address of the variable as a `const void *`, which `HIP_SYMBOL` forms. */
function wrongAddress(name: string, symbol: CallArgument, facts: Facts): RuleFinding | undefined {
  const { expression, place } = symbol;
  if (expression.kind === "string") return { place, message: `'${name}' takes the variable itself, not its name as a string` };
  // Without HIP's headers the macro looks like a function.
  const [call] = expression.kind === "call" ? callsAt(facts, place) : [];
  const inner = call?.name === "HIP_SYMBOL" ? call.arguments[0] : symbol;
  const path = inner === undefined ? undefined : pointerPath(inner);
  const root = path?.root;
  if (root === undefined || path === undefined || !isClear(root, facts)) return undefined;
  // A pointer may hold the address of a symbol.
  if (inner === symbol && root.type.kind === "pointer" && path.steps.length === 0) return undefined;
  const isWhole = path.steps.every(({ kind }) => kind === "address");
  return notOnDevice(root, isWhole, place, facts);
}

function isClear(root: VariableSymbol, facts: Facts): boolean {
  return !isOpaqueToUs(root.type) && !root.isDependent && isDeclarationClear(root, facts);
}

function notOnDevice(root: VariableSymbol, isWhole: boolean, place: CallArgument["place"], facts: Facts): RuleFinding | undefined {
  if (!isWhole || !isHostVariable(root, facts) || isAnyPointer(root.type)) return undefined;
  const related = [{ message: `'${root.name}' is declared here`, place: root.place }];
  return { place, message: `'${root.name}' is not a '__device__' or '__constant__' variable`, related };
}

function isFirst(e: CallArgument["expression"]): boolean {
  const [index] = e.kind === "subscript" ? e.indices : [];
  return index?.kind === "number" && /^0+$/.test(index.text);
}

/** True for a host variable of the checked file. Others do not count, because headers may hide specifiers in macros. */
function isHostVariable(variable: VariableSymbol, facts: Facts): boolean {
  return (
    isInHostMemory(variable) &&
    variable.type.kind !== "reference" &&
    !containsUnknown(variable.type) &&
    declarationsOf(facts, variable).length > 0
  );
}

/** True for `const void *`, for which the runtime has an overload. */
function isAnyPointer(type: Type): boolean {
  return type.kind === "pointer" && type.pointee.kind === "void";
}

// ---------------------------------------------------------------- direction and size

function wrongDirection({ direction, kind, prefix, symbol }: SymbolCall): RuleFinding | undefined {
  const written = direction?.expression.kind === "name" ? direction.expression.name.parts[0]?.text : undefined;
  const match = /^(?:cuda|hip)Memcpy(Host|Device)To(Host|Device)$/.exec(written ?? "");
  if (direction === undefined || match === null) return undefined;
  const side = kind === "to" ? match[2] : match[1];
  if (side === "Device") return undefined;
  const right = `${prefix}Memcpy${kind === "to" ? "HostToDevice" : "DeviceToHost"}`;
  const name = symbol.path?.root?.name;
  return {
    place: direction.place,
    message: `'${written}' copies ${kind} the host, but ${name === undefined ? "the variable" : `'${name}'`} is on the device`,
    fixes: () => [{ title: `Use '${right}'`, edits: [{ place: direction.place, text: right }], safety: "safe" }],
  };
}

function wrongCount({ symbol, count, offset, data }: SymbolCall): RuleFinding | undefined {
  const variable = symbolOf(symbol);
  const size = variable === undefined ? undefined : sizeOf(variable.type);
  if (variable === undefined || size === undefined || count === undefined) return undefined;
  const related = [{ message: `'${variable.name}' has ${bytes(size)}`, place: variable.place }];
  const fixes = (): readonly RuleFix[] => [
    { title: `Use 'sizeof(${variable.name})'`, edits: [{ place: count.place, text: `sizeof(${variable.name})` }], safety: "safe" },
  ];
  const pointer = measuredPointer(count, variable.type);
  if (pointer !== undefined && isSameObject(count, data))
    return { place: count.place, message: `this is the size of a pointer, 8 bytes, not of what it points to`, related, fixes };
  const start = offset === undefined ? 0n : offset.value;
  if (count.value === undefined || start === undefined) return undefined;
  if (count.value + start > BigInt(size)) {
    const end = start === 0n ? "" : ` from byte ${start} on`;
    return {
      place: count.place,
      message: `${bytes(Number(count.value))}${end} do not fit into '${variable.name}' of ${bytes(size)}`,
      related,
    };
  }
  const elements = elementsOf(variable.type);
  if (
    count.measured === undefined &&
    start === 0n &&
    elements !== undefined &&
    elements > 1 &&
    BigInt(elements) === count.value &&
    elements < size
  ) {
    return {
      place: count.place,
      message: `the size is in bytes: the ${elements} elements of '${variable.name}' take ${bytes(size)}`,
      related,
      fixes,
    };
  }
  return undefined;
}

/** The finding for a destination that points to const, even if a cast hides that. */
function wrongDestination({ kind, data }: SymbolCall): RuleFinding | undefined {
  const root = data?.path?.root;
  if (kind !== "from" || data === undefined || root === undefined || data.path === undefined) return undefined;
  const { steps } = data.path;
  const isPointer = root.type.kind === "pointer" && steps.length === 0 && root.type.pointee.qualifiers.const;
  const isObject =
    root.type.kind !== "reference" &&
    steps[steps.length - 1]?.kind === "address" &&
    !leavesObject({ steps }) &&
    (root.type.kind === "array" ? root.type.element : root.type).qualifiers.const;
  if (!isPointer && !isObject) return undefined;
  return {
    place: data.place,
    message: isPointer
      ? `this copy writes through '${root.name}', which points to const`
      : `this copy writes '${root.name}', which is const`,
    related: [{ message: `'${root.name}' is declared here`, place: root.place }],
  };
}

/** The index of the argument for the host's data, or for the address that the call stores. */
export function dataIndexOf({ name }: CallFact): number {
  return /ToSymbol/.test(name) ? 1 : 0;
}

/** The finding for a copy of a device pointer from or to the host pointer's target, instead of the host pointer. */
function wrongLevel({ kind, symbol, data, count }: SymbolCall): RuleFinding | undefined {
  const variable = symbolOf(symbol);
  if (variable?.type.kind !== "pointer" || data?.type.kind !== "pointer" || count === undefined) return undefined;
  // The rule for sizes reports other numbers.
  if (count.value !== undefined && count.value !== BigInt(pointerSize)) return undefined;
  const own = data.path?.root === undefined ? undefined : nameOf(data);
  const { pointee } = variable.type;
  // Pointers to bytes may point to anything.
  if (own === undefined || pointee.kind !== "arithmetic" || /char|bool/.test(pointee.name)) return undefined;
  if (printType(unqualifiedType(pointee)) !== printType(unqualifiedType(data.type.pointee))) return undefined;
  const { expression } = data;
  // `&` can be put before a name and before a member.
  const isPlain = expression.kind === "name" || expression.kind === "member";
  return {
    place: data.place,
    message:
      kind === "to"
        ? `this copies what '${own}' points to into the pointer '${variable.name}'`
        : `this copies the pointer '${variable.name}' to where '${own}' points`,
    related: [{ message: `'${variable.name}' is declared here`, place: variable.place }],
    fixes: () => (isPlain ? [{ title: `Pass '&${own}'`, edits: [{ place: data.place, how: "before", text: "&" }], safety: "safe" }] : []),
  };
}

/** The pointer as its author wrote it: a name, a member, or `&p[0]` for `p`. */
function nameOf({ expression, place }: CallArgument): string | undefined {
  const isElement = expression.kind === "unary" && expression.operator === "&" && expression.operand.kind === "subscript";
  const pointer = isElement && expression.operand.kind === "subscript" ? expression.operand.object : expression;
  if (pointer.kind !== "name" && pointer.kind !== "member") return undefined;
  return place.unit.view.text.slice(pointer.span.start, pointer.span.end);
}

const pointerSize = 8;

/** The pointer type whose size was computed for a variable that contains no pointer. */
function measuredPointer({ measured }: CallArgument, type: Type): Type | undefined {
  if (measured?.length !== 1) return undefined;
  const [only] = measured;
  const element = innermostElement(type);
  return only?.kind === "pointer" &&
    (element.kind === "arithmetic" || element.kind === "enum" || (element.kind === "record" && type.kind === "array"))
    ? only
    : undefined;
}

/** True for `sizeof(p)` if the copy is from `p` itself. */
function isSameObject({ expression }: CallArgument, data: CallArgument | undefined): boolean {
  const operand = expression.kind === "sizeof" ? expression.operand : undefined;
  const inner = operand?.kind === "parenthesized" ? operand.inner : operand;
  const name = inner?.kind === "name" ? inner.name.parts[0]?.text : undefined;
  return name !== undefined && data?.path?.root?.name === name && data.path.steps.length === 0;
}

function elementsOf(type: Type): number | undefined {
  if (type.kind !== "array") return 1;
  const inner = elementsOf(type.element);
  return inner === undefined || type.length === undefined ? undefined : inner * type.length;
}
