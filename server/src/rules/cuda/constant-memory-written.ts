/** A write to constant memory in device code. */
import { compiledCode, isCompiled, isDeviceCode } from "../../analyses/device-code.ts";
import { windowUses } from "../../analyses/memory/windows.ts";
import { isConstantMemory } from "../../analyses/memory-spaces.ts";
import { type ObjectWrite, passedObjects, writesTo } from "../../analyses/object-writes.ts";
import { perhapsConstantWrites } from "../../analyses/writes/perhaps-constant.ts";
import type { Facts } from "../../semantics/facts/facts.ts";
import type { Place } from "../../semantics/types/symbols.ts";
import { isOpaqueToUs, printType } from "../../semantics/types/types.ts";
import { linkedEffects, passedElsewhere } from "../../summary/passed-objects.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports device code that writes to a `__constant__` variable. */
export const constantMemoryWritten: Rule = {
  id: "constant-memory-written",
  title: "device code writes to a `__constant__` variable",
  severity: "warning",
  languages: ["cuda"],
  judgesHostSide: true,
  clause: "CUDA C++ Programming Guide, __constant__: __constant__ variables can only be assigned from the host, through the runtime",
  documentation: `
Constant memory is read-only while a kernel runs. nvcc rejects an assignment to a \`__constant__\` scalar («expression must be
a modifiable lvalue»), and accepts everything else: elements, members, writes through a pointer or a reference, atomics, out
parameters of \`sincosf\` and the like. There the optimizer decides: it deletes the store, or replaces the kernel by a trap,
with at most a warning that «cannot store to pointer that points to constant memory space» at a place that depends on what
was inlined. On an H100 \`__nv_atomic_fetch_add\` on constant memory is lost without any message, also from compute-sanitizer;
\`atomicAdd\` ends the kernel. Instructions in \`asm\` that store count as well.

The finding is at the write; if that is in a function that receives the address, the call is a related place. If the function is
defined in another file of the workspace, the finding is at the call instead, because the mistake is there.

A pointer initialized with \`c ? table : buffer\` is reported if every path from its declaration leads to the write. A write under a
condition is not, because the condition may exclude the constant one.

**What to do**: write on the host with \`cudaMemcpyToSymbol\` before the launch; use \`__device__\` for data that kernels
change, \`__shared__\` for results of a block.`,
  limits:
    "Writes in functions without a body in the workspace are not detected, nor are those through pointers that several assignments may let point elsewhere.",
  examples: [
    {
      language: "cuda",
      bad: `__constant__ float table[8];
__global__ void add(int i) { table[i] += 1.0f; } // <-`,
      good: `__device__ float table[8];
__global__ void add(int i) { table[i] += 1.0f; }`,
    },
    {
      language: "cuda",
      bad: `__constant__ float table[8];
__device__ void clear(float *p) { p[0] = 0; } // <-
__global__ void run() { clear(table); }`,
      good: `__device__ float table[8];
__device__ void clear(float *p) { p[0] = 0; }
__global__ void run() { clear(table); }`,
    },
    {
      language: "cuda",
      bad: `__constant__ float initial[8];
__device__ float state[8];
__global__ void step(bool isFirst) {
  float *p = isFirst ? initial : state;
  p[0] += 1.0f; // <-
}`,
      good: `__constant__ float initial[8];
__device__ float state[8];
__global__ void step(bool isFirst) {
  const float *p = isFirst ? initial : state;
  state[0] = p[0] + 1.0f;
}`,
    },
  ],
  checkFile({ facts }, report) {
    for (const write of writesTo(facts, isConstantMemory)) {
      // A write to a variable that is also const is an ordinary error of the compiler. On the host, another rule reports it.
      const isError = isModifiableRejected(write) && isJudged(write, facts);
      if (write.how === "direct" && (write.type.qualifiers.const || isOpaqueToUs(write.type))) continue;
      if (!isError && !isDeviceCode(write)) continue;
      report(findingOf(write, isError));
    }
    for (const { object, memory, use, name, isInstruction, place } of windowUses(facts)) {
      // Calls of functions that the language declares are among the writes above.
      if (memory !== "constant" || use !== "write" || !isInstruction) continue;
      report({
        place,
        message: `'${object.name}' in constant memory is written by '${name}'`,
        related: [{ message: `'${object.name}' is declared here, in constant memory`, place: object.place }],
      });
    }
    for (const { pointer, object, access, source } of perhapsConstantWrites(facts)) {
      if (!isDeviceCode(access)) continue;
      report({
        place: access.place,
        message: `this writes through '${pointer.name}', which may point to '${object.name}' in constant memory`,
        related: [
          { message: `'${pointer.name}' gets the address here`, place: source },
          { message: `'${object.name}' is declared here, in constant memory`, place: object.place },
        ],
      });
    }
  },
  asks: ({ facts }) => passedElsewhere(passedObjects(facts, isConstantMemory).filter(({ call }) => isDeviceCode(call))),
  link(summaries, report, effects) {
    for (const { question, effect } of linkedEffects(constantMemoryWritten.id, summaries, effects)) {
      if (effect.kind !== "write") continue;
      const { object, declaration, argument, name } = question;
      report({
        location: argument,
        message: `'${name}' writes to '${object}', which is in constant memory`,
        related: [
          { message: "it is written here", location: effect.location },
          { message: `'${object}' is declared here, in constant memory`, location: declaration },
        ],
      });
    }
  },
};

