/**
 * Explains OpenCL C: who can access an address space, how long its objects live, and how much of which limit this object uses. If
 * standards differ, the signature shows each. Conversions and limits are on the linked page.
 */
import { formatCount as number } from "../../analyses/memory-table.ts";
import { isConstantArgument, isConstantData, reachedConstants } from "../../analyses/reached-constants.ts";
import type { Limits, OpenCLDialect } from "../../dialect.ts";
import { type AddressSpace, type QualifierDocumentation, qualifierOf } from "../../qualifiers.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { atLeastText, costText, parameterTable, totalOf, totalText } from "../memory/sizes.ts";
import { grouped, labelsOf } from "./dialects.ts";
import type { Explanation } from "./explanation.ts";
import { calledBy, explainBuiltin, kernelDeclaration, kernelOf, mainDeclaration } from "./functions.ts";
import { code } from "./markdown.ts";
import { constLines, restrictLine } from "./qualifiers.ts";
import { functionSignature, variableSignature } from "./signature.ts";
import type { HoverTarget } from "./target.ts";

/** The result of one dialect at the place. */
export interface OpenCLView {
  readonly dialect: OpenCLDialect;
  readonly facts: Facts;
  readonly target: HoverTarget;
}

/** The address space that the hover is about, under one dialect. */
interface Subject {
  readonly dialect: OpenCLDialect;
  readonly value: AddressSpace;
}

/** The address spaces in the order in which hovers list them. */
export const addressSpaces: readonly AddressSpace[] = ["generic", "global", "local", "private", "constant"];

/** The documentation of a space: who can access it, how long its objects live, and what they cost. */
export function spaceText(space: AddressSpace): QualifierDocumentation {
  return qualifierOf(`__${space}`)?.documentation ?? { seen: "", lives: "", costs: "" };
}

/** Explains the code at the place; undefined if there is nothing to explain. */
export function explainOpenCL(views: readonly OpenCLView[], limits: Limits): Explanation | undefined {
  const first = views[0];
  if (first === undefined) return undefined;
  const { target, facts } = first;
  const { variable } = target;
  if (target.kind === "template-parameter") return undefined;
  if (target.kind === "builtin") return explainBuiltin(target.text, first.dialect, target.function);
  if (target.kind === "function" || target.text === "__kernel")
    return target.function === undefined ? undefined : functionText(target.function, first, limits);
  const subjects = views.flatMap(({ dialect, target: own }): readonly Subject[] => {
    const space = subjectSpace(own);
    return space === undefined ? [] : [{ dialect, value: space }];
  });
  if (variable === undefined)
    return subjects.length === 0
      ? undefined
      : { signature: target.text, lines: spaceLines(subjects, target.isOfPointee === true), heading: "address-spaces" };
  const signature = declarations(views);
  if (target.kind === "word" && (target.text === "const" || target.text === "restrict"))
    return {
      signature,
      lines: [...constLines(variable.name, variable.type), restrictLine(variable.name, variable.type, "opencl")],
      heading: "address-spaces",
    };
  if (subjects.length === 0 || (target.kind === "variable" && isPlain(variable))) return undefined;
  return {
    signature,
    lines: variableLines(target, variable, subjects, facts, limits),
    heading: pointeeOf(variable.type) === undefined ? "address-spaces" : "conversions-of-pointers",
  };
}

function variableLines(
  target: HoverTarget,
  variable: VariableSymbol,
  subjects: readonly Subject[],
  facts: Facts,
  limits: Limits,
): readonly (string | undefined)[] {
  const handle = opaqueLines(variable);
  if (handle !== undefined) return handle;
  const groups = grouped(subjects, (space) => space);
  const isWritten = isSpaceWritten(target, variable);
  if (groups.length > 1) {
    const deduced = groups.map(({ value, dialects }) => `${value} in ${labelsOf(dialects)}`).join("; ");
    const what = pointeeOf(variable.type) === undefined ? "Its address space" : "The address space of what it points to";
    return [`${what} is not written: ${deduced}`, ...groups.map(({ value }) => `${capital(value)}: seen by ${spaceText(value).seen}`)];
  }
  const space = groups[0]?.value ?? "private";
  const text = spaceText(space);
  const silently = isWritten ? "" : " (the default)";
  const kernel = kernelOf(variable);
  if (pointeeOf(variable.type) === undefined)
    return [
      `In ${space} memory${silently}, seen by ${text.seen}`,
      kernel === undefined ? `Lives ${text.lives}` : "Has the host's value when the work-item starts, and lives until it ends",
      `Costs ${costOf(space, variable, facts, limits) ?? text.costs}`,
    ];
  const memory = space === "generic" ? "memory that is open" : `${space} memory`;
  return [
    `Points to ${memory}${silently}, seen by ${text.seen}`,
    `What it points to lives ${text.pointed ?? text.lives}`,
    pointeeCost(space, variable, limits) ?? `Costs ${text.costs}`,
  ];
}

