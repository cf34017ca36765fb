/** CUDA: the words for how many bytes of parameters a launch can pass. */
import { largeParameterLimit, smallParameterLimit } from "../../analyses/kernel-parameters.ts";
import { formatCount as number } from "../../analyses/memory-table.ts";
import type { CudaDialect } from "../../dialect.ts";

/** The limit in words: a number, and the alternative if the architectures or the CUDA version leave it open. */
export function parameterLimit({ architectures }: CudaDialect): string {
  const isLarge = architectures.length > 0 && architectures.every((architecture) => architecture >= 70);
  if (isLarge) return `${number(largeParameterLimit)} (${number(smallParameterLimit)} before CUDA 12.1)`;
  const isSmall = architectures.some((architecture) => architecture < 70);
  return isSmall
    ? number(smallParameterLimit)
    : `${number(smallParameterLimit)} (${number(largeParameterLimit)} from compute capability 7.0 and CUDA 12.1 on)`;
}
