/** Arguments that `enqueue_kernel`, or a function that queries an enqueued kernel, does not accept. */
import type { CallArgument, CallFact } from "../../semantics/facts/facts.ts";
import { isInSpace } from "../../semantics/types/address-spaces.ts";
import { type FunctionType, isInteger, isOpaqueToUs, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import { type Argument, wrongArgument } from "../findings/wrong-argument.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports enqueued blocks with parameters other than `local void *`, and other wrong arguments of the call. */
export const enqueuedBlock: Rule = {
  id: "enqueued-block",
  title: "an enqueued block has parameters other than `local void *`, or the call has other wrong arguments",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.15.19, 2.0 §6.13.17.2: all parameters of an enqueued block are pointers to local void, each with a size in the call",
  documentation: `
A block that the device enqueues runs as a kernel of its own: it captures the values that it needs. Its parameters can only be
buffers in local memory, \`local void *\`, and the call gives a size for each of them:

\`\`\`c
enqueue_kernel(queue, flags, range, ^(local void *a, local void *b) { … }, 64, 128);
\`\`\`

With events there are three more arguments before the block: how many to wait for, the list, and the new event.

**What to do**: declare the parameters as \`local void *\` and cast inside of the block; capture plain values.`,
  limits: "Blocks in variables are judged by the variable's type.",
  examples: [
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void f(queue_t queue, global int *out) {
  ndrange_t range = ndrange_1D(64);
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, range, // the block follows
                 ^(local int *scratch) { scratch[0] = 1; }, // <-
                 64);
}`,
      good: `kernel void f(queue_t queue, global int *out) {
  ndrange_t range = ndrange_1D(64);
  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, range, // the block follows
                 ^(local void *scratch) { ((local int *)scratch)[0] = 1; },
                 64);
}`,
    },
  ],
  check({ facts }, report) {
    for (const call of facts.calls) {
      const finding = call.callee?.isBuiltin === true ? findingOf(call) : undefined;
      if (finding !== undefined) report(finding);
    }
  },
};

function findingOf(call: CallFact): RuleFinding | undefined {
  const [first, second] = call.arguments;
  switch (call.name) {
    case "enqueue_kernel":
      return enqueueFinding(call);
    case "get_kernel_work_group_size":
    case "get_kernel_preferred_work_group_size_multiple":
      return first === undefined ? undefined : blockFinding(first);
    case "get_kernel_sub_group_count_for_ndrange":
    case "get_kernel_max_sub_group_size_for_ndrange":
      return first === undefined || second === undefined
        ? undefined
        : (wrongArgument(first, isNamed("ndrange_t"), "an 'ndrange_t'") ?? blockFinding(second));
    default:
      return undefined;
  }
}

function enqueueFinding({ arguments: values, place }: CallFact): RuleFinding | undefined {
  const [queue, flags, range, fourth, waited, event, seventh] = values;
  if (queue === undefined || flags === undefined || range === undefined || fourth === undefined) return undefined;
  const common =
    wrongArgument(queue, isNamed("queue_t"), "a 'queue_t'") ??
    wrongArgument(flags, isInteger, "'kernel_enqueue_flags_t'") ??
    wrongArgument(range, isNamed("ndrange_t"), "an 'ndrange_t'");
  if (common !== undefined || isOpaqueToUs(fourth.type)) return common;
  if (fourth.type.kind === "block") return blockFinding(fourth) ?? sizesFinding(place, fourth.type.function, values.slice(4));
  if (values.length < 7 || waited === undefined || event === undefined || seventh === undefined)
    return values.length === 4
      ? blockFinding(fourth)
      : { place: fourth.place, message: "this must be a block, or an event count followed by two event pointers and a block" };
  const wrongEvent =
    wrongArgument(fourth, isInteger, "a number of events") ??
    wrongArgument(waited, mayBeEvents(waited), "a pointer to 'clk_event_t'") ??
    wrongArgument(event, mayBeEvents(event), "a pointer to 'clk_event_t'") ??
    blockFinding(seventh);
  return (
    wrongEvent ??
    (seventh.type.kind === "block" && values.length > 7 ? sizesFinding(place, seventh.type.function, values.slice(7)) : undefined)
  );
}

function isNamed(name: string): (type: Type) => boolean {
  // clang compares spellings, so a program's own type of that name is accepted.
  return (type) => printType(unqualifiedType(type)) === name;
}

/**
 * Tests for a pointer to events, or an array of them. A null pointer is an integer or a pointer to void instead, which a variable is
 * not.
 */
function mayBeEvents({ expression }: CallArgument): (type: Type) => boolean {
  return (type) => {
    const pointee = type.kind === "pointer" ? type.pointee : type.kind === "array" ? type.element : undefined;
    return (
      isInteger(type) ||
      type.kind === "nullptr" ||
      (pointee !== undefined &&
        ((pointee.kind === "void" && expression.kind !== "name") || isOpaqueToUs(pointee) || isNamed("clk_event_t")(pointee)))
    );
  };
}

function blockFinding(argument: Argument): RuleFinding | undefined {
  const { type, place } = argument;
  if (type.kind !== "block") return wrongArgument(argument, () => false, "a block");
  const index = type.function.parameters.findIndex((parameter) => !isLocalVoidPointer(parameter));
  const parameter = type.function.parameters[index];
  if (parameter === undefined) return undefined;
  return { place, message: `parameter ${index + 1} of the block is '${printType(unqualifiedType(parameter))}': it must be 'local void *'` };
}

function isLocalVoidPointer(type: Type): boolean {
  if (isOpaqueToUs(type)) return true;
  return (
    type.kind === "pointer" && (isOpaqueToUs(type.pointee) || (type.pointee.kind === "void" && isInSpace(type.pointee.qualifiers, "local")))
  );
}

function sizesFinding(place: Argument["place"], { parameters }: FunctionType, sizes: readonly Argument[]): RuleFinding | undefined {
  if (sizes.length !== parameters.length)
    return {
      place,
      message: `the block takes ${counted(parameters.length, "local pointer")}, but the call passes ${sizes.length === 0 ? "no size" : counted(sizes.length, "size")}`,
    };
  for (const size of sizes) {
    const finding = wrongArgument(size, isInteger, "a size");
    if (finding !== undefined) return finding;
  }
  return undefined;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
