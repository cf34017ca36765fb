/**
 * Images, samplers, events, queues, pipes and blocks that are computed with, converted, or passed to a function that takes a
 * different type.
 */
import type { ImageAccess } from "../../qualifiers.ts";
import type { Facts, OpaqueTypeFact } from "../../semantics/facts/facts.ts";
import { contains } from "../../semantics/types/places.ts";
import type { VariableSymbol } from "../../semantics/types/symbols.ts";
import { isInteger, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import type { PlacedEdit, Rule, RuleFinding, RuleFix } from "../rule.ts";

/** Reports images, samplers, events, queues, pipes and blocks that are used like data, or as a different type. */
export const opaqueTypeOperation: Rule = {
  id: "opaque-type-operation",
  title: "an image, sampler, event, queue, pipe or block is used like data, or as a different type",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.8, §6.11 (b), §6.12.5, §6.15.15: opaque objects are only arguments of functions; images are passed with the access that they have",
  documentation: `
Images, samplers, pipes and blocks are opaque objects that can only be passed to functions: there is no arithmetic, no comparison
and no assignment, and their address cannot be taken. Events, queues and reservations can be assigned and their address can be
taken, but they are not numbers; \`event_t\` and \`queue_t\` can be initialized with zero.

The access of an image never changes: a \`read_only\` one (the default) cannot be passed to \`write_imagef\`, nor to a function
whose parameter is \`write_only\`.

**What to do**: give the parameter the access that the function needs, in every function on the way from the kernel.`,
  limits: "Functions of vendors' extensions are unknown.",
  fixSafety:
    "Adding an access qualifier to a parameter without one is safe, because it is offered only if every use needs that access. Replacing a written qualifier is a suggestion.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void fill(image2d_t out, float4 color) {
  write_imagef(out, (int2)(0, 0), color); // <-
}`,
      good: `kernel void fill(write_only image2d_t out, float4 color) {
  write_imagef(out, (int2)(0, 0), color);
}`,
      fixed: `kernel void fill(write_only image2d_t out, float4 color) {
  write_imagef(out, (int2)(0, 0), color);
}`,
    },
    {
      language: "opencl",
      bad: `float4 first(read_only image2d_t in, sampler_t by) {
  return read_imagef(in, by, (float2)(0.0f));
}
kernel void f(write_only image2d_t out, sampler_t by) {
  float4 color = first(out, by); // <-
}`,
      good: `float4 first(read_only image2d_t in, sampler_t by) {
  return read_imagef(in, by, (float2)(0.0f));
}
kernel void f(read_only image2d_t in, sampler_t by) {
  float4 color = first(in, by);
}`,
    },
    {
      language: "opencl",
      bad: `kernel void f(read_only image2d_t a, read_only image2d_t b, global int *same) {
  *same = a == b; // <-
}`,
      good: `kernel void f(read_only image2d_t a, read_only image2d_t b, global int *same) {
  *same = get_image_width(a) == get_image_width(b);
}`,
    },
  ],
  check({ facts }, report) {
    for (const fact of facts.opaqueTypes) {
      const finding = findingOf(fact);
      if (finding !== undefined) report(finding);
    }
  },
};

function findingOf(fact: OpaqueTypeFact): RuleFinding | undefined {
  switch (fact.kind) {
    case "access-qualifier":
    case "capture":
      return undefined;
    case "operator":
      return fact.type.kind === "atomic"
        ? undefined
        : { place: fact.place, message: `${shownType(fact.type)} has no operator '${fact.operator}'` };
    case "condition":
      return { place: fact.place, message: `${shownType(fact.type)} cannot be used as a condition` };
    case "conversion":
      return {
        place: fact.place,
        message: conversionMessage(fact),
        fixes: (facts) =>
          accessFixes(facts, fact.variable, isSameKind(fact.from, fact.to) && fact.to.kind === "opaque" ? fact.to.access : undefined),
      };
    case "image-access":
      return {
        place: fact.place,
        message: `'${fact.name}' cannot use a ${shownType(fact.type)}`,
        fixes: (facts) => accessFixes(facts, fact.variable, accessFor(fact.name)),
      };
  }
}

function conversionMessage({ from, to, context }: Extract<OpaqueTypeFact, { kind: "conversion" }>): string {
  const verb =
    context === "pass" ? "be passed as" : context === "return" ? "be returned as" : context === "cast" ? "be cast to" : "be converted to";
  if (to.kind === "opaque" && to.name === "sampler_t") {
    if (isSameKind(from, to)) return "a sampler in constant memory is initialized with an integer, not with a sampler";
    const isWide = from.kind === "arithmetic" && (from.name === "int" || from.name === "unsigned int");
    if (isWide) return `a sampler must be initialized with a constant, and this ${shownType(from)} is not one`;
    if (isInteger(from)) return `a sampler must be initialized with a 32-bit integer constant, not with ${shownType(from)}`;
  }
  return `${shownType(from)} cannot ${verb} ${shownType(to)}`;
}

function isSameKind(from: Type, to: Type): boolean {
  return from.kind === "opaque" && to.kind === "opaque" && from.name === to.name;
}

/** The fixes that give the parameter the required access, if its own qualifier is another one or missing. */
function accessFixes(facts: Facts, variable: VariableSymbol | undefined, access: ImageAccess | undefined): readonly RuleFix[] {
  if (variable?.scope !== "parameter" || access === undefined || !needsOnly(facts, variable, access)) return [];
  const words = variable.words.filter(({ text }) => /^__(?:read|write)_(?:only|write)$/.test(text));
  const [only] = words;
  if (words.length > 1) return [];
  const edit: PlacedEdit =
    only === undefined ? { place: variable.declaration, how: "before", text: `${access} ` } : { place: only.place, text: access };
  return [{ title: `Make '${variable.name}' ${access}`, edits: [edit], safety: only === undefined ? "safe" : "suggestion" }];
}

/** True if every call with the image needs this access, except those that only query it. */
function needsOnly({ opaqueTypes, calls }: Facts, variable: VariableSymbol, access: ImageAccess): boolean {
  return calls.every(({ name, callee, arguments: given, place }) => {
    const argument = given.find(({ path }) => path?.root === variable);
    if (argument === undefined || name.startsWith("get_image_")) return true;
    const parameter = callee?.type.parameters[given.indexOf(argument)];
    if (parameter?.kind === "opaque") return parameter.access === undefined || parameter.access === access;
    const wrong = opaqueTypes.find(
      (fact) => fact.kind === "image-access" && fact.variable === variable && fact.place.unit === place.unit && contains(place, fact.place),
    );
    return wrong?.kind === "image-access" && accessFor(wrong.name) === access;
  });
}

function accessFor(name: string): ImageAccess {
  return name.startsWith("write_") ? "write_only" : "read_only";
}

/** The type in a message. A block's is written with its parameters only. */
function shownType(type: Type): string {
  return type.kind === "block" ? "a block" : `'${printType(unqualifiedType(type))}'`;
}
