/** The spelling of execution spaces in messages and summaries. */
import type { ExecutionSpaces } from "./symbols.ts";

/** The specifiers of a function; one without any runs on the host. */
export function spellSpaces({ kernel, device, host }: ExecutionSpaces): string {
  if (kernel) return "'__global__'";
  return device ? (host ? "'__host__ __device__'" : "'__device__'") : "for the host";
}
