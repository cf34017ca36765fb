/**
 * Changes the address space of pointees in declarations and casts. An edit is offered if it alone corrects the mistake and does not
 * break other code. The rules decide which code is wrong; `spaces.ts` decides how a space is spelled.
 */
import {
  accessesTo,
  callsAround,
  conversionsAround,
  conversionsTo,
  operandsAround,
  referencesTo,
  variableOf,
} from "../../analyses/fact-index.ts";
import { pointedSpace } from "../../analyses/pointers/pointer-flow.ts";
import type { QualifiedParameter } from "../../finding.ts";
import { append } from "../../lists.ts";
import { fileOf } from "../../preprocess/row.ts";
import { areInSameFile } from "../../preprocess/unit-row.ts";
import { type AddressSpace, namedSpace } from "../../qualifiers.ts";
import { signatureOf } from "../../semantics/declarations/function-signatures.ts";
import type { ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import { containsSpace, overlaps } from "../../semantics/types/address-spaces.ts";
import { contains } from "../../semantics/types/places.ts";
import type { Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { PlacedEdit, RuleFix } from "../rule.ts";
import { qualifyDeclaration, qualifySpecifiers, spaceWordsOf } from "./spaces.ts";

/** The fixes that make the declaration which receives the pointer point into the same space. */
export function qualifyTarget(fact: ConversionFact, facts: Facts): readonly RuleFix[] {
  const target = variableOf(fact.target);
  const space = pointedSpace(fact.from);
  // An edit that suits one instantiation would break the others.
  const edits =
    target === undefined || space === undefined || fact.instantiation !== undefined || !areEquallyDeep(fact) || dropsConst(fact)
      ? undefined
      : qualifyVariable(facts, target, space);
  if (target === undefined || edits === undefined) return [];
  const name = target.name === "" ? "the parameter" : `'${target.name}'`;
  const qualifiedParameter = qualifiedParameterOf(target, space, fact.operandPlace.unit);
  return [
    {
      title: `Declare ${name} as a pointer to ${space} memory`,
      edits,
      safety: fact.context === "initialize" ? "safe" : "suggestion",
      ...(qualifiedParameter === undefined ? {} : { qualifiedParameter }),
    },
  ];
}

/** True if the conversion also drops const: with the right address space it would still be wrong. */
export function dropsConst({ from, to }: ConversionFact): boolean {
  return from.kind === "pointer" && to.kind === "pointer" && from.pointee.qualifiers.const && !to.pointee.qualifiers.const;
}

/** True if both types have equally many pointer levels: another address space does not turn a pointer into a pointer to a pointer. */
function areEquallyDeep({ from, to }: ConversionFact): boolean {
  const pointee = (type: Type) => (type.kind === "pointer" ? type.pointee : type.kind === "array" ? type.element : undefined);
  return (pointee(from)?.kind === "pointer") === (pointee(to)?.kind === "pointer");
}

/** The parameter that other files must change too, if they can know the function. */
export function qualifiedParameterOf(
  { scope, owner, index }: VariableSymbol,
  space: AddressSpace | undefined,
  unit: Place["unit"],
): QualifiedParameter | undefined {
  const [first] = owner?.declarations ?? [];
  if (scope !== "parameter" || owner === undefined || first === undefined || index === undefined || space === undefined) return undefined;
  if (owner.isInternal && owner.declarations.every((declaration) => areInSameFile(declaration.place.unit, unit))) return undefined;
  const isOverloadable =
    owner.record !== undefined ||
    first.attributes.some(({ name }) => name.includes("overloadable")) ||
    fileOf(first.place.unit.uri).endsWith("pp");
  const named = namedSpace(space);
  if (named !== space) return undefined;
  return { name: owner.name, ...(isOverloadable ? { signature: signatureOf(first.parameters) } : {}), parameter: index, space: named };
}

/**
 * The edits that make a variable, or a parameter in all declarations of its function, point to `space`. Undefined if other uses
 * need its present space. `repaired` are conversions whose operand gets the new space in the same fix.
 */
export function qualifyVariable(
  facts: Facts,
  variable: VariableSymbol,
  space: AddressSpace,
  repaired: readonly ConversionFact[] = [],
): readonly PlacedEdit[] | undefined {
  // The host never passes private memory.
  if (space === "private" && variable.owner?.declarations.some(({ execution }) => variable.scope === "parameter" && execution.kernel))
    return undefined;
  const declared = declarationsOf(variable);
  const edits = declared.map((each) => (isQualifiable(each, facts) ? qualifyDeclaration(each, space) : undefined));
  if (!edits.every((edit) => edit !== undefined) || !areSourcesValid(facts, declared, space, repaired)) return undefined;
  return declared.every((each) => areUsesValid(facts, each, space)) ? edits : undefined;
}

/** The edits that make a cast keep the space of its operand, and the variable that it initializes point there too. */
export function qualifyCast(facts: Facts, fact: ConversionFact): readonly PlacedEdit[] | undefined {
  const space = pointedSpace(fact.from);
  const old = pointedSpace(fact.to);
  if (space === undefined || old === undefined || fact.typePlace === undefined || !spellsPointer(fact.typePlace, facts)) return undefined;
  const own = qualifySpecifiers(fact.to, fact.typeWords ?? [], fact.typePlace, space);
  if (
    own === undefined ||
    operandsAround(facts, fact.place).some(({ left, right }) => ![left, right].every((type) => isOpenTo(type, space)))
  )
    return undefined;
  const edits: PlacedEdit[] = [own];
  for (const user of conversionsAround(facts, fact.place)) {
    if (user === fact || pointedSpace(user.from) !== old || accepts(user, space)) continue;
    const target = user.context === "initialize" ? variableOf(user.target) : undefined;
    const more = target === undefined ? undefined : qualifyVariable(facts, target, space, [user]);
    if (more === undefined) return undefined;
    append(edits, more);
  }
  return edits;
}

/** True if every pointer to the object, or to a part of it, is used in a way that constant memory allows. */
export function mayBeConstant(facts: Facts, object: VariableSymbol): boolean {
  return referencesTo(facts, object).every(({ place }) =>
    conversionsAround(facts, place).every((fact) => pointedSpace(fact.from) !== object.type.qualifiers.space || accepts(fact, "constant")),
  );
}

/** The parameter in every known declaration of its function; any other variable alone. */
export function declarationsOf(variable: VariableSymbol): readonly VariableSymbol[] {
  const { owner, index, scope } = variable;
  if (scope !== "parameter" || owner === undefined || index === undefined) return [variable];
  return owner.declarations.map(({ parameters }) => parameters[index]?.symbol).filter((symbol) => symbol !== undefined);
}

/** The declaration itself, rather than a typedef, spells the pointer and its address space, if any. */
export function isQualifiable(variable: VariableSymbol, facts: Facts): boolean {
  const space = pointedSpace(variable.type);
  if (variable.isTemplated === true || variable.scope === "member" || space === undefined) return false;
  const isWritten = spaceWordsOf(variable.words).length > 0;
  return (
    (isWritten || space === "private" || space === "generic") &&
    spellsPointer(variable.declaration, facts) &&
    !isAddressUsed(facts, variable)
  );
}

/** True if the declaration or type-id itself spells the `*` and the space, if any, rather than a typedef that it names. */
export function spellsPointer({ unit, span }: Place, facts: Facts): boolean {
  const text = unit.view.text.slice(span.start, span.end);
  const words = new Set(text.match(/\w+/g));
  return (
    /[*[]/.test(text) &&
    !facts.typedefs.some(
      ({ name, type }) => words.has(name) && (type.kind === "pointer" || type.kind === "array" || type.qualifiers.space !== undefined),
    )
  );
}

/** True if there is a pointer to the pointer, whose type also contains the address space. */
function isAddressUsed(facts: Facts, variable: VariableSymbol): boolean {
  return accessesTo(facts, variable).some(({ mode, path }) => path.steps.length === 0 && (mode === "address" || mode === "bind"));
}

/** True if every value that the variable receives would still be valid. */
function areSourcesValid(
  facts: Facts,
  declared: readonly VariableSymbol[],
  space: AddressSpace,
  repaired: readonly ConversionFact[],
): boolean {
  return declared.every((target) =>
    conversionsTo(facts, target).every((fact) => {
      if (fact.isNullConstant || repaired.includes(fact)) return true;
      const given = pointedSpace(fact.from);
      return given !== undefined && containsSpace(space, given);
    }),
  );
}

/** True if every use of the variable's value would still be valid. */
function areUsesValid(facts: Facts, variable: VariableSymbol, space: AddressSpace): boolean {
  const old = pointedSpace(variable.type);
  const places = referencesTo(facts, variable).map(({ place }) => place);
  if (space === "constant" && isWrittenThrough(facts, variable, places)) return false;
  return places.every(
    (place) =>
      operandsAround(facts, place).every(({ left, right }) => conflictIn([left, right], old, space)) &&
      conversionsAround(facts, place).every((fact) => pointedSpace(fact.from) !== old || accepts(fact, space)),
  );
}

/** True if one of the operands is the changed pointer and the other one conflicts with it. */
function conflictIn(operands: readonly Type[], old: AddressSpace | undefined, space: AddressSpace): boolean {
  const others = operands.filter((type) => pointedSpace(type) !== old);
  return others.length > 0 && others.every((type) => isOpenTo(type, space));
}

/** True if something is written through the pointer. Builtin functions may write, and may have overloads only for other spaces. */
export function isWrittenThrough(facts: Facts, variable: VariableSymbol, places: readonly Place[]): boolean {
  if (accessesTo(facts, variable).some(({ mode, path }) => path.steps.length > 0 && mode !== "read" && mode !== "address")) return true;
  return places.some((place) =>
    callsAround(facts, place).some(
      ({ callee, arguments: given }) =>
        callee?.isBuiltin !== false && given.some(({ type, place: outer }) => pointedSpace(type) !== undefined && contains(outer, place)),
    ),
  );
}

/** True if the conversion is valid with an operand that points to `space`. */
export function accepts({ context, to, isNullConstant }: ConversionFact, space: AddressSpace): boolean {
  const target = pointedSpace(to);
  if (target === undefined || isNullConstant) return true;
  return context === "cast" ? overlaps(target, space) : containsSpace(target, space);
}

function isOpenTo(type: Type, space: AddressSpace): boolean {
  const other = pointedSpace(type);
  return other === undefined || overlaps(other, space);
}