/** The lines about images, samplers and other opaque types, which are not bytes in an address space. */
function opaqueLines({ type }: VariableSymbol): readonly string[] | undefined {
  if (type.kind !== "opaque") return undefined;
  if (type.name === "sampler_t")
    return [
      "How images are read: coordinates, borders and filter; the same for all work-items",
      "Lives until the host releases it, or as long as the program",
      "Costs no constant memory",
    ];
  if (!type.name.startsWith("image")) return undefined;
  const use = { read_only: "may only be read", write_only: "may only be written", read_write: "may be read and written" };
  return [
    `An image that the host created, seen by all work-items; here it ${use[type.access ?? "read_only"]}`,
    "Lives until the host releases it; it has no address",
    "Each access goes by coordinates, normally through the texture cache",
  ];
}

/** The lines about a space without a variable: of the memory that a pointer points to, or of an object. */
function spaceLines(subjects: readonly Subject[], isOfPointee: boolean): readonly string[] {
  const text = spaceText(subjects[0]?.value ?? "private");
  const lives = isOfPointee ? `What it points to lives ${text.pointed ?? text.lives}` : `Lives ${text.lives}`;
  return [`Seen by ${text.seen}`, lives, `Costs ${text.costs}`];
}

/** The address space that the hover is about: the space of the word, of the pointee, or of the variable. */
function subjectSpace({ kind, text, variable }: HoverTarget): AddressSpace | undefined {
  if (kind === "word") {
    const named = spaceNamed(text);
    if (named !== undefined) return named;
    if (text !== "restrict" && text !== "const") return undefined;
  }
  if (variable === undefined) return undefined;
  return pointeeOf(variable.type)?.qualifiers.space ?? variable.type.qualifiers.space;
}

function spaceNamed(word: string): AddressSpace | undefined {
  return addressSpaces.find((space) => word === `__${space}`);
}

function pointeeOf(type: Type): Type | undefined {
  return type.kind === "pointer" ? type.pointee : type.kind === "reference" ? type.referent : undefined;
}

/** True for an ordinary private variable, which needs no explanation. */
function isPlain({ type, isSpaceExplicit, scope, owner }: VariableSymbol): boolean {
  if (scope === "parameter" && owner?.declarations.some(({ execution }) => execution.kernel) === true) return false;
  return pointeeOf(type) === undefined && (type.qualifiers.space ?? "private") === "private" && !isSpaceExplicit;
}

/** The declaration with every address space written out, once for each distinct result. */
function declarations(views: readonly OpenCLView[]): string {
  const readings = views.flatMap(({ dialect, target }) =>
    target.variable === undefined ? [] : [{ dialect, value: variableSignature(target.variable) }],
  );
  const groups = grouped(readings, (text) => text);
  return groups.map(({ value, dialects }) => (groups.length === 1 ? `${value};` : `${value}; // ${labelsOf(dialects)}`)).join("\n");
}

function isSpaceWritten({ kind, text }: HoverTarget, { words, type, isSpaceExplicit }: VariableSymbol): boolean {
  if (kind === "word" && spaceNamed(text) !== undefined) return true;
  return words.some((word) => spaceNamed(word.text) !== undefined) || (pointeeOf(type) === undefined && isSpaceExplicit);
}

