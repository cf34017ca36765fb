/** How V8 compiles the program in threads that check many files one after another. */
import { setFlagsFromString } from "node:v8";

/**
 * Prepares V8 for busy threads; to be called before they start. Each thread compiles the program for itself, on helper threads that
 * take their time from the busy ones. With less inlining, compiling takes half of that time, and the result is hardly slower: a
 * large repository takes a tenth less of the processor's time.
 */
export function tuneThreads(): void {
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=300");
}
