/** A template argument whose value or address is known only at run time. */
import { isCuda } from "../../analyses/memory-spaces.ts";
import { instantiationRelated } from "../findings/related.ts";
import type { Rule } from "../rule.ts";

/** Reports template arguments that use a value or an address that is known only at run time. */
export const templateArgumentNotConstant: Rule = {
  id: "template-argument-not-constant",
  title: "a template argument uses a value or an address that is known only at run time",
  severity: "error",
  languages: ["cuda"],
  judgesHostSide: true,
  clause: "C++17 §17.3.2p2: a template argument for a value parameter is a constant expression; §8.20p2 what that is",
  documentation: `
A template argument is the cheapest way to give a kernel a constant: the compiler unrolls loops and folds expressions that depend
on it. But the kernel is compiled for each value, so the value must be known at compile time: a literal, a \`constexpr\` variable,
a \`const\` integer with a constant initializer. A parameter of the launching function, or a variable that may change, is not.
nvcc reports «expression must have a constant value» and that no template matches.

The address of a variable in device or constant memory is a constant. One in managed memory is not, because the memory is allocated
when the program starts, nor one in shared memory, which every thread block has for itself.

**What to do**: pass the value as a kernel parameter (parameters are in constant memory, every thread reads the same one), or
choose at run time among kernels that are compiled for a few values: \`switch (n) { case 8: run<8><<<…>>>(…); … }\`.`,
  limits:
    "A template is judged for each instantiation that the program shows. Whether the compiler can evaluate a constructor or a function is not judged.",
  examples: [
    {
      language: "cuda",
      bad: `template <int taps> __global__ void filter(float *data) {
  for (int i = 0; i < taps; i++) data[threadIdx.x] *= 0.5f;
}
void run(int taps, float *data) {
  filter<taps><<<1, 256>>>(data); // <-
}`,
      good: `template <int taps> __global__ void filter(float *data) {
  for (int i = 0; i < taps; i++) data[threadIdx.x] *= 0.5f;
}
void run(int taps, float *data) {
  if (taps == 8) filter<8><<<1, 256>>>(data);
}`,
    },
  ],
  check({ facts, dialect }, report) {
    for (const fact of facts.runtimeArguments) {
      const { template, parameter, variable, place, isAddress } = fact;
      // clang, which compiles HIP, accepts them.
      if (isAddress === true && !isCuda(dialect)) continue;
      const why = isAddress === true ? `not an address in ${variable.memorySpace} memory` : `but '${variable.name}' is not one`;
      report({
        place,
        message: `template parameter '${parameter}' of '${template}' needs a constant, ${why}`,
        related: [{ message: `'${variable.name}' is declared here`, place: variable.place }, ...instantiationRelated(fact)],
      });
    }
  },
};