/** How much of the limit the object uses. */
function costOf(space: AddressSpace, variable: VariableSymbol, facts: Facts, limits: Limits): string | undefined {
  const size = sizeOf(variable.type);
  if (size === undefined) return undefined;
  const own = costText(variable.type);
  if (space === "constant")
    return `${number(size)} of ${atLeast(limits)} bytes; the constants of this file take ${totalText(totalOf(variablesOf(facts, isConstantData)), "none")}`;
  if (space === "local")
    return `${number(size)} of at least 32,768 bytes; ${variable.owner === undefined ? "this file" : code(variable.owner.name)} takes ${totalText(totalOf(variablesOf(facts, (other) => isLocalOf(variable.owner, other))), "none")}`;
  const kernel = kernelOf(variable);
  if (kernel !== undefined && space === "private")
    return `${own} of the kernel's arguments, which take ${atLeastText(parameterTable(kernel))}; every device accepts 1,024`;
  return space === "private" ? `${own} of each work-item` : own;
}

function atLeast({ areConfigured, constantBufferSize }: Limits): string {
  return `${areConfigured ? "" : "at least "}${number(constantBufferSize)}`;
}

function variablesOf(facts: Facts, isMeant: (variable: VariableSymbol) => boolean): readonly VariableSymbol[] {
  return facts.variables.map(({ variable }) => variable).filter(isMeant);
}

function isLocalOf(owner: FunctionSymbol | undefined, variable: VariableSymbol): boolean {
  return variable.owner === owner && variable.scope === "block" && variable.type.qualifiers.space === "local";
}

/** What the object of a pointer costs: its share of a kernel's limit on arguments, or the cost of each element. */
function pointeeCost(space: AddressSpace, variable: VariableSymbol, limits: Limits): string | undefined {
  const pointee = pointeeOf(variable.type);
  const element = pointee?.kind === "record" ? `; each element takes ${costText(pointee)}` : "";
  const kernel = kernelOf(variable);
  if (kernel !== undefined && space === "local") return `Size: the bytes that the host passes to \`clSetKernelArg\`${element}`;
  if (kernel !== undefined && space === "constant") {
    const counted = constantArguments(kernel);
    return `Counts as ${counted.length === 1 ? "the kernel's only constant argument" : `one of ${counted.length} constant arguments`}; ${argumentLimit(limits)}${element}`;
  }
  return element === "" ? undefined : capital(element.slice(2));
}

function constantArguments({ parameters }: FunctionDeclaration): readonly VariableSymbol[] {
  return parameters.filter(isConstantArgument).map(({ symbol }) => symbol);
}

function argumentLimit(limits: Limits): string {
  return limits.areConfigured
    ? `the limit is ${limits.constantArguments}`
    : `every device accepts at least ${limits.constantArguments} (embedded profile: 4)`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// ---------------------------------------------------------------- functions

function functionText(owner: FunctionSymbol, { facts, dialect }: OpenCLView, limits: Limits): Explanation | undefined {
  const kernel = kernelDeclaration(owner);
  const declaration = kernel ?? mainDeclaration(owner);
  if (declaration === undefined) return undefined;
  if (owner.isBuiltin) return explainBuiltin(owner.name, dialect);
  if (kernel === undefined)
    return {
      signature: `${functionSignature(owner, declaration, "")};`,
      lines: [
        `Runs in the work-item that calls it; ${calledBy(owner, facts)}`,
        "Its variables live as long as the call",
        "Costs nothing when inlined, which nearly every OpenCL compiler does",
      ],
      heading: "work-items",
    };
  const counted = constantArguments(kernel).length;
  const locals = variablesOf(facts, (variable) => isLocalOf(owner, variable));
  const constants = reachedConstants(facts)(owner);
  const all = counted + constants.length;
  return {
    signature: `${functionSignature(owner, kernel, "__kernel")};`,
    lines: [
      "Enqueued by the host; every work-item runs it once",
      `Arguments: ${atLeastText(parameterTable(kernel))} (pointers and images count 8 each); every device accepts 1,024${locals.length > 0 ? `. Local memory of each work-group: ${atLeastText(totalOf(locals))}` : ""}`,
      all > 0
        ? `Constant arguments: ${all}; ${argumentLimit(limits)}${constants.length > 0 ? `. Program-scope constants may count as one each: ${constants.length}, with ${atLeastText(totalOf(constants))} of ${atLeast(limits)}` : ""}`
        : undefined,
    ],
    heading: "limits",
  };
}
