/** An address space where the language allows none: on results, parameters, members, compound literals, or twice on one type. */
import { dropWord } from "../../analyses/placed-edits.ts";
import type { OpenCLDialect } from "../../dialect.ts";
import { type AddressSpace, addressSpaceOf } from "../../qualifiers.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionDeclaration, SpecifierWord, VariableSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import { findingsOfVariables, instantiationRelated } from "../findings/related.ts";
import { spaceWordsOf } from "../fixes/spaces.ts";
import type { Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports misplaced address spaces. */
export const addressSpacePlacement: Rule = {
  id: "address-space-placement",
  title: "an address space is written where none is allowed",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.7, §6.7.8, 2.0 §6.5, 1.2 §6.5: address space names qualify objects and pointees, not results, parameters or members",
  documentation: `
An address space says where an object is. These have no place of their own, and so no address space:

- a **result** is a value: \`private int f()\` is wrong; \`local int *f()\`, a pointer to local memory, is fine;
- a **parameter** is private to the function: \`local int n\` and \`int *global p\` are wrong, \`local int *n\` is right;
- a **member** is where its struct is: \`struct S { local int x; }\` is wrong, \`struct S { local int *x; }\` is right;
- a **compound literal** in a function is private.

One type has one space: \`global local int *p\` names two, and \`local gint *p\` does if \`gint\` is a typedef with a space. The
\`__generic\` space exists only in OpenCL C 2.0, and in 3.0 where the device supports it.

**What to do**: drop the word, or put it before the pointee's type. Beware of typedefs of pointers: with
\`typedef int *ip\`, \`global ip p\` qualifies the pointer itself.`,
  limits: "A word that comes from a macro is reported at the macro's use; the fix is offered only if the author wrote the word.",
  fixSafety: "The fix drops a word that has no meaning there, or that repeats the type's own address space: safe.",
  examples: [
    {
      language: "opencl",
      bad: `private int twice(int x) { // <-
  return 2 * x;
}`,
      good: `int twice(int x) {
  return 2 * x;
}`,
      fixed: `int twice(int x) {
  return 2 * x;
}`,
    },
    {
      language: "opencl",
      bad: `struct tile {
  local float values[16]; // <-
  int width;
};`,
      good: `struct tile {
  local float *values;
  int width;
};`,
      fixed: `struct tile {
  float values[16];
  int width;
};`,
    },
    {
      language: "opencl",
      bad: `typedef global int gint;
void clear(local gint *p) { // <-
  *p = 0;
}`,
      good: `typedef global int gint;
void clear(gint *p) {
  *p = 0;
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const finding of wordFindings(facts, dialect)) report(finding);
    for (const { declarations } of facts.functions) {
      for (const declaration of declarations) {
        for (const finding of [resultFinding(declaration), staticFinding(declaration)]) if (finding !== undefined) report(finding);
      }
    }
    for (const finding of findingsOfVariables(facts, ({ variable }) => variableFinding(variable))) report(finding);
  },
};

function* wordFindings(facts: Facts, dialect: OpenCLDialect): Generator<RuleFinding> {
  for (const fact of facts.spaces) {
    switch (fact.kind) {
      case "second-space": {
        const isSame = addressSpaceOf(fact.word.text) === fact.first;
        // A template argument may repeat the template's address space.
        if (isSame && fact.instantiation !== undefined) break;
        const message = isSame
          ? `this type is already in ${fact.first} memory: the second word has no effect`
          : `this type is already in ${fact.first} memory: it cannot have a second address space`;
        yield {
          place: fact.word.place,
          message,
          severity: isSame ? "warning" : "error",
          fixes: () => (isSame && fact.instantiation === undefined ? dropping(fact.word) : []),
          related: instantiationRelated(fact),
        };
        break;
      }
      case "unsupported-generic":
        yield {
          place: fact.word.place,
          message: `there is no generic address space ${dialect.label.includes(" without ") ? "without '__opencl_c_generic_address_space'" : `in ${dialect.label}`}`,
          ...(fact.isOverlooked === true ? { severity: "warning" } : {}),
        };
        break;
      case "compound-literal":
        if (fact.space !== "private")
          yield { place: fact.place, message: `a compound literal in a function is private, not in ${fact.space} memory` };
        break;
      case "inner-parameter":
        yield { place: fact.place, message: privateParameter(fact.name, fact.space) };
        break;
      case "pointer-sizes":
      case "reserved-name":
      case "method-object":
      case "object-copy":
        break;
    }
  }
}

function resultFinding(declaration: FunctionDeclaration): RuleFinding | undefined {
  const { result } = declaration.type;
  const { space } = result.qualifiers;
  if (space === undefined || result.kind === "reference" || result.kind === "unknown") return undefined;
  const words = result.kind === "pointer" ? [] : spaceWordsOf(declaration.words);
  const [only] = words;
  return {
    place: declaration.namePlace,
    message: `the return type cannot be qualified with an address space`,
    fixes: () => (only === undefined || words.length > 1 ? [] : dropping(only)),
  };
}

/** A static member function has no object that could be in an address space. */
function staticFinding({ words, declarator, namePlace, owner }: FunctionDeclaration): RuleFinding | undefined {
  const word = declarator.words.find(({ text }) => addressSpaceOf(text) !== undefined);
  if (word === undefined || owner.record === undefined || !hasWord(words, "static")) return undefined;
  return {
    place: { unit: namePlace.unit, span: word.span },
    message: `static member function '${owner.name}' has no object, so '${word.text}' cannot apply`,
  };
}

function variableFinding(variable: VariableSymbol): RuleFinding | undefined {
  const { space } = variable.type.qualifiers;
  // The name may stand for an array type, or for a pointer together with its `*`.
  if (space === undefined || variable.type.kind === "reference" || variable.type.kind === "unknown") return undefined;
  const words = variable.type.kind === "pointer" || variable.sharesSpecifiers ? [] : spaceWordsOf(variable.words);
  const [only] = words;
  const fixes = () => (only === undefined || words.length > 1 ? [] : dropping(only));
  if (variable.scope === "member")
    return {
      place: variable.place,
      message: `${variable.name === "" ? "a member" : `'${variable.name}'`} cannot be in ${space} memory: a member lies where its ${variable.record?.key ?? "struct"} lies`,
      fixes,
    };
  if (variable.scope !== "parameter" || !variable.isSpaceExplicit || space === "private") return undefined;
  return { place: variable.place, message: privateParameter(variable.name, space), fixes };
}

function privateParameter(name: string, space: AddressSpace): string {
  return `${name === "" ? "a parameter" : `'${name}'`} cannot be in ${space} memory: parameters are private`;
}

function dropping(word: SpecifierWord): readonly RuleFix[] {
  return [{ title: `Remove '${word.text}'`, edits: [dropWord(word)], safety: "safe" }];
}
