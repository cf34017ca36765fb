/**
 * What a hover says in OpenCL C: who sees an address space, how long its objects live, how large they may be, and what a
 * pointer into it converts to in each standard that the file is judged by.
 */
import type { Limits, OpenCLDialect } from "../../dialect.ts";
import { isConstantArgument } from "../../rules/constant-argument-count.ts";
import { isConstantData } from "../../rules/constant-buffer-size.ts";
import { compare } from "../../semantics/conversions.ts";
import type { Facts } from "../../semantics/facts.ts";
import { sizeOf } from "../../semantics/layout.ts";
import { reachedConstants } from "../../semantics/reached-constants.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../../semantics/symbols.ts";
import { type AddressSpace, addQualifiers, arithmetic, pointerTo, spellDeclared, type Type } from "../../semantics/types.ts";
import { grouped, labelsOf } from "./dialects.ts";
import { bullets, code, codeBlock, number } from "./markdown.ts";
import { constLines, restrictLine } from "./qualifiers.ts";
import { layoutTable, ledgerTable, parameterLedger, sizeText, totalOf, totalText } from "./sizes.ts";
import type { Target } from "./target.ts";

/** What one dialect found at the place. */
export interface OpenCLView {
  readonly dialect: OpenCLDialect;
  readonly facts: Facts;
  readonly target: Target;
}

/** The space that one dialect's reading of the hover is about. */
interface Subject {
  readonly dialect: OpenCLDialect;
  readonly value: AddressSpace;
}

const order: readonly AddressSpace[] = ["generic", "global", "local", "private", "constant"];

const spec = "[OpenCL C specification](https://registry.khronos.org/OpenCL/specs/3.0-unified/html/OpenCL_C.html)";

interface SpaceText {
  readonly seen: string;
  readonly lives: string;
  readonly limit: string | undefined;
}

const spaces: Readonly<Record<AddressSpace, SpaceText>> = {
  global: {
    seen: "every work-item of every kernel, and the host through buffers and images",
    lives: "as long as its buffer; a program-scope variable as long as the program",
    limit: undefined,
  },
  constant: {
    seen: "every work-item of every kernel, for reading only; the host through a buffer, or the program's initialiser",
    lives: "as long as its buffer; a program-scope variable as long as the program",
    limit: "`CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE`, at least 65,536 bytes (embedded profile: 1,024)",
  },
  local: {
    seen: "the work-items of one work-group; each work-group has its own",
    lives: "as long as its work-group runs; it starts without a value, and an initialiser is an error",
    limit: "`CL_DEVICE_LOCAL_MEM_SIZE`, at least 32,768 bytes (embedded profile: 1,024)",
  },
  private: {
    seen: "one work-item; each has its own",
    lives: "as long as the block that declares it",
    limit: undefined,
  },
  generic: {
    seen: "whatever sees the object: generic is no memory of its own, a pointer to it may point to global, local or private, never to constant",
    lives: "as long as the object that it points to",
    limit: undefined,
  },
};

/** The parts of a hover over a word, a variable or a kernel; undefined where there is nothing to say. */
export function openclParts(views: readonly OpenCLView[], limits: Limits): readonly string[] | undefined {
  const first = views[0];
  if (first === undefined) return undefined;
  const { target, facts } = first;
  if (target.kind === "template-parameter") return undefined;
  if (target.kind === "function" || target.text === "__kernel")
    return target.function === undefined ? undefined : kernelParts(target.function, facts, limits);
  const subjects = views.flatMap(({ dialect, target: own }): readonly Subject[] => {
    const space = subjectSpace(own);
    return space === undefined ? [] : [{ dialect, value: space }];
  });
  if (subjects.length === 0 && target.kind === "variable") return undefined;
  const { variable } = target;
  if (target.kind === "variable" && variable !== undefined && isPlain(variable)) return undefined;
  const parts = [
    variable === undefined ? undefined : declarations(views),
    variable === undefined
      ? undefined
      : bullets([
          [whatItIs(variable), sizeLine(variable)].filter((text) => text !== undefined).join("; "),
          ...qualifierLines(target, variable),
          notWritten(target, variable, subjects),
        ]),
    ...grouped(subjects, (space) => space).map(({ value, dialects }) =>
      spacePart(value, dialects.length < views.length ? labelsOf(dialects) : undefined, target, facts, limits),
    ),
    conversions(subjects),
    variable === undefined ? undefined : layoutTable(variable.type),
    spec,
  ].filter((part) => part !== undefined);
  return parts.length > 1 ? parts : undefined;
}

