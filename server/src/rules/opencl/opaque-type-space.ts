/** Samplers, images, events and queues in a place or an address space that does not allow them. */
import type { VariableFact } from "../../semantics/facts/facts.ts";
import { isHandle } from "../../semantics/types/opaque.ts";
import type { FunctionDeclaration, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";
import { findingsOfInstances, findingsOfVariables } from "../findings/related.ts";
import { spellSpaceIn } from "../fixes/spaces.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports samplers, images, events, pipes and blocks that are declared in a wrong place or address space. */
export const opaqueTypeSpace: Rule = {
  id: "opaque-type-space",
  title: "a sampler, image, event, pipe or block is declared in a wrong place or address space",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.11 (b, q), §6.15.15.1, 1.2 §6.9 (b, p), §6.12.14.1: restrictions on image, sampler and event types",
  documentation: `
Images, samplers, events and pipes are opaque objects that the device interprets; they are not in memory like data:

- an **image** (and a pipe) can only be the parameter of a function. There is no variable, member, array or result of that
  type, and no pointer to one;
- a **sampler** may also be a variable in a function, and a \`constant\` or \`const\` one at program scope, but not a member, an
  array element, a result, or in \`local\` or \`global\` memory; there is no pointer to one;
- an **\`event_t\`** is a private variable of a function: not at program scope, not \`local\`, \`global\` or \`constant\`, and not
  a member. \`clk_event_t\` and \`reserve_id_t\` cannot be declared at program scope;
- a **block** is a variable that is initialized at its declaration: not a parameter, member, array element, result or \`extern\`
  variable, and there is no pointer to one.

**What to do**: pass the handle as an argument; declare a program-scope sampler as \`constant sampler_t\`.`,
  limits: "Types from unknown headers may contain an opaque type; they are not reported.",
  fixSafety: "The fix puts a program-scope sampler into constant memory, where it must be: safe.",
  examples: [
    {
      language: "opencl",
      bad: `sampler_t nearest = CLK_FILTER_NEAREST; // <-
kernel void read(read_only image2d_t in, global float4 *out) {
  out[0] = read_imagef(in, nearest, (int2)(0, 0));
}`,
      good: `constant sampler_t nearest = CLK_FILTER_NEAREST;
kernel void read(read_only image2d_t in, global float4 *out) {
  out[0] = read_imagef(in, nearest, (int2)(0, 0));
}`,
      fixed: `constant sampler_t nearest = CLK_FILTER_NEAREST;
kernel void read(read_only image2d_t in, global float4 *out) {
  out[0] = read_imagef(in, nearest, (int2)(0, 0));
}`,
    },
    {
      language: "opencl",
      bad: `kernel void load(global float *from, local float *to) {
  local event_t done; // <-
  done = async_work_group_copy(to, from, 64, 0);
  wait_group_events(1, (event_t *)&done);
}`,
      standard: "CL2.0",
      good: `kernel void load(global float *from, local float *to) {
  event_t done;
  done = async_work_group_copy(to, from, 64, 0);
  wait_group_events(1, &done);
}`,
    },
  ],
  check({ facts }, report) {
    for (const finding of findingsOfVariables(facts, ({ variable }) => variableFinding(variable))) report(finding);
    for (const fact of facts.opaqueTypes)
      if (fact.kind === "compound") report({ place: fact.place, message: compoundMessage(fact.of, fact.type) });
    for (const finding of findingsOfInstances(facts.instantiatedVariables, instantiatedFinding)) report({ ...finding, fixes: () => [] });
    for (const { declarations } of facts.functions) {
      for (const declaration of declarations) {
        const finding = resultFinding(declaration);
        if (finding !== undefined) report(finding);
      }
    }
  },
};

function variableFinding(variable: VariableSymbol): RuleFinding | undefined {
  const { type, place } = variable;
  const block = type.kind === "block" ? blockProblem(variable) : undefined;
  if (block !== undefined) return { place, message: block };
  if (type.kind !== "opaque") return undefined;
  const message = messageOf(variable, type.name);
  if (message === undefined) return undefined;
  const isSampler = type.name === "sampler_t" && variable.scope === "program" && !variable.isSpaceExplicit && !variable.sharesSpecifiers;
  return {
    place,
    message,
    fixes: () =>
      isSampler
        ? [
            {
              title: `Put '${variable.name}' in constant memory`,
              edits: [{ place: variable.declaration, how: "before", text: `${spellSpaceIn(variable.declaration.unit, "constant")} ` }],
              safety: "safe",
            },
          ]
        : [],
  };
}

function messageOf(variable: VariableSymbol, name: string): string | undefined {
  const { scope } = variable;
  const { space, const: isConst } = variable.type.qualifiers;
  if (scope === "parameter") return undefined;
  if (isImage(name)) return `'${variable.name}': ${name === "pipe" ? "pipes" : "images"} can only be function parameters`;
  if (scope === "member")
    return name === "sampler_t" || name === "event_t"
      ? `member '${variable.name}' cannot be ${name === "event_t" ? "an" : "a"} '${name}': only variables and parameters can`
      : undefined;
  const isProgramScope = scope === "program" || scope === "static-member";
  if (name === "sampler_t") {
    if (space === "local" || space === "global") return `sampler '${variable.name}' cannot be in ${space} memory`;
    return isProgramScope && space !== "constant" && !isConst
      ? `program-scope sampler '${variable.name}' must be 'constant' or 'const'`
      : undefined;
  }
  const isExtern = hasWord(variable.words, "extern");
  if ((isProgramScope || isExtern) && (name === "event_t" || name === "clk_event_t" || name === "reserve_id_t"))
    return `'${variable.name}' cannot be at program scope: its type is '${name}'`;
  return name === "event_t" && scope === "block" && space !== undefined && space !== "private"
    ? `'${variable.name}' cannot be in ${space} memory: an '${name}' must be private`
    : undefined;
}

/**
 * The problem of a block variable: it must be initialized and never changes, so it cannot be a member or extern (OpenCL C 3.0
 * §6.12.5).
 */
function blockProblem({ name, scope, initializer, words }: VariableSymbol): string | undefined {
  if (scope === "member") return `'${name}': a block cannot be a member`;
  if (scope === "parameter") return `${name === "" ? "this parameter" : `'${name}'`}: a block cannot be a parameter`;
  if (hasWord(words, "extern")) return `'${name}': a block cannot be 'extern'`;
  return initializer === undefined ? `'${name}': a block must be initialized` : undefined;
}

/** A pointer or an array in a template that an argument makes one to, or of, such a type; declarators without arguments are facts. */
function instantiatedFinding({ variable }: VariableFact): RuleFinding | undefined {
  for (let { type } = variable; type.kind === "array" || type.kind === "pointer"; ) {
    const inner = type.kind === "array" ? type.element : type.pointee;
    if (isHandle(inner)) return { place: variable.place, message: compoundMessage(type.kind, inner) };
    type = inner;
  }
  return undefined;
}

function compoundMessage(of: "pointer" | "array", type: Type): string {
  const name = type.kind === "opaque" ? type.name : undefined;
  if (of === "array") return name === undefined ? "blocks cannot be array elements" : `'${name}' cannot be an array element`;
  return `a pointer cannot point to ${name === undefined ? "a block" : `'${name}'`}`;
}

function resultFinding({ type, namePlace }: FunctionDeclaration): RuleFinding | undefined {
  const { result } = type;
  if (result.kind === "block") return { place: namePlace, message: "a function cannot return a block" };
  return result.kind === "opaque" && isHandle(result)
    ? { place: namePlace, message: `a function cannot return '${result.name}'` }
    : undefined;
}

function isImage(name: string): boolean {
  return name.startsWith("image") || name === "pipe";
}
