/** A call of a non-const member function or operator on a const object. */
import { effectsOf, ownObject } from "../../analyses/effects.ts";
import type { ConstObjectFact, Facts } from "../../semantics/facts/facts.ts";
import { type FunctionSymbol, isDeclaredWith, type RecordSymbol } from "../../semantics/types/symbols.ts";
import { printType, type Type } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { instantiationRelated } from "../findings/related.ts";
import type { Rule } from "../rule.ts";

/** Reports calls of a member function that lacks the const or volatile of its object. */
export const constObjectCall: Rule = {
  id: "const-object-call",
  title: "a non-const member function is called on a const object, or a non-volatile one on a volatile object",
  severity: "error",
  languages: ["opencl", "cuda"],
  judgesHostSide: true,
  clause: "C++17 §12.2.2.1p4, §8.5p6: a member function can be called on objects that have no more cv-qualifiers than itself",
  documentation: `
A member function without \`const\` after its parameters may change its object, so it cannot be called on a const one: a \`const
__grid_constant__\` parameter, a \`const &\`, a \`__constant__ const\` object, or inside a const member function.

**What to do**: declare the member function \`const\` if it changes nothing; otherwise call it on a local copy.`,
  limits:
    "In the text of a template, calls of member templates and calls that depend on an argument are not judged; neither are calls through pointers to members whose type is an alias.",
  fixSafety:
    "The fix adds the qualifiers to the one declaration of the member function. It is safe if the body is there, and is not offered if the body writes the object, passes it to a function that may, or returns a pointer or reference to non-const.",
  examples: [
    {
      language: "cuda",
      bad: `struct Counter { int value; __device__ int next() { return value + 1; } };
__global__ void run(const __grid_constant__ Counter counter, int *out) {
  *out = counter.next(); // <-
}`,
      good: `struct Counter { int value; __device__ int next() const { return value + 1; } };
__global__ void run(const __grid_constant__ Counter counter, int *out) {
  *out = counter.next();
}`,
      fixed: `struct Counter { int value; __device__ int next() const { return value + 1; } };
__global__ void run(const __grid_constant__ Counter counter, int *out) {
  *out = counter.next();
}`,
    },
  ],
  check({ facts }, report) {
    // In the text of a template, another template may be chosen in an instance.
    const calls = facts.calls.flatMap(({ callee, object, place, within }): readonly ConstObjectFact[] =>
      callee === undefined || object === undefined || (callee.isTemplate && within?.isTemplate !== false)
        ? []
        : [{ callee, object: object.type, place }],
    );
    for (const { callee, object, place, instantiation } of [...calls, ...facts.constObjects]) {
      if (callee.kind === "member-pointer") {
        const missing = missingAfter(object, callee.member);
        if (missing.length > 0)
          report({
            place,
            message: `a member function that is not ${missing.join(" ")} is called on an object of type '${printType(object)}'`,
            related: instantiationRelated({ instantiation }),
          });
        continue;
      }
      if (callee.lambda !== undefined) {
        report({
          place,
          message: "this lambda is 'mutable', but called on a const object",
          related: [
            ...callee.declarations.map((lambda) => ({ message: "the lambda", place: lambda.namePlace })),
            ...instantiationRelated({ instantiation }),
          ],
        });
        continue;
      }
      if (object.kind !== "record") continue;
      const { record, qualifiers } = object;
      const missing = missingOf(object, callee);
      if (missing.length === 0) continue;
      const words = missing.join(" ");
      const only = callee.declarations.length === 1 ? callee.declarations[0] : undefined;
      const { unit } = only?.place ?? {};
      const end = only?.declarator.parameterSpan.end;
      const own = [qualifiers.const ? "const " : "", qualifiers.volatile ? "volatile " : ""].join("");
      report({
        place,
        message: `'${callee.name}' is not ${words}, but called on an object of type '${own}${record.tag ?? ""}'`,
        related: [
          ...callee.declarations.slice(0, 1).map(({ namePlace }) => ({ message: `'${callee.name}' is declared here`, place: namePlace })),
          ...instantiationRelated({ instantiation }),
        ],
        fixes: (all) =>
          unit === undefined || end === undefined || !canBeConst(callee, all)
            ? []
            : [
                {
                  title: `Declare '${callee.name}' ${words}`,
                  edits: [{ place: { unit, span: { start: end - 1, end } }, how: "after", text: ` ${words}` }],
                  // Without its body, nobody knows whether the function writes.
                  safety: only?.isDefinition === true ? "safe" : "suggestion",
                },
              ],
      });
    }
  },
};

/**
 * False if the function would not compile as a const one: it writes the object, hands out a pointer or reference to non-const, or
 * passes the object to a function that may write it.
 */
function canBeConst(given: FunctionSymbol, facts: Facts): boolean {
  // The facts of a class template's members are those of the template's own text.
  const callee = given.record?.instance === undefined ? given : inTemplate(given, given.record.instance.template);
  if (callee === undefined) return false;
  const { result } = callee.type;
  if (isOpenToWrites(result)) return false;
  const effects = effectsOf(facts);
  if (effects.reached(callee, ownObject).length > 0) return false;
  return effects.own(callee, ownObject).passes.every(({ callee: other, index }) => {
    if (index === ownObject) return other.declarations.some(({ declarator }) => hasWord(declarator.words, "const"));
    const parameter = other.type.parameters[index];
    return parameter !== undefined && !isOpenToWrites(parameter);
  });
}

/** The template's member that an instantiated class's member is made from; undefined if it is not the only one of its name. */
function inTemplate({ name }: FunctionSymbol, { functions }: RecordSymbol): FunctionSymbol | undefined {
  const [only, ...others] = functions.filter((each) => each.name === name);
  return others.length === 0 ? only : undefined;
}

/** True for a pointer or a reference through which its target may be written. */
function isOpenToWrites(type: Type): boolean {
  if (type.kind === "pointer") return !type.pointee.qualifiers.const;
  return type.kind === "reference" && !type.referent.qualifiers.const;
}

/** The object's qualifiers that are not after the parameters of a function to which a pointer to member points. */
function missingAfter({ qualifiers: object }: Type, { qualifiers }: Type): readonly string[] {
  return (["const", "volatile"] as const).filter((word) => object[word] && !qualifiers[word]);
}

/** The object's qualifiers that the only function of that name lacks. */
function missingOf({ qualifiers }: Type, callee: FunctionSymbol): readonly string[] {
  const { record } = callee;
  if (record === undefined || record.isIncomplete || record.isDependent) return [];
  if (callee.name === record.tag || callee.name.startsWith("~")) return [];
  // With several overloads, this one is chosen only if none of them accepts such an object. A base may declare more.
  if (record.bases.some((base) => mayHave(base, callee.name))) return [];
  if (isDeclaredWith(callee, "static")) return [];
  const present = new Set(callee.declarations.flatMap(({ declarator }) => declarator.words.map(({ text }) => text)));
  return (["const", "volatile"] as const).filter((word) => qualifiers[word] && !present.has(word));
}

/** True if a base may have a function of that name, which a using-declaration could make visible. */
function mayHave(base: Type, name: string): boolean {
  if (base.kind !== "record" || base.record.isIncomplete || base.record.isDependent) return true;
  return base.record.functions.some((each) => each.name === name) || base.record.bases.some((each) => mayHave(each, name));
}