/** The space that the hover is about: the word's own, what a pointer points to, or where a variable lives. */
function subjectSpace({ kind, text, variable }: Target): AddressSpace | undefined {
  if (kind === "word") {
    const named = spaceNamed(text);
    if (named !== undefined) return named;
    if (text !== "restrict" && text !== "const") return undefined;
  }
  if (variable === undefined) return undefined;
  return pointeeOf(variable.type)?.qualifiers.space ?? variable.type.qualifiers.space;
}

function spaceNamed(word: string): AddressSpace | undefined {
  return order.find((space) => word === `__${space}`);
}

function pointeeOf(type: Type): Type | undefined {
  return type.kind === "pointer" ? type.pointee : type.kind === "reference" ? type.referent : undefined;
}

/** An ordinary private variable, about which there is nothing to say. */
function isPlain({ type, isSpaceExplicit, scope, owner }: VariableSymbol): boolean {
  if (scope === "parameter" && owner?.declarations.some(({ execution }) => execution.kernel) === true) return false;
  return pointeeOf(type) === undefined && (type.qualifiers.space ?? "private") === "private" && !isSpaceExplicit;
}

/** The declaration with every space written out, once for each reading. */
function declarations(views: readonly OpenCLView[]): string {
  const readings = views.flatMap(({ dialect, target }) =>
    target.variable === undefined ? [] : [{ dialect, value: spelled(target.variable) }],
  );
  const groups = grouped(readings, (text) => text);
  return codeBlock(
    "c",
    groups.map(({ value, dialects }) => (groups.length === 1 ? `${value};` : `${value}; // ${labelsOf(dialects)}`)).join("\n"),
  );
}

function spelled({ type, name, isSpaceExplicit }: VariableSymbol): string {
  // That a pointer itself is private goes without saying.
  const isSilent = !isSpaceExplicit && type.qualifiers.space === "private";
  return spellDeclared(isSilent ? withoutSpace(type) : type, name);
}

function withoutSpace(type: Type): Type {
  return type.kind === "array" ? type : { ...type, qualifiers: { ...type.qualifiers, space: undefined } };
}

function whatItIs(variable: VariableSymbol): string {
  const kernel = variable.owner?.declarations.some(({ execution }) => execution.kernel) === true;
  const owner = variable.owner === undefined ? "" : ` of ${kernel ? "kernel" : "function"} ${code(variable.owner.name)}`;
  switch (variable.scope) {
    case "parameter":
      return `parameter${owner}`;
    case "block":
      return `variable${owner}`;
    case "member":
    case "static-member":
      return "member; it lives where its object lives";
    case "program":
      return "variable at program scope";
  }
}

function sizeLine({ type }: VariableSymbol): string | undefined {
  const pointee = pointeeOf(type);
  const size = sizeText(pointee ?? type);
  if (size === undefined) return undefined;
  return pointee === undefined ? size : `it points to ${size}`;
}

function qualifierLines(target: Target, variable: VariableSymbol): readonly (string | undefined)[] {
  const wantsConst = target.kind === "word" ? target.text === "const" : true;
  return [...(wantsConst ? constLines(variable.name, variable.type) : []), restrictLine(variable.name, variable.type, "opencl")];
}

