/** A `__grid_constant__` parameter that is modified, or whose address escapes. */
import { leavesObject } from "../../analyses/access-paths.ts";
import { addressStores } from "../../analyses/effects.ts";
import { referencesTo } from "../../analyses/fact-index.ts";
import { describesPointee, gridConstantWord, isSpelledAlone } from "../../analyses/grid-constants.ts";
import { objectFlow, pointerPath } from "../../analyses/object-flow.ts";
import { mutableOf, type ObjectWrite, passedObjects, writesTo } from "../../analyses/object-writes.ts";
import { dropWord, isSpelledOut } from "../../analyses/placed-edits.ts";
import { fileContains } from "../../preprocess/unit-row.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { FunctionSymbol, ParameterDeclaration, SpecifierWord, VariableSymbol } from "../../semantics/types/symbols.ts";
import { placeKey } from "../../source.ts";
import { linkedEffects, passedElsewhere } from "../../summary/passed-objects.ts";
import { isGridConstant } from "../predicates.ts";
import type { LinkFinding, PlacedEdit, Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports `__grid_constant__` parameters that are modified, or whose address outlives the grid. */
export const gridConstantWritten: Rule = {
  id: "grid-constant-written",
  title: "a `__grid_constant__` parameter is modified, or its address outlives the grid",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, __grid_constant__: it is not allowed to modify a __grid_constant__ object or any of its sub-objects, including mutable members; its lifetime is that of the grid",
  documentation: `
All threads of the grid share one \`__grid_constant__\` object, and it is in memory that the device only reads. Changing it is
undefined behavior, even if C++ would allow it: a \`mutable\` member, the object behind a \`const_cast\`, a C cast or a pointer
made by one, in a function that gets a reference and casts it, by \`memcpy\` or an atomic. Compilers reject an ordinary write
(\`const-write\`); all these compile silently.

The object ceases to exist when the grid ends. Its address must not be stored in memory that outlives the grid, and must not be
passed to a child grid, which may run after its parent.

**What to do**: copy the part that changes into a local variable; pass the object itself, not its address, to a child grid.`,
  limits: "Writes in functions without a body in the workspace are not detected.",
  fixSafety: "Both fixes are suggestions: one lets the kernel change a copy of its own, the other makes the parameter that copy.",
  examples: [
    {
      language: "cuda",
      bad: `struct Params { float scale; mutable int calls; };
__global__ void run(const __grid_constant__ Params params, float *out) {
  params.calls++; // <-
  out[threadIdx.x] = params.scale;
}`,
      good: `struct Params { float scale; mutable int calls; };
__global__ void run(const __grid_constant__ Params params, float *out) {
  int calls = params.calls;
  calls++;
  out[threadIdx.x] = params.scale + calls;
}`,
    },
    {
      language: "cuda",
      bad: `struct Params { float scale; };
__device__ void halve(const Params &p) { const_cast<Params &>(p).scale /= 2; }
__global__ void run(const __grid_constant__ Params params) { halve(params); } // <-`,
      good: `struct Params { float scale; };
__device__ float half(const Params &p) { return p.scale / 2; }
__global__ void run(const __grid_constant__ Params params, float *out) { *out = half(params); }`,
    },
  ],
  checkFile({ facts }, report) {
    const reported = new Set<string>();
    for (const write of writesTo(facts, isGridConstant)) {
      // A direct write to a const object is an error in C++ anyway, and is reported as such.
      if (write.how === "direct" && write.type.qualifiers.const) continue;
      const finding = findingOf(write);
      const key = `${placeKey(finding.place)} ${write.object.name}`;
      if (!reported.has(key)) report(finding);
      reported.add(key);
    }
    for (const finding of escapes(facts)) report(finding);
  },
  asks: ({ facts }) => passedElsewhere(passedObjects(facts, isGridConstant)),
  link(summaries, report, effects) {
    for (const { question, effect } of linkedEffects(gridConstantWritten.id, summaries, effects)) {
      const { object, declaration, name, argument } = question;
      const declared = { message: `'${object}' is declared here`, location: declaration };
      const finding: LinkFinding =
        effect.kind === "write"
          ? {
              location: argument,
              message: `'${name}' modifies '__grid_constant__' parameter '${object}'${mutableMember(effect.member)}`,
              related: [{ message: "it is written here", location: effect.location }, declared],
            }
          : {
              location: argument,
              message: `'${name}' keeps the address of '__grid_constant__' parameter '${object}'`,
              related: [{ message: "it is stored here, where it outlives the grid", location: effect.location }, declared],
            };
      report(finding);
    }
  },
};

/** The ways out: the kernel changes a copy of its own, or the parameter is one. */
function fixesOf({ object, steps }: ObjectWrite, facts: Facts): readonly RuleFix[] {
  const { name, owner } = object;
  const parameters = owner?.declarations.flatMap(({ parameters: all }) => all.filter(({ symbol }) => symbol.index === object.index)) ?? [];
  // Only a mutable member may be written in a const parameter.
  const staysConst = mutableOf(steps) !== undefined;
  const words = parameters.map((parameter) => wordsToRemove(parameter, staysConst));
  if (owner === undefined || name === "" || owner.specializations.length > 0) return [];
  const remove: RuleFix | undefined = words.every((each) => each !== undefined)
    ? {
        title: `Remove '${staysConst ? "" : "const "}__grid_constant__' from '${name}'`,
        edits: words.flatMap((each) => (each ?? []).map(dropWord)),
        safety: "suggestion",
      }
    : undefined;
  return [copyFix(object, owner, facts), remove].filter((fix) => fix !== undefined);
}

/** The words that make the parameter an object of the grid, and const; undefined if one of them has another place or spelling. */
function wordsToRemove(parameter: ParameterDeclaration, staysConst: boolean): readonly SpecifierWord[] | undefined {
  const annotation = gridConstantWord(parameter);
  if (annotation === undefined || !isSpelledAlone(annotation)) return undefined;
  if (staysConst) return [annotation];
  const consts = describesPointee(parameter.writtenType) ? [] : parameter.words.filter(({ text }) => text === "const");
  // A macro that stands for both goes as one.
  const own = consts.filter(isSpelledOut);
  return consts.length === 1 && (own.length === 1 || !isSpelledOut(annotation)) ? [annotation, ...own] : undefined;
}

/** The fix that declares a local copy of the parameter, which the kernel uses from then on. */
function copyFix(object: VariableSymbol, { declarations }: FunctionSymbol, facts: Facts): RuleFix | undefined {
  const definition = declarations.find(({ body }) => body !== undefined);
  const { body, place } = definition ?? {};
  const copy = `own_${object.name}`;
  if (body === undefined || place === undefined || fileContains(copy, place.unit)) return undefined;
  const uses = referencesTo(facts, object).map((reference) => reference.place);
  if (!uses.every((use) => contains({ unit: place.unit, span: body.span }, use))) return undefined;
  const opening = { unit: place.unit, span: { start: body.span.start, end: body.span.start + 1 } };
  const declared: PlacedEdit = { place: opening, how: "after", text: ` auto ${copy} = ${object.name};` };
  return {
    title: `Change a copy of '${object.name}'`,
    edits: [declared, ...uses.map((use) => ({ place: use, text: copy }))],
    safety: "suggestion",
  };
}

function findingOf(write: ObjectWrite): RuleFinding {
  const { object, how, call, argument, steps } = write;
  const fixes = (facts: Facts) => fixesOf(write, facts);
  const declared = { message: `'${object.name}' is declared here`, place: object.place };
  const member = mutableMember(mutableOf(steps));
  if (how === "callee" && argument !== undefined) {
    return {
      place: argument,
      message: `'${call?.name ?? ""}' modifies '__grid_constant__' parameter '${object.name}'${member}`,
      related: [{ message: "it is written here", place: write.place }, declared],
      fixes,
    };
  }
  const by = how === "builtin" ? ` by '${call?.name ?? ""}'` : how === "alias" ? " through a pointer or reference" : member;
  return { place: write.place, message: `'__grid_constant__' parameter '${object.name}' is modified${by}`, related: [declared], fixes };
}

function mutableMember(name: string | undefined): string {
  return name === undefined ? "" : ` through its mutable '${name}'`;
}

/** Reports addresses that are stored in memory or passed to a child grid. */
function escapes(facts: Facts): readonly RuleFinding[] {
  const findings: RuleFinding[] = [];
  const flow = objectFlow(facts);
  for (const { object, place } of addressStores(facts, flow)) {
    const { root } = object;
    if (root === undefined || !isGridConstant(root) || leavesObject(object)) continue;
    findings.push({
      place,
      message: `the address of '__grid_constant__' parameter '${root.name}' is stored where it outlives the grid`,
      related: [{ message: "declared here", place: root.place }],
    });
  }
  for (const { object, call, argument, effects } of passedObjects(facts, isGridConstant)) {
    const store = effects.find(({ kind }) => kind === "store");
    if (store === undefined) continue;
    const related = [
      { message: "it is stored here, where it outlives the grid", place: store.place },
      { message: `'${object.root.name}' is declared here`, place: object.root.place },
    ];
    findings.push({
      place: argument,
      message: `'${call.name}' keeps the address of '__grid_constant__' parameter '${object.root.name}'`,
      related,
    });
  }
  for (const call of facts.calls) {
    if (call.launch === undefined) continue;
    for (const argument of call.arguments) {
      const { place, type } = argument;
      const object = type.kind === "pointer" || type.kind === "array" ? flow.pointee(pointerPath(argument))?.root : undefined;
      if (object === undefined || !isGridConstant(object)) continue;
      findings.push({
        place,
        message: `the address of '__grid_constant__' parameter '${object.name}' is passed to a child grid`,
        related: [{ message: "declared here", place: object.place }],
      });
    }
  }
  return findings;
}