/**
 * True for a store to a scalar `__constant__` variable, which nvcc rejects, on the host too: "expression must be a modifiable
 * lvalue".
 */
function isModifiableRejected({ how, steps, object, type, place }: ObjectWrite): boolean {
  const { kind } = object.type;
  // nvcc does not recognize the variable through a cast, through `*&`, in `?:` and in assembler.
  if (printType(type) !== printType(object.type) || !isName(place)) return false;
  return how === "direct" && steps.length === 0 && (kind === "arithmetic" || kind === "pointer" || kind === "enum");
}

/** False for an assignment in a template that nvcc judges in an instantiation only, unless something in the file instantiates it. */
function isJudged({ assignment, within, lambda, place }: ObjectWrite, facts: Facts): boolean {
  return assignment?.isOpen !== true || (assignment.operator === "=" && isCompiled({ within, lambda, place }, compiledCode(facts)));
}

/** True for a plain name, with or without parentheses, next to the operator. */
function isName({ unit, span }: Place): boolean {
  const { text } = unit.view;
  if (!/^[\s(]*[\w:]+[\s)]*$/.test(text.slice(span.start, span.end))) return false;
  const isBefore = /(?:\+\+|--)\s*$/.test(text.slice(Math.max(0, span.start - 20), span.start));
  return isBefore || /^\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))/.test(text.slice(span.end, span.end + 20));
}

function findingOf(write: ObjectWrite, isError: boolean): RuleFinding {
  const { object, place, how, steps, call } = write;
  const related = [{ message: `'${object.name}' is declared here, in constant memory`, place: object.place }];
  if (isError) return { place, message: `'${object.name}' is in constant memory and cannot be assigned`, severity: "error", related };
  if (how === "callee" && call !== undefined)
    return {
      place,
      message: `this writes to '${object.name}' in constant memory: a caller passes its address`,
      related: [{ message: `called with '${object.name}' here`, place: call.place }, ...related],
    };
  const last = steps[steps.length - 1];
  const part = last === undefined ? "" : last.kind === "member" ? `a member of ` : `an element of `;
  const through = how === "alias" ? " through an alias" : how === "builtin" ? ` by '${call?.name ?? ""}'` : "";
  return {
    place,
    message: `${part}'${object.name}' in constant memory is written${through}`,
    related: [{ message: "nvcc deletes such a store or turns it into a trap", place }, ...related],
  };
}