/** Where nobody wrote the space that counts, what each standard puts there. */
function notWritten(
  { kind, text }: Target,
  { words, type, isSpaceExplicit }: VariableSymbol,
  subjects: readonly Subject[],
): string | undefined {
  if (kind === "word" && text !== "const" && text !== "restrict") return undefined;
  const isPointer = pointeeOf(type) !== undefined;
  if (words.some((word) => spaceNamed(word.text) !== undefined) || (!isPointer && isSpaceExplicit)) return undefined;
  const groups = grouped(subjects, (space) => space);
  const deduced = groups.map(({ value, dialects }) => (groups.length === 1 ? value : `${value} in ${labelsOf(dialects)}`));
  return `${isPointer ? "address space of what it points to" : "address space"} not written: ${deduced.join("; ")}`;
}

function spacePart(space: AddressSpace, where: string | undefined, target: Target, facts: Facts, limits: Limits): string {
  const text = spaces[space];
  const { variable } = target;
  const numbers = variable === undefined ? undefined : ownNumbers(space, variable, facts, limits);
  const lines = bullets([
    numbers,
    `seen by ${text.seen}`,
    `lives ${text.lives}`,
    numbers !== undefined || text.limit === undefined ? undefined : `limit: ${text.limit}`,
    space === "constant"
      ? "other ways to hand in a constant: a kernel argument by value, or a `-D` macro when the program is built, which loops can be unrolled by"
      : undefined,
  ]);
  // The declaration above says the word already.
  if (variable !== undefined && where === undefined) return lines ?? "";
  return `**${code(`__${space}`)}**${where === undefined ? "" : ` in ${where}`}\n${lines ?? ""}`;
}

/** What this object takes of the limit. */
function ownNumbers(space: AddressSpace, variable: VariableSymbol, facts: Facts, limits: Limits): string | undefined {
  const isPointer = pointeeOf(variable.type) !== undefined;
  const owner = variable.owner?.declarations.find(({ parameters }) => parameters.some(({ symbol }) => symbol === variable));
  if (isPointer && owner?.execution.kernel === true) return ofArgument(space, variable, owner, limits);
  if (isPointer || sizeOf(variable.type) === undefined) return undefined;
  if (space === "constant") {
    return `the constant variables of this file take ${totalText(totalOf(variablesOf(facts, isConstantData)))} of ${limits.areConfigured ? "" : "at least "}${number(limits.constantBufferSize)}`;
  }
  if (space !== "local") return undefined;
  return `the local variables of ${variable.owner === undefined ? "this file" : code(variable.owner.name)} take ${totalText(totalOf(variablesOf(facts, (other) => isLocalOf(variable.owner, other))))}`;
}

function variablesOf(facts: Facts, isMeant: (variable: VariableSymbol) => boolean): readonly VariableSymbol[] {
  return facts.variables.map(({ variable }) => variable).filter(isMeant);
}

function isLocalOf(owner: FunctionSymbol | undefined, variable: VariableSymbol): boolean {
  return variable.owner === owner && variable.scope === "block" && variable.type.qualifiers.space === "local";
}

function ofArgument(space: AddressSpace, variable: VariableSymbol, kernel: FunctionDeclaration, limits: Limits): string | undefined {
  if (space === "local") return "its size is what the host passes to `clSetKernelArg`";
  if (space !== "constant") return undefined;
  const counted = constantArguments(kernel);
  return `\`__constant\` argument ${counted.indexOf(variable) + 1} of ${counted.length}; ${argumentLimit(limits)}`;
}

function constantArguments({ parameters }: FunctionDeclaration): readonly VariableSymbol[] {
  return parameters.filter(isConstantArgument).map(({ symbol }) => symbol);
}

function argumentLimit(limits: Limits): string {
  return limits.areConfigured
    ? `the limit is ${limits.constantArguments}`
    : `a device accepts at least ${limits.constantArguments} (embedded profile: 4)`;
}

