/**
 * Declares a pointer as one to const or volatile, where a conversion would drop that. It is offered only if nothing is written
 * through the pointer, so that the next error is not the fix's own; otherwise the pointer that is passed may lose its const.
 */
import {
  accessesTo,
  callsAround,
  conversionsAround,
  conversionsFrom,
  conversionsTo,
  referencesTo,
  variableOf,
} from "../../analyses/fact-index.ts";
import { dropWord, isSpelledOut } from "../../analyses/placed-edits.ts";
import type { ConversionFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { RuleFix } from "../rule.ts";
import { declarationsOf } from "./pointer-qualification.ts";

/** The fix that adds the lost qualifiers to the pointer that receives the value, in every declaration of its function. */
export function addLostQualifiers(fact: ConversionFact, lost: readonly string[], facts: Facts): readonly RuleFix[] {
  const target = variableOf(fact.target);
  const isPlain = fact.context === "initialize" || fact.context === "pass";
  const words = lost.filter((word) => word !== "restrict");
  if (target === undefined || !isPlain || words.length === 0 || words.length !== lost.length) return [];
  const declared = declarationsOf(target);
  if (isOverloaded(target, facts)) return [];
  if (!declared.every((each) => isOneLevel(each) && !needsPlainPointee(each, facts))) return removeFromSource(fact, facts);
  return [
    {
      title: `Declare ${target.name === "" ? "the parameter" : `'${target.name}'`} as a pointer to ${words.join(" ")}`,
      edits: declared.map(({ declaration }) => ({ place: declaration, how: "before", text: `${words.join(" ")} ` })),
      safety: fact.context === "initialize" ? "safe" : "suggestion",
    },
  ];
}

/**
 * The fix for a target through which something is written: the pointer that is passed on loses its const. It is a suggestion, because
 * only the author knows which of the two declarations is wrong. Pointers that others give to the function must not point to const.
 */
function removeFromSource({ path, from, context }: ConversionFact, facts: Facts): readonly RuleFix[] {
  const source = path?.root;
  if (source === undefined || context !== "pass" || path?.steps.length !== 0 || from.kind !== "pointer") return [];
  const { owner, scope } = source;
  const isOwn = scope === "block" || (scope === "parameter" && owner !== undefined && (owner.isInternal || isUncalledKernel(owner, facts)));
  const declared = declarationsOf(source);
  const givesConst = conversionsTo(facts, source).some((each) => each.from.kind !== "pointer" || each.from.pointee.qualifiers.const);
  if (!isOwn || givesConst || isOverloaded(source, facts) || owner?.isTemplate === true || !declared.every(isOneLevel)) return [];
  const edits = declared.map(({ words }) => words.filter(({ text }) => text === "const"));
  if (!edits.every(([word, ...others]) => word !== undefined && others.length === 0 && isSpelledOut(word))) return [];
  return [
    {
      title: `Declare '${source.name}' as a pointer without const`,
      edits: edits.flat().map(dropWord),
      safety: "suggestion",
    },
  ];
}

/** True for a kernel that no code of the file calls or launches. */
function isUncalledKernel(owner: FunctionSymbol, facts: Facts): boolean {
  return owner.declarations.some(({ execution }) => execution.kernel) && referencesTo(facts, owner).length === 0;
}

function isOneLevel({ sharesSpecifiers, type }: VariableSymbol): boolean {
  return !sharesSpecifiers && type.kind === "pointer" && type.pointee.kind !== "pointer";
}

/** True if the function is one of several of that name, among which calls choose by the types of parameters, or one that others override. */
function isOverloaded({ scope, owner }: VariableSymbol, { functions }: Facts): boolean {
  if (scope !== "parameter" || owner === undefined) return false;
  const isVirtual = owner.declarations.some(({ words, declarator }) =>
    [...words, ...declarator.words].some(({ text }) => text === "virtual" || text === "override" || text === "final"),
  );
  const isRedefined = owner.lambda === undefined && functions.some((other) => other !== owner && other.name === owner.name);
  return isVirtual || isRedefined;
}

/** True if something is written through the pointer, or may be by code that receives it. */
function needsPlainPointee(variable: VariableSymbol, facts: Facts): boolean {
  return (
    accessesTo(facts, variable).some(({ mode, path }) => path.steps.length > 0 && mode !== "read" && mode !== "address") ||
    conversionsFrom(facts, variable).some(({ to }) => takesPlain(to)) ||
    referencesTo(facts, variable).some(
      ({ place }) =>
        callsAround(facts, place).some(({ callee }) => callee === undefined || callee.isTemplate) ||
        conversionsAround(facts, place).some(({ context, to }) => context !== "cast" && takesPlain(to)),
    )
  );
}

/** True for a pointer or reference through which its target may be written, and for types that are unknown. */
function takesPlain(type: Type): boolean {
  if (type.kind === "pointer") return !isReadOnly(type.pointee);
  if (type.kind === "reference") return !isReadOnly(type.referent) && type.referent.kind !== "pointer";
  return type.kind === "unknown" || type.kind === "dependent" || type.kind === "auto";
}

function isReadOnly(type: Type): boolean {
  return type.kind === "array" ? isReadOnly(type.element) : type.qualifiers.const;
}
