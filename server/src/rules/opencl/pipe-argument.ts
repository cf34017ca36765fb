/** Wrong arguments of the pipe functions: something other than a pipe, a pipe of the other direction, packets of another type. */
import type { CallFact } from "../../semantics/facts/facts.ts";
import { isInteger, isOpaqueToUs, type Type } from "../../semantics/types/types.ts";
import { type Argument, printArgument, wrongArgument } from "../findings/wrong-argument.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports pipe functions that are called with something other than a pipe, or with the wrong pipe or packet. */
export const pipeArgument: Rule = {
  id: "pipe-argument",
  title: "a pipe function gets an argument that is not a pipe, or the wrong pipe or packet",
  severity: "error",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.15.16, 2.0 §6.13.16: read functions take read_only pipes, write functions write_only ones, and a pointer to the packet type",
  documentation: `
\`read_pipe\` and the like read from a \`read_only\` pipe, which is the default; \`write_pipe\` and the like write to a
\`write_only\` one. A kernel that does both has two pipes as arguments.

A packet is read into, or written from, an object of exactly the pipe's packet type: \`read_only pipe int4 p\` requires an \`int4
*\`. With a reservation there are four arguments: the pipe, the reservation, the index, the packet.

**What to do**: give the parameter the access that its use needs, and the packet the right type.`,
  limits: "Pipes of unknown packet type are not compared.",
  examples: [
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void forward(read_only pipe int in, read_only pipe int out) {
  int packet;
  read_pipe(in, &packet);
  write_pipe(out, &packet); // <-
}`,
      good: `kernel void forward(read_only pipe int in, write_only pipe int out) {
  int packet;
  read_pipe(in, &packet);
  write_pipe(out, &packet);
}`,
    },
    {
      language: "opencl",
      standard: "CL2.0",
      bad: `kernel void take(read_only pipe int4 in, global int *to) {
  read_pipe(in, to); // <-
}`,
      good: `kernel void take(read_only pipe int4 in, global int4 *to) {
  read_pipe(in, to);
}`,
    },
  ],
  check({ facts }, report) {
    for (const call of facts.calls) {
      const finding = pipeFunction.test(call.name) && call.callee?.isBuiltin === true ? findingOf(call) : undefined;
      if (finding !== undefined) report(finding);
    }
  },
};

const pipeFunction =
  /^(?:(?:work_group_|sub_group_)?(?:reserve|commit)_(?:read|write)_pipe|(?:read|write)_pipe|get_pipe_(?:num|max)_packets)$/;

function findingOf(call: CallFact): RuleFinding | undefined {
  const { name } = call;
  const [pipe, second, third, fourth] = call.arguments;
  if (pipe === undefined || isOpaqueToUs(pipe.type)) return undefined;
  if (pipe.type.kind !== "opaque" || pipe.type.name !== "pipe")
    return { place: pipe.place, message: `'${name}' takes a pipe, not ${printArgument(pipe.type)}` };
  const access = name.includes("read") ? "read_only" : name.includes("write") ? "write_only" : undefined;
  if (access !== undefined && pipe.type.access !== access) return { place: pipe.place, message: `'${name}' takes a '${access}' pipe` };
  if (name.includes("reserve")) return second === undefined ? undefined : wrongArgument(second, isInteger, "a number of packets");
  if (name.includes("commit")) return second === undefined ? undefined : wrongArgument(second, isReservation, "a reservation");
  if (name.startsWith("get_")) return undefined;
  if (call.arguments.length !== 2 && call.arguments.length !== 4)
    return { place: call.place, message: `'${name}' takes two or four arguments` };
  const isReserved = call.arguments.length === 4;
  const first =
    isReserved && second !== undefined && third !== undefined
      ? (wrongArgument(second, isReservation, "a reservation") ?? wrongArgument(third, isInteger, "an index"))
      : undefined;
  const packet = isReserved ? fourth : second;
  return first ?? (packet === undefined || pipe.type.packet === undefined ? undefined : wrongPacket(packet, pipe.type.packet));
}

function isReservation(type: Type): boolean {
  return type.kind === "opaque" && type.name === "reserve_id_t";
}

/** The finding for a packet of the wrong type. clang compares the types without qualifiers. */
function wrongPacket({ type, place }: Argument, packet: Type): RuleFinding | undefined {
  const pointee = type.kind === "pointer" ? type.pointee : type.kind === "array" ? type.element : undefined;
  if (isOpaqueToUs(type) || isOpaqueToUs(packet) || (pointee !== undefined && isOpaqueToUs(pointee))) return undefined;
  const isSame = pointee !== undefined && printArgument(pointee) === printArgument(packet);
  return isSame
    ? undefined
    : { place, message: `this pipe's packets are ${printArgument(packet)}: pass a pointer to one, not ${printArgument(type)}` };
}
