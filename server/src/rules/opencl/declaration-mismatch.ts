/**
 * Declarations of one function or variable that disagree about an address space, const or volatile, in one translation unit or
 * between linked files. The compiler reports other differences, in a type or the number of parameters.
 */
import { dropWord } from "../../analyses/placed-edits.ts";
import type { Fix } from "../../finding.ts";
import { append } from "../../lists.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { AddressSpace } from "../../qualifiers.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { isOverloadable } from "../../semantics/symbols/candidates.ts";
import { isSameType, type Level, levelsOf } from "../../semantics/types/compatible.ts";
import { isSameOpaque } from "../../semantics/types/opaque.ts";
import { innermostElement } from "../../semantics/types/predicates.ts";
import type { FunctionDeclaration, ParameterDeclaration, TypedefSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { isOpaqueToUs, printType, type Qualifiers, type Type } from "../../semantics/types/types.ts";
import { type Edit, placeKey } from "../../source.ts";
import type { PointerSummary, PrototypeSummary, Summary } from "../../summary/summary.ts";
import { printPointer, qualifySpecifiers } from "../fixes/spaces.ts";
import type { LinkFinding, PlacedEdit, Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports declarations of a function or variable that disagree about an address space, `const` or `volatile`. */
export const declarationMismatch: Rule = {
  id: "declaration-mismatch",
  title: "two declarations of a function, variable or typedef disagree about an address space, `const` or `volatile`",
  severity: "error",
  languages: ["opencl"],
  clause:
    "C11 §6.7p4, §6.2.7p2: all declarations that refer to the same function shall have compatible types; OpenCL C 3.0 §6.7.9: an address space is part of the pointee's type",
  documentation: `
A prototype with \`__local float *\` and a definition with \`__global float *\` do not declare the same function. The default
address space depends on the standard: private before OpenCL C 2.0, generic since.

Qualifiers of a parameter itself do not count (\`const int n\`, \`global int *restrict p\`), and \`__attribute__((overloadable))\`
functions may differ. C++ for OpenCL has overloads, but not of kernels.

**What to do**: make the prototype agree with the definition. The fix changes the declaration that is not the definition.`,
  limits:
    "A declaration in one file is compared with the definition in another only if the workspace has exactly one of that name, and only in the address spaces that both spell (a warning), because the default depends on each file's standard. Parameters of function pointers are not compared.",
  fixSafety: "The fix makes a prototype agree with the definition, and is offered only if the whole difference can be edited: safe.",
  examples: [
    {
      language: "opencl",
      bad: `void store(local float *p, float x);
void store(global float *p, float x) { // <-
  *p = x;
}`,
      good: `void store(global float *p, float x);
void store(global float *p, float x) {
  *p = x;
}`,
      fixed: `void store(global float *p, float x);
void store(global float *p, float x) {
  *p = x;
}`,
    },
    {
      language: "opencl",
      bad: `float sum(const global float *p, int n);
float sum(global float *p, int n) { // <-
  return n > 0 ? p[0] : 0;
}`,
      good: `float sum(const global float *p, int n);
float sum(const global float *p, int n) {
  return n > 0 ? p[0] : 0;
}`,
      fixed: `float sum(global float *p, int n);
float sum(global float *p, int n) {
  return n > 0 ? p[0] : 0;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    const isCplusplus = dialect.language === "opencl" && dialect.cplusplus;
    for (const { declaration, previous } of facts.redeclarations) {
      const finding = findingOf(declaration, previous) ?? (isCplusplus ? overloadFinding(declaration, previous) : undefined);
      if (finding !== undefined) report(finding);
    }
    for (const { variable } of facts.variables) {
      const finding = variableFinding(variable);
      if (finding !== undefined) report(finding);
    }
    for (const typedef of facts.typedefs) {
      const finding = typedefFinding(typedef);
      if (finding !== undefined) report(finding);
    }
  },
  checkFile({ facts, dialect }, report) {
    if (dialect.language !== "opencl" || dialect.cplusplus) return;
    for (const [declaration, previous] of prototypesInBlocks(facts)) {
      const finding = findingOf(declaration, previous);
      if (finding !== undefined) report(finding);
    }
  },
  link(summaries, report) {
    for (const [prototype, definition] of prototypesElsewhere(summaries)) {
      const finding = linkFinding(prototype, definition);
      if (finding !== undefined) report(finding);
    }
  },
};

function findingOf(declaration: FunctionDeclaration, previous: FunctionDeclaration): RuleFinding | undefined {
  const differing = declaration.parameters.findIndex(({ symbol }, index) => {
    const before = previous.parameters[index];
    return before !== undefined && differ(symbol.type, before.symbol.type);
  });
  const [is, was] = [declaration.parameters[differing], previous.parameters[differing]];
  const name = declaration.owner.name;
  if (is !== undefined && was !== undefined)
    return {
      place: declaration.namePlace,
      message: `parameter ${differing + 1} of '${name}' is '${printPointer(is.symbol.type)}' here, but '${printPointer(was.symbol.type)}' before`,
      related: [{ message: "declared here before", place: was.place }],
      fixes: () => fixesFor(declaration, previous),
    };
  if (!resultsDiffer(declaration.type.result, previous.type.result)) return undefined;
  return {
    place: declaration.namePlace,
    message: `'${name}' returns '${printType(declaration.type.result)}' here, but '${printType(previous.type.result)}' before`,
    related: [{ message: "declared here before", place: previous.namePlace }],
  };
}

/** The finding for a kernel with other parameters than an earlier one of its name. Kernels have C language linkage. */
function overloadFinding(declaration: FunctionDeclaration, previous: FunctionDeclaration): RuleFinding | undefined {
  const { parameters, owner, namePlace, execution } = declaration;
  const isOther =
    parameters.length !== previous.parameters.length ||
    parameters.some(({ symbol }, index) => isSameType(symbol.type, previous.parameters[index]?.symbol.type ?? symbol.type) === false);
  if (owner === previous.owner || !execution.kernel || !previous.execution.kernel || !isOther) return undefined;
  return {
    place: namePlace,
    message: `the kernel '${owner.name}' cannot be overloaded, and was declared with other parameters before`,
    related: [{ message: "declared here before", place: previous.namePlace }],
  };
}

type Declared = Pick<VariableSymbol, "name" | "type" | "place">;

function redeclaredFinding({ name, type, place }: Declared, previous: Pick<Declared, "type" | "place">): RuleFinding {
  return {
    place,
    message: `'${name}' is '${printType(type)}' here, but '${printType(previous.type)}' before`,
    related: [{ message: "declared here before", place: previous.place }],
  };
}

/** The finding for `extern constant int n;` and then `global int n;`: one name in two spaces, or both const and not const. */
function variableFinding({ name, type, place, previous }: VariableSymbol): RuleFinding | undefined {
  if (previous === undefined || previous.type.kind !== type.kind) return undefined;
  const [is, was] = [innermostElement(type), innermostElement(previous.type)];
  if (isOpaqueToUs(is) || isOpaqueToUs(was) || (isSame(is.qualifiers, was.qualifiers) && !differ(is, was))) return undefined;
  return redeclaredFinding({ name, type, place }, previous);
}

/** The finding for a type definition that is repeated with other qualifiers at some level. */
function typedefFinding({ name, type, place, previous }: TypedefSymbol): RuleFinding | undefined {
  if (previous === undefined || previous.type.kind !== type.kind || !typesDiffer(type, previous.type)) return undefined;
  return redeclaredFinding({ name, type, place }, previous);
}

/** True if two types of the same kind differ in qualifiers. No address space is a default here, because no object is declared. */
function typesDiffer(is: Type, was: Type): boolean {
  if (is.kind === "function" && was.kind === "function")
    return (
      is.parameters.length === was.parameters.length &&
      (differ(is.result, was.result) || is.parameters.some((each, index) => differ(each, was.parameters[index] ?? each)))
    );
  const [inner, other] = [innermostElement(is), innermostElement(was)];
  if (isOpaqueToUs(inner) || isOpaqueToUs(other)) return false;
  const [a, b] = [inner.qualifiers, other.qualifiers];
  return a.space !== b.space || a.restrict !== b.restrict || a.const !== b.const || a.volatile !== b.volatile || differ(inner, other);
}

/**
 * Declarations of functions with an earlier one in a block. All of them declare one function (C11 §6.2.2p4), although the name
 * in the block is not visible at the later one.
 */
function* prototypesInBlocks({ functions }: Facts): Generator<readonly [FunctionDeclaration, FunctionDeclaration]> {
  const blockNames = new Set(functions.filter(({ isOfBlock }) => isOfBlock === true).map(({ name }) => name));
  if (blockNames.size === 0) return;
  const order = new Map<Unit, number>();
  const byName = new Map<string, Set<FunctionDeclaration>>();
  for (const { name, declarations, isBuiltin } of functions) {
    for (const { place } of declarations) if (!order.has(place.unit)) order.set(place.unit, order.size);
    if (isBuiltin || !blockNames.has(name)) continue;
    const known = byName.get(name) ?? new Set();
    for (const declaration of declarations) known.add(declaration);
    byName.set(name, known);
  }
  const positionOf = ({ place }: FunctionDeclaration): readonly [number, number] => [order.get(place.unit) ?? 0, place.span.start];
  for (const all of byName.values()) {
    const sorted = [...all].sort((a, b) => {
      const [is, was] = [positionOf(a), positionOf(b)];
      return is[0] - was[0] || is[1] - was[1];
    });
    if (sorted.some(isOverloadable)) continue;
    for (const [index, declaration] of sorted.entries()) {
      const previous = sorted.slice(0, index).find(({ owner }) => owner.isOfBlock === true && owner !== declaration.owner);
      if (previous !== undefined) yield [declaration, previous];
    }
  }
}

/** True if the results differ, including their own qualifiers. An address space that one of them omits does not count. */
function resultsDiffer(a: Type, b: Type): boolean {
  if (isOpaqueToUs(a) || isOpaqueToUs(b) || a.kind !== b.kind) return false;
  return a.qualifiers.const !== b.qualifiers.const || a.qualifiers.volatile !== b.qualifiers.volatile || differ(a, b);
}

/** True if at some level of both types the address spaces or qualifiers are known and differ. */
function differ(a: Type, b: Type): boolean {
  if (a.kind === "opaque" && b.kind === "opaque") return a.name === b.name && !isSameOpaque(a, b);
  return firstDifference(a, b) !== undefined;
}

function firstDifference(a: Type, b: Type): { readonly depth: number; readonly is: Level; readonly was: Level } | undefined {
  if (a.kind !== "pointer" || b.kind !== "pointer") return undefined;
  const others = levelsOf(b, "arrays");
  for (const [depth, is] of levelsOf(a, "arrays").entries()) {
    const was = others[depth];
    if (was === undefined || isOpen(is) || isOpen(was)) return undefined;
    if (!isSame(is.qualifiers, was.qualifiers)) return { depth, is, was };
  }
  return undefined;
}

/** True if the level has an unknown type name, which may contain qualifiers. */
function isOpen({ type }: Level): boolean {
  return isOpaqueToUs(type) || (type.kind === "array" && isOpaqueToUs(type.element));
}

function isSame(a: Qualifiers, b: Qualifiers): boolean {
  return (a.space ?? b.space) === (b.space ?? a.space) && a.const === b.const && a.volatile === b.volatile;
}

// ---------------------------------------------------------------- fixes

/** The fixes for a difference. A definition counts as right; of two prototypes the later one is changed. */
function fixesFor(declaration: FunctionDeclaration, previous: FunctionDeclaration): readonly RuleFix[] {
  const [changed, model] = declaration.isDefinition && !previous.isDefinition ? [previous, declaration] : [declaration, previous];
  const { declarations } = changed.owner;
  if (declarations.some(({ isDefinition }) => isDefinition)) return [];
  const edits: PlacedEdit[] = [];
  for (const parameter of declarations.flatMap(({ parameters }) => parameters)) {
    const wanted = model.parameters[parameter.symbol.index ?? -1];
    if (wanted === undefined || !differ(parameter.symbol.type, wanted.symbol.type)) continue;
    const own = editsFor(parameter, wanted.symbol.type);
    if (own === undefined) return [];
    append(edits, own);
  }
  const title = model.isDefinition ? "Declare it as it is defined" : "Declare it as it was declared before";
  return [{ title, edits, safety: "safe" }];
}

/** The edits that make a parameter with a single `*` of its own agree with the other one's pointee. */
function editsFor({ symbol, words, place, writtenType }: ParameterDeclaration, wanted: Type): readonly PlacedEdit[] | undefined {
  if (symbol.type.kind !== "pointer" || wanted.kind !== "pointer" || writtenType.kind !== "pointer") return undefined;
  if (symbol.type.pointee.kind === "pointer" || symbol.type.pointee.kind === "array") return undefined;
  const [is, to] = [symbol.type.pointee.qualifiers, wanted.pointee.qualifiers];
  const edits: PlacedEdit[] = [];
  if (is.space !== to.space) {
    const edit = to.space === undefined || to.space === "generic" ? undefined : qualifySpecifiers(symbol.type, words, place, to.space);
    if (edit === undefined) return undefined;
    edits.push(edit);
  }
  for (const qualifier of ["const", "volatile"] as const) {
    if (is[qualifier] === to[qualifier]) continue;
    const word = words.find(({ text }) => text === qualifier);
    if (to[qualifier]) edits.push({ place, how: "before", text: `${qualifier} ` });
    else if (word !== undefined) edits.push(dropWord(word));
    else return undefined;
  }
  return edits;
}

// ---------------------------------------------------------------- across translation units

/**
 * Pairs each prototype of a function that its own translation unit does not define with the only definition in the workspace. A
 * name with several definitions is skipped, because they may belong to several programs.
 */
function prototypesElsewhere(summaries: readonly Summary[]): readonly (readonly [PrototypeSummary, PrototypeSummary])[] {
  const definitions = new Map<string, Map<string, PrototypeSummary>>();
  for (const { prototypes } of summaries)
    for (const each of prototypes ?? []) {
      if (!each.isDefinition) continue;
      const known = definitions.get(each.name) ?? new Map<string, PrototypeSummary>();
      definitions.set(each.name, known.set(placeKey(each.location), each));
    }
  const summariesOf = new Map<string, Summary[]>();
  for (const summary of summaries) summariesOf.set(summary.uri, [...(summariesOf.get(summary.uri) ?? []), summary]);
  const pairs = new Map<string, readonly [PrototypeSummary, PrototypeSummary]>();
  for (const { files, prototypes } of summaries)
    for (const each of prototypes ?? []) {
      const [definition, second] = definitions.get(each.name)?.values() ?? [];
      // For a file that it includes, the translation unit's own check reports the difference.
      if (each.isDefinition || definition === undefined || second !== undefined || files.includes(definition.location.uri)) continue;
      const isIncluded =
        each.location.uri !== definition.location.uri &&
        summariesOf.get(definition.location.uri)?.some((other) => other.files.includes(each.location.uri)) === true;
      const key = placeKey(each.location);
      // Of the files that include a prototype, one that calls the function decides whether it can be changed.
      if (!isIncluded && pairs.get(key)?.[0].isCalled !== true) pairs.set(key, [each, definition]);
    }
  return [...pairs.values()];
}

function linkFinding(prototype: PrototypeSummary, definition: PrototypeSummary): LinkFinding | undefined {
  if (prototype.parameters.length !== definition.parameters.length) return undefined;
  const index = prototype.parameters.findIndex((is, at) => is !== null && pointsToOtherSpace(is, definition.parameters[at] ?? undefined));
  const [is, was] = [prototype.parameters[index], definition.parameters[index]];
  if (is === undefined || is === null || was === undefined || was === null) return undefined;
  return {
    location: prototype.location,
    severity: "warning",
    message: `parameter ${index + 1} of '${prototype.name}' is '${is.type}' here, but '${was.type}' in its definition`,
    related: [{ message: "defined here", location: was.location }],
    fixes: () => linkFixes(prototype, definition),
  };
}

/**
 * True if the pointees are in different address spaces. They are compared only if both are spelled, because the meaning of an
 * omitted one depends on each file's standard.
 */
function pointsToOtherSpace(is: PointerSummary, was: PointerSummary | undefined): boolean {
  if (was === undefined || is.levels.length !== was.levels.length) return false;
  return is.levels.some((level, depth) => {
    const other = was.levels[depth];
    if (other === undefined) return false;
    const isNamed = isNamedSpace(level.space) && isNamedSpace(other.space);
    return (isNamed && level.space !== other.space) || level.isConst !== other.isConst || level.isVolatile !== other.isVolatile;
  });
}

function isNamedSpace(space: AddressSpace | undefined): boolean {
  return space === "global" || space === "local" || space === "constant";
}

/**
 * The fixes that change the prototype to match the definition. The arguments of calls suit the prototype as it is, so none of them may
 * have to point elsewhere, or lose its const.
 */
function linkFixes(prototype: PrototypeSummary, definition: PrototypeSummary): readonly Fix[] {
  const breaksCalls = prototype.parameters.some((is, index) => {
    const [from, to] = [is?.levels[0], definition.parameters[index]?.levels[0]];
    return from !== undefined && to !== undefined && (from.space !== to.space || (from.isConst && !to.isConst));
  });
  if (prototype.isCalled === true && breaksCalls) return [];
  const edits: Edit[] = [];
  for (const [index, is] of prototype.parameters.entries()) {
    const was = definition.parameters[index];
    if (is === null || was === undefined || was === null || !pointsToOtherSpace(is, was)) continue;
    const own = linkEdits(is, was);
    if (own === undefined) return [];
    append(edits, own);
  }
  return [{ title: "Declare it as it is defined", edits, isPreferred: true }];
}

function linkEdits(is: PointerSummary, was: PointerSummary): readonly Edit[] | undefined {
  const [level, ...deeper] = is.levels;
  const wanted = was.levels[0];
  if (level === undefined || wanted === undefined || deeper.length > 0 || level.isVolatile !== wanted.isVolatile) return undefined;
  const edits: Edit[] = [];
  if (isNamedSpace(wanted.space) && level.space !== wanted.space) {
    if (is.space === undefined) return undefined;
    edits.push({ location: is.space.location, text: `${is.space.isShort ? "" : "__"}${wanted.space}` });
  }
  if (level.isConst !== wanted.isConst) {
    const location = wanted.isConst ? is.before : is.const;
    if (location === undefined) return undefined;
    edits.push({ location, text: wanted.isConst ? "const " : "" });
  }
  return edits;
}
