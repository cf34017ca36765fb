/**
 * Fixes for a host variable that device code uses: make it `constexpr`, move it to constant memory, copy its value, or pass it to
 * the kernel. Each is offered only if the result compiles and means the same; the best one comes first.
 */
import { executionAt, executionOf, isDeviceCode, isHostCode } from "../../analyses/device-code.ts";
import { accessesTo, declarationsOf, variablesNamed } from "../../analyses/fact-index.ts";
import type { HostVariableUse } from "../../analyses/host-variables.ts";
import { dropStatement, dropWord } from "../../analyses/placed-edits.ts";
import { areInSameFile, fileContains, isAfter } from "../../preprocess/unit-row.ts";
import { destructorOf } from "../../semantics/declarations/initialization.ts";
import type { AccessFact, Facts } from "../../semantics/facts/facts.ts";
import { sizeOf } from "../../semantics/types/layout.ts";
import { bodyAt, contains } from "../../semantics/types/places.ts";
import { isConst, recordOf, referredType } from "../../semantics/types/predicates.ts";
import { type FunctionSymbol, isDeclaredWith, type RecordSymbol, type VariableSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import type { Expression, Initializer } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { PlacedEdit, RuleFix } from "../rule.ts";
import { addressCopyFix, passValueFix } from "./host-variable-copies.ts";
import { addArgument, addParameter, isEditable, launchesOf, usesOf } from "./launch-edits.ts";

type Fix = Omit<RuleFix, "safety">;

/** The fixes for a use, the best first. */
export function hostVariableFixes(use: HostVariableUse, facts: Facts): readonly RuleFix[] {
  const fixes = waysOut(use, facts).filter((fix) => fix !== undefined);
  // For a non-const variable, only the author knows its purpose.
  const isClear = use.problem.kind !== "not-const";
  return fixes.map((fix, index) => ({ ...fix, safety: isClear && index === 0 ? "safe" : "suggestion" }));
}

function waysOut(use: HostVariableUse, facts: Facts): readonly (Fix | undefined)[] {
  const { problem, variable } = use;
  const isTable = variable.type.kind === "array";
  switch (problem.kind) {
    case "address":
      if (isTable) return [constantFix(variable, facts), deviceCopyFix(variable, facts), tableCopyFix(use, facts)];
      return [passValueFix(use, facts), addressCopyFix(use, facts), constantFix(variable, facts), deviceCopyFix(variable, facts)];
    case "type":
      if (isTable)
        return [
          constantFix(variable, facts),
          deviceCopyFix(variable, facts),
          problem.isAccepted ? constexprFix(variable, facts) : undefined,
          tableCopyFix(use, facts),
        ];
      return [constexprFix(variable, facts), constantFix(variable, facts), deviceCopyFix(variable, facts)];
    case "uninitialized":
      return [moveFix(variable, facts), parameterFix(use, facts)];
    case "volatile":
      return [plainFix(variable), parameterFix(use, facts)];
    case "not-const":
      return [...(problem.how === "read" ? [parameterFix(use, facts), neverWrittenFix(variable, facts)] : []), deviceFix(variable, facts)];
    case "reference":
    case "host-address":
      return [];
  }
}

// ---------------------------------------------------------------- other specifiers on the variable

/** True for a variable of this file, declared once and alone, whose initializer is a constant expression. */
function isPlainConstant({ initialization, initializer, previous, sharesSpecifiers, isTemplated }: VariableSymbol): boolean {
  return initialization === "constant" && initializer !== undefined && previous === undefined && !sharesSpecifiers && isTemplated !== true;
}

function isOwn(variable: VariableSymbol, facts: Facts): boolean {
  return declarationsOf(facts, variable).length > 0;
}

/** The fix that replaces `const` by `constexpr`. */
export function constexprFix(variable: VariableSymbol, facts: Facts): Fix | undefined {
  const { words, type, name, initializer } = variable;
  const word = words.find(({ text }) => text === "const");
  if (!isPlainConstant(variable) || !isOwn(variable, facts) || hasWord(variable.words, "constexpr", "extern")) return undefined;
  const title = `Declare '${name}' 'constexpr'`;
  // The specifiers of a pointer describe its pointee.
  if (type.kind === "pointer") {
    const isString = initializer?.kind === "value" && initializer.value.kind === "string";
    return isString ? { title, edits: [{ place: variable.declaration, how: "before", text: "constexpr " }] } : undefined;
  }
  const record = recordOf(type);
  if (word === undefined || (record !== undefined && !isLiteralType(record))) return undefined;
  return { title, edits: [{ place: word.place, text: "constexpr" }] };
}

/** True for an aggregate, or a class with only constexpr constructors, without a nontrivial destructor (C++17 §6.9p10, simplified). */
function isLiteralType(record: RecordSymbol): boolean {
  const constructors = record.functions.filter(
    ({ name, declarations }) => name === record.tag && !declarations.some(({ special }) => special === "default"),
  );
  const isConstexpr = constructors.every((each) => isDeclaredWith(each, "constexpr"));
  return isConstexpr && !record.isPolymorphic && !record.isIncomplete && destructorOf(record) === undefined;
}

/** The fix that moves the variable into constant memory, if the host uses at most values that the compiler folds. */
export function constantFix(variable: VariableSymbol, facts: Facts): Fix | undefined {
  if (!canBeConstant(variable, facts) || isUsedByHost(variable, facts) || isWrittenByCast(variable, facts)) return undefined;
  if (isLength(variable, facts)) return undefined;
  return {
    title: `Declare '${variable.name}' '__constant__'`,
    edits: [{ place: variable.declaration, how: "before", text: "__constant__ " }],
  };
}

function canBeConstant(variable: VariableSymbol, facts: Facts): boolean {
  const { scope, type } = variable;
  const record = recordOf(type);
  if (scope !== "program" || !isPlainConstant(variable) || !isOwn(variable, facts)) return false;
  if (type.kind === "reference" || type.kind === "pointer" || (record !== undefined && destructorOf(record) !== undefined)) return false;
  return !hasWord(variable.words, "inline", "extern", "thread_local");
}

/** True if a cast drops the const of the variable, which constant memory does not forgive. */
function isWrittenByCast(variable: VariableSymbol, facts: Facts): boolean {
  return facts.conversions.some(({ context, path, from, to, place }) => {
    if (context !== "cast" || isConst(referredType(to)) || (to.kind !== "pointer" && to.kind !== "reference")) return false;
    return path?.root === variable || (isConst(referredType(from)) && usesOf(variable, facts).some((use) => contains(place, use)));
  });
}

/** True if the host reads a value that is not folded, or needs an address. */
function isUsedByHost(variable: VariableSymbol, { accesses }: Facts): boolean {
  return accesses.some((access) => {
    if (access.path.root !== variable || (!isHostCode(access) && access.within !== undefined)) return false;
    const isFolded =
      access.mode === "read" && variable.type.kind !== "array" && access.type.kind === "arithmetic" && access.within !== undefined;
    return !isFolded;
  });
}

/** The fix that adds a second variable in constant memory for device code; the host keeps its own. */
function deviceCopyFix(variable: VariableSymbol, facts: Facts): Fix | undefined {
  const { name, place } = variable;
  const text = canBeConstant(variable, facts) && isUsedByHost(variable, facts) ? textOf(variable) : undefined;
  const second = `${name}_device`;
  if (text === undefined || fileContains(second, place.unit) || accessesTo(facts, variable).some(({ lambda }) => lambda !== undefined))
    return undefined;
  const edits: PlacedEdit[] = [
    {
      place: { unit: place.unit, span: { start: text.end - 1, end: text.end } },
      how: "after",
      text: `\n__constant__ ${text.before}${second}${text.after};`,
    },
  ];
  for (const use of usesOf(variable, facts)) {
    const user = facts.functions.find((each) => bodyAt(each, use) !== undefined);
    if (user === undefined) return undefined;
    const { host, device, kernel } = executionOf(user);
    if (host && device) return undefined;
    if (kernel || device) edits.push({ place: use, text: second });
  }
  return { title: `Give device code a copy of '${name}' in '__constant__' memory`, edits };
}

/** The declaration as written, around the name, and the end of its semicolon. */
function textOf({
  declaration,
  initializer,
  place,
}: VariableSymbol): { readonly before: string; readonly after: string; readonly end: number } | undefined {
  const { unit, span } = declaration;
  const { text } = unit.view;
  const last = Math.max(span.end, initializer?.span.end ?? 0);
  const end = text.indexOf(";", last) + 1;
  if (end === 0 || text.slice(last, end - 1).trim() !== "" || !unit.view.origin({ start: span.start, end }).exact) return undefined;
  return { before: text.slice(span.start, place.span.start), after: text.slice(place.span.end, last), end };
}

/** True for an initializer of literals only. It refers to no variable, so the fix may copy it to another place. */
function isLiteral(e: Expression): boolean {
  switch (e.kind) {
    case "number":
    case "character":
    case "string":
      return true;
    case "list":
      return e.elements.every(({ value }) => isLiteral(value));
    case "unary":
      return e.operator !== "&" && e.operator !== "*" && isLiteral(e.operand);
    case "binary":
      return isLiteral(e.left) && isLiteral(e.right);
    default:
      return false;
  }
}

function isLiteralInitializer(initializer: Initializer | undefined): boolean {
  return initializer?.kind === "value" && isLiteral(initializer.value);
}

/** The fix that makes a variable constexpr that is not const, but that this file only reads. */
function neverWrittenFix(variable: VariableSymbol, facts: Facts): Fix | undefined {
  const { type, name, words, scope } = variable;
  const isScalar = (type.kind === "arithmetic" || type.kind === "enum") && !type.qualifiers.volatile;
  if (!isScalar || scope !== "program" || !isPlainConstant(variable) || !isOwn(variable, facts) || isRedeclared(variable, facts))
    return undefined;
  if (hasWord(variable.words, "extern", "thread_local")) return undefined;
  if (accessesTo(facts, variable).some(({ mode }) => mode !== "read")) return undefined;
  const first = words.find(({ text }) => text === "static");
  const edit: PlacedEdit =
    first === undefined
      ? { place: variable.declaration, how: "before", text: "constexpr " }
      : { place: first.place, how: "after", text: " constexpr" };
  return { title: `Declare '${name}' 'constexpr'`, edits: [edit] };
}

/** The fix that moves the variable to the device, if the host's code of this file does not use it. */
function deviceFix(variable: VariableSymbol, facts: Facts): Fix | undefined {
  const { scope, type, name, previous, sharesSpecifiers, initialization, initializer, isTemplated, declaration } = variable;
  const isPlain = (initializer === undefined || initialization === "constant") && previous === undefined && !sharesSpecifiers;
  const isSimple = ["arithmetic", "enum", "array"].includes(type.kind) && recordOf(type) === undefined;
  if (scope !== "program" || !isPlain || !isSimple || isTemplated === true || !isOwn(variable, facts)) return undefined;
  if (hasWord(variable.words, "inline", "extern", "thread_local", "constexpr")) return undefined;
  if (variable.memorySpace !== "host" || declarationsOf(facts, variable).length > 1 || isRedeclared(variable, facts)) return undefined;
  const isOnDevice = (each: AccessFact) => isDeviceCode(each) && !executionAt(each).host;
  if (!accessesTo(facts, variable).every(isOnDevice) || isLength(variable, facts)) return undefined;
  return { title: `Declare '${name}' '__device__'`, edits: [{ place: declaration, how: "before", text: "__device__ " }] };
}

/** True if an array's length names the variable: in another memory, too, its value would not be constant. */
function isLength(variable: VariableSymbol, facts: Facts): boolean {
  const lengths = facts.features.filter(({ name }) => name === "variable-length array");
  return lengths.length > 0 && usesOf(variable, facts).some((use) => lengths.some(({ place }) => contains(place, use)));
}

function isRedeclared({ name, qualifiedName }: VariableSymbol, facts: Facts): boolean {
  return (
    variablesNamed(facts, name).filter(({ variable }) => variable.scope === "program" && variable.qualifiedName === qualifiedName).length >
    1
  );
}

function plainFix({ words }: VariableSymbol): Fix | undefined {
  const word = words.find(({ text }) => text === "volatile");
  return word === undefined ? undefined : { title: "Remove 'volatile'", edits: [dropWord(word)] };
}

/** The fix that moves the definition to the declaration: `extern const int n;` before the use and `const int n = 20;` after it. */
function moveFix(variable: VariableSymbol, facts: Facts): Fix | undefined {
  const later = facts.variables.find(
    ({ variable: { previous, initialization, sharesSpecifiers } }) =>
      previous === variable && initialization === "constant" && !sharesSpecifiers,
  )?.variable;
  const own = textOf(variable);
  if (
    later === undefined ||
    own === undefined ||
    variable.sharesSpecifiers ||
    variable.scope !== "program" ||
    !isLiteralInitializer(later.initializer)
  )
    return undefined;
  const text = textOf(later);
  const { unit } = variable.place;
  if (text === undefined || !areInSameFile(later.place.unit, unit) || !isOwn(variable, facts)) return undefined;
  return {
    title: `Move the definition of '${variable.name}' in front of its use`,
    edits: [
      { place: { unit, span: { start: own.end - 1, end: own.end } }, how: "after", text: `\n${text.before}${later.name}${text.after};` },
      dropStatement({ unit: later.place.unit, span: { start: later.declaration.span.start, end: text.end } }),
    ],
  };
}

// ---------------------------------------------------------------- copies

/** The greatest size in bytes of a table that may be copied into a function. */
const largestCopy = 256;

/** The fix that copies the table into the function that uses it, if only its elements are used. */
function tableCopyFix({ variable, access, place, problem }: HostVariableUse, facts: Facts): Fix | undefined {
  const { name } = variable;
  const within = access?.lambda === undefined ? access?.within : undefined;
  const body = bodyAt(within, place);
  const text = isLiteralInitializer(variable.initializer) ? textOf(variable) : undefined;
  const size = sizeOf(variable.type);
  if (
    problem.kind !== "type" ||
    variable.isTemplated === true ||
    within === undefined ||
    body === undefined ||
    text === undefined ||
    size === undefined ||
    size > largestCopy
  )
    return undefined;
  const unit = place.unit;
  const uses = usesOf(variable, facts).filter((use) => bodyAt(within, use) !== undefined);
  // A local variable hides only the unqualified name.
  if (uses.some(({ span }) => unit.view.text[span.start - 1] === ":") || isGivenAway(variable, within, facts)) return undefined;
  const declared = `${text.before.replace(/\b(static|inline)\s+/g, "")}${name}${text.after};`;
  const opening = { unit, span: { start: body.span.start, end: body.span.start + 1 } };
  return { title: `Copy '${name}' into '${within.name}'`, edits: [{ place: opening, how: "after", text: ` ${declared}` }] };
}

/** True if something in the function needs the table itself. */
function isGivenAway(variable: VariableSymbol, within: FunctionSymbol, facts: Facts): boolean {
  return accessesTo(facts, variable).some(
    ({ mode, within: user, lambda }) => user === within && (mode === "address" || mode === "bind" || lambda !== undefined),
  );
}

// ---------------------------------------------------------------- a parameter

/** The fix that passes the value to the kernel at its launches. */
export function parameterFix(
  { variable, access, place }: Pick<HostVariableUse, "variable" | "access" | "place">,
  facts: Facts,
): Fix | undefined {
  const { name, qualifiedName, type, scope } = variable;
  const kernel = access?.lambda === undefined ? access?.within : undefined;
  if (kernel === undefined || !executionOf(kernel).kernel || scope !== "program" || qualifiedName !== name || !isPassable(type))
    return undefined;
  if (access?.path.steps.some(({ kind }) => kind === "address" || kind === "dereference") === true) return undefined;
  const inKernel = accessesTo(facts, variable).filter((each) => each.within === kernel);
  const launches = isEditable(kernel, facts) ? launchesOf(kernel, facts) : undefined;
  if (launches === undefined || !inKernel.every(({ mode, lambda }) => mode === "read" && lambda === undefined)) return undefined;
  const isHidden = (user: FunctionSymbol | undefined) =>
    variablesNamed(facts, name).some((fact) => fact.variable !== variable && fact.variable.owner === user);
  const sees = launches.every(
    (launch) =>
      launch.within !== undefined &&
      !isDeviceCode(launch) &&
      launch.lambda === undefined &&
      !isHidden(launch.within) &&
      (!areInSameFile(launch.place.unit, variable.place.unit) || isAfter(launch.place, variable.place)),
  );
  if (!sees || isHidden(kernel) || place.unit.view.text[place.span.start - 1] === ":") return undefined;
  const parameter = `${printType(unqualifiedType(type))}${type.kind === "pointer" ? "" : " "}${name}`;
  return {
    title: `Pass '${name}' as a parameter of '${kernel.name}'`,
    edits: [...addParameter(kernel, parameter), ...launches.map((launch) => addArgument(launch, name))],
  };
}

function isPassable(type: Type): boolean {
  if (type.kind === "record")
    return type.record.tag === type.record.qualifiedName && destructorOf(type.record) === undefined && type.record.instance === undefined;
  return type.kind === "arithmetic" || type.kind === "enum";
}
