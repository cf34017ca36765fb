/**
 * What a launch passes to its kernel: the arguments of `k<<<…>>>(…)`, those of `hipLaunchKernelGGL` and `cudaLaunchKernelEx`, and the
 * objects whose addresses are in the array that `cudaLaunchKernel`, `cuLaunchKernel` and their like get.
 */
import type { AccessPath, CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, Place } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { encloses } from "../../spans.ts";
import type { Expression, ListElement } from "../../syntax/ast.ts";
import { accessesTo, conversionsOf, symbolAt } from "../fact-index.ts";

/** A value that a kernel gets. */
export interface KernelArgument {
  /** The position among the kernel's parameters. */
  readonly index: number;
  readonly value: CallArgument;
  /** The array in which the launch finds the value's address. */
  readonly array?: Place;
}

/** A launch with the values that its kernel gets. */
export interface LaunchArguments {
  /** Undefined if the launch does not name a kernel of the program. */
  readonly kernel: FunctionSymbol | undefined;
  readonly arguments: readonly KernelArgument[];
}

/** Where a launch function has its kernel and the arguments: from a position on, or in an array at that position. */
interface Form {
  readonly kernel: number | undefined;
  readonly from?: number;
  readonly array?: number;
}

const forms: ReadonlyMap<string, Form> = new Map([
  ["hipLaunchKernelGGL", { kernel: 0, from: 5 }],
  ["cudaLaunchKernelEx", { kernel: 1, from: 2 }],
  ["cudaLaunchKernel", { kernel: 0, array: 3 }],
  ["cudaLaunchCooperativeKernel", { kernel: 0, array: 3 }],
  ["hipLaunchKernel", { kernel: 0, array: 3 }],
  ["hipLaunchCooperativeKernel", { kernel: 0, array: 3 }],
  ["cudaLaunchKernelExC", { kernel: 1, array: 2 }],
  ["cuLaunchKernel", { kernel: undefined, array: 9 }],
  ["cuLaunchCooperativeKernel", { kernel: undefined, array: 9 }],
  ["hipModuleLaunchKernel", { kernel: undefined, array: 9 }],
]);

/** What a call passes to a kernel; undefined if it is not a launch. */
export function launchArgumentsOf(call: CallFact, facts: Facts): LaunchArguments | undefined {
  const { launch, callee, name, arguments: values } = call;
  if (launch !== undefined) return { kernel: callee, arguments: values.map((value, index) => ({ index, value })) };
  const form = forms.get(name.replace(/^::/, ""));
  if (form === undefined) return undefined;
  const kernel = form.kernel === undefined ? undefined : kernelNamed(values[form.kernel], facts);
  if (form.from !== undefined) return { kernel, arguments: values.slice(form.from).map((value, index) => ({ index, value })) };
  const array = form.array === undefined ? undefined : values[form.array];
  return { kernel, arguments: array === undefined ? [] : pointedArguments(array, facts) };
}

/** The kernel that an argument such as `(void *)k` or `k<float>` names. */
function kernelNamed(argument: CallArgument | undefined, facts: Facts): FunctionSymbol | undefined {
  if (argument === undefined) return undefined;
  const name = nameIn(argument.expression);
  const last = name?.parts.at(-1);
  const symbol = last === undefined ? undefined : symbolAt(facts, { unit: argument.place.unit, start: last.span.start });
  return symbol?.kind === "function" ? symbol : undefined;
}

function nameIn(e: Expression): Extract<Expression, { kind: "name" }>["name"] | undefined {
  if (e.kind === "name") return e.name;
  if (e.kind === "parenthesized") return nameIn(e.inner);
  if (e.kind === "cast" || e.kind === "named-cast") return nameIn(e.operand);
  return e.kind === "unary" && e.operator === "&" ? nameIn(e.operand) : undefined;
}

/** The objects whose addresses an array has from its declaration, `void *args[] = {&x, &n};`, or in place, `(void *[]){&x}`. */
function pointedArguments(array: CallArgument, facts: Facts): readonly KernelArgument[] {
  const { expression, path, place } = array;
  const variable = path?.root;
  if (variable === undefined || path === undefined || path.steps.some(({ kind }) => kind !== "address" && kind !== "index"))
    return expression.kind === "compound-literal" ? elementsOf(expression.value, place, place, array, facts) : [];
  const isChanged = accessesTo(facts, variable).some(({ mode, path: { steps } }) => mode !== "read" && steps.length > 0);
  const { initializer } = variable;
  if (isChanged || variable.scope !== "block" || initializer?.kind !== "value") return [];
  return elementsOf(initializer.value, variable.place, variable.declaration, array, facts);
}

function elementsOf(list: Expression, { unit }: Place, around: Place, array: CallArgument, facts: Facts): readonly KernelArgument[] {
  if (list.kind !== "list" || list.elements.some(({ designators }) => designators.length > 0)) return [];
  return list.elements.flatMap(({ value: { span } }, index): readonly KernelArgument[] => {
    const object = conversionsOf(facts, { unit, span })
      .map(({ path, from }) => ({ path: objectOf(path), type: from.kind === "pointer" ? from.pointee : undefined }))
      .find(({ path, type }) => path !== undefined && type !== undefined && type.kind !== "void");
    if (object?.path === undefined || object.type === undefined) return [];
    const value = { expression: array.expression, path: object.path, type: object.type, place: array.place };
    return [
      { index, value, array: { unit, span: encloses(around.span, span) ? around.span : { start: around.span.start, end: list.span.end } } },
    ];
  });
}

/** The object of `&x`. */
function objectOf(path: AccessPath | undefined): AccessPath | undefined {
  return path?.steps.at(-1)?.kind === "address" ? { root: path.root, steps: path.steps.slice(0, -1) } : undefined;
}

/** The members that a list in braces initializes, with their values; undefined unless that is certain. */
export function initializedMembers(list: Expression, type: Type): ReadonlyMap<string, Expression> | undefined {
  const members = membersOf(type);
  if (list.kind !== "list" || members === undefined) return undefined;
  const found = new Map<string, Expression>();
  for (const [index, element] of list.elements.entries()) {
    const name = nameOfElement(element, index, members);
    if (name === undefined) return undefined;
    found.set(name, element.value);
  }
  return found;
}

function nameOfElement({ designators, value }: ListElement, index: number, members: readonly string[]): string | undefined {
  if (value.kind === "list") return undefined;
  if (designators.length === 0) return members[index];
  const [only, ...others] = designators;
  return typeof only === "string" && others.length === 0 ? only : undefined;
}

/** The names of the members of an aggregate whose members are all single objects: braces within its list may then not be left out. */
function membersOf(type: Type): readonly string[] | undefined {
  if (type.kind !== "record") return undefined;
  const { members, bases, functions, isDependent, isIncomplete, isPolymorphic, hasUnreadText, key } = type.record;
  const isPlain = bases.length === 0 && !isDependent && !isIncomplete && !isPolymorphic && hasUnreadText !== true && key !== "union";
  if (members === undefined || !isPlain || functions.some(({ name }) => name === type.record.tag)) return undefined;
  return members.every(({ type: of }) => of.kind === "pointer" || of.kind === "arithmetic" || of.kind === "enum")
    ? members.map(({ name }) => name)
    : undefined;
}
