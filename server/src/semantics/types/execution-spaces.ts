/** How execution spaces are spelled in messages and summaries. */
import type { ExecutionSpaces } from "./symbols.ts";

/** The words for it; a function without any runs on the host. */
export function spellSpaces({ kernel, device, host }: ExecutionSpaces): string {
  if (kernel) return "'__global__'";
  return device ? (host ? "'__host__ __device__'" : "'__device__'") : "for the host";
}