// ---------------------------------------------------------------- conversions

/** What a pointer into the space may become, asked of the relation that the rules use. */
function conversions(subjects: readonly Subject[]): string | undefined {
  const rows = subjects.flatMap(({ dialect, value: from }) =>
    order
      .filter((to) => to !== from && (to !== "generic" || dialect.genericAddressSpace))
      .map((to) => ({ dialect, value: { from, to, how: howTo(from, to, dialect) } })),
  );
  const lines = grouped(rows, ({ from, to, how }) => `${from} ${to} ${how}`).map(({ value, dialects }) => ({ ...value, dialects }));
  const of = (from: AddressSpace, how: string) => lines.filter((line) => line.from === from && line.how === how);
  const all = [...new Set(subjects.map(({ value }) => value))].map((from) => {
    const count = subjects.filter(({ value }) => value === from).length;
    const names = (how: string) =>
      of(from, how).map(({ to, dialects }) =>
        dialects.length < count ? `${code(`__${to} T *`)} in ${labelsOf(dialects)}` : code(`__${to} T *`),
      );
    const said = [
      sentence("becomes", names("implicit")),
      sentence("becomes by a cast", names("cast")),
      sentence("never becomes", names("never")),
    ].filter((text) => text !== undefined);
    return `${code(`__${from} T *`)} ${said.join("; ")}`;
  });
  return bullets(all);
}

function sentence(verb: string, names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `${verb} ${names.join(", ")}`;
}

function howTo(from: AddressSpace, to: AddressSpace, dialect: OpenCLDialect): "implicit" | "cast" | "never" {
  const pointer = (space: AddressSpace) => pointerTo(addQualifiers(arithmetic("int"), { space }));
  if (compare(pointer(from), pointer(to), dialect, false).kind === "ok") return "implicit";
  return compare(pointer(from), pointer(to), dialect, true).kind === "ok" ? "cast" : "never";
}

// ---------------------------------------------------------------- kernels

function kernelParts(kernel: FunctionSymbol, facts: Facts, limits: Limits): readonly string[] | undefined {
  const declaration =
    kernel.declarations.find(({ isDefinition, execution }) => isDefinition && execution.kernel) ??
    kernel.declarations.find(({ execution }) => execution.kernel);
  if (declaration === undefined) return undefined;
  const ledger = parameterLedger(declaration);
  const counted = constantArguments(declaration).length;
  const locals = variablesOf(facts, (variable) => isLocalOf(kernel, variable));
  const constants = reachedConstants(facts)(kernel);
  return [
    codeBlock("c", `__kernel void ${kernel.name}(${declaration.parameters.map(({ symbol }) => spelled(symbol)).join(", ")});`),
    bullets([
      "a kernel: the host enqueues it, every work-item runs it once; it returns nothing",
      `arguments: ${totalText(ledger)} where pointers have 8; \`CL_DEVICE_MAX_PARAMETER_SIZE\` is at least 1,024 (embedded profile: 256)`,
      counted > 0 ? `${number(counted)} \`__constant\` argument${counted === 1 ? "" : "s"}; ${argumentLimit(limits)}` : undefined,
      constants.length > 0
        ? `constant variables that it uses, also by what it calls: ${number(constants.length)}, which take ${totalText(totalOf(constants))} of ${limits.areConfigured ? "" : "at least "}${number(limits.constantBufferSize)}; portable code counts each as one more \`__constant\` argument, which makes ${number(counted + constants.length)}`
        : undefined,
      locals.length > 0
        ? `local variables: ${totalText(totalOf(locals))} for each work-group; \`CL_DEVICE_LOCAL_MEM_SIZE\` is at least 32,768 (embedded profile: 1,024)`
        : undefined,
    ]) ?? "",
    ...(ledger.rows.length > 0 ? [ledgerTable(ledger)] : []),
    spec,
  ];
}
