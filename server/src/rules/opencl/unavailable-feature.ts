/** A type, a function, `pipe`, `read_write` or a block that the selected OpenCL C standard, or the device, lacks. */
import type { OpenCLDialect } from "../../dialect.ts";
import type { FeatureFact } from "../../semantics/facts/opencl-facts.ts";
import { neededFeature } from "../../semantics/types/type-names.ts";
import type { Rule } from "../rule.ts";

/** Reports types, functions, pipes, blocks and images that the selected OpenCL C standard lacks. */
export const unavailableFeature: Rule = {
  id: "unavailable-feature",
  title: "a type, a function, a pipe, a block or an image that the selected OpenCL C standard lacks",
  severity: "error",
  languages: ["opencl"],
  clause: "OpenCL C 3.0 §6.3.1, §6.3.3, §6.8, §6.12.5, §6.15.12: new in OpenCL C 2.0, most of it optional in 3.0",
  documentation: `
OpenCL C 2.0 brought the atomic types, pipes, blocks, device queues and their events, and \`read_write\` images. None of them is
in 1.2. In 3.0 the atomic types are always available; pipes need the feature \`__opencl_c_pipes\`, blocks and queues
\`__opencl_c_device_enqueue\`, and those images \`__opencl_c_read_write_images\`. Their functions need the same features;
\`to_global\` and the like need \`__opencl_c_generic_address_space\`.

\`double\` and its vectors need \`cl_khr_fp64\`, images and samplers \`__opencl_c_images\` in 3.0. Every device is assumed to
support both, unless the settings say otherwise (\`-cl-ext=-cl_khr_fp64\`).

If no standard is configured, a file is not judged by the standards that lack what it uses.

In C++ for OpenCL, \`new\` and \`delete\` exist only if a program defines the operators itself. It has neither exceptions nor \`dynamic_cast\`.

**What to do**: name the standard in the settings (\`-cl-std=CL2.0\`), or use the older standard's features: \`atomic_add\` and the like work on plain \`int\` in 1.2.`,
  limits: "A device may lack further optional features, which only the settings can tell.",
  examples: [
    {
      language: "opencl",
      standard: "CL1.2",
      bad: `kernel void count(global atomic_int *hits) { // <-
  atomic_fetch_add(hits, 1); // <-
}`,
      good: `kernel void count(global int *hits) {
  atomic_inc(hits);
}`,
    },
  ],
  check({ facts, dialect }, report) {
    if (dialect.language !== "opencl") return;
    for (const fact of facts.features) report({ place: fact.place, message: messageOf(fact, dialect) });
  },
};

function messageOf(fact: FeatureFact, dialect: OpenCLDialect): string {
  if (fact.misfit !== undefined) return `no '${fact.misfit}' of this program takes these arguments`;
  const feature = neededFeature(dialect, fact.name);
  return `there ${describe(fact)} ${feature === undefined ? `in ${dialect.label}` : `without the ${feature.startsWith("cl_") ? "extension" : "feature"} '${feature}'`}`;
}

function describe({ name }: FeatureFact): string {
  if (name === "block") return "are no blocks";
  if (name === "read_write") return "are no 'read_write' images";
  if (name === "new" || name === "delete") return `is no default '${name}'`;
  return name === "pipe" ? "are no pipes" : `is no '${name}'`;
}
