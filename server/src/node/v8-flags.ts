/**
 * The flags that programs here set for V8, each with what it saves. The extension sets one more where it starts the server
 * (`client/src/v8-flags.ts`), because Node accepts that one only then.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Lets the parser start 100 ms sooner and in 30 MB less, at two thirds of its later speed: V8 compiles it once instead of twice.
 * Most of what a session parses is single functions. Takes effect on parsers that are loaded later.
 */
export function compileParserOnce(): void {
  // The first implies the others only where Node gets it when it starts. Without them, V8 of Node 24 and later compiles the parser's lexer
  // a second time nevertheless, which takes some 270 MB and a third of the processor time until the first findings.
  for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
}

/**
 * Prepares V8 for busy threads; to be called before they start. Each thread compiles the program for itself, on helper threads that
 * take their time from the busy ones. Optimizing a function only when it has run six times as long as usual saves
 * some 6 % of the processor time of eight threads in a hundred files. Libraries of thousands of files take as long as before.
 */
export function tuneThreads(): void {
  setFlagsFromString(lateOptimization(6));
}

/**
 * The flag with which V8 optimizes a function only when it has run so many times as long as usual. It has another name from Node 22 on,
 * and V8 prints an error for names that it does not know.
 */
export function lateOptimization(times: number): string {
  const isOld = Number.parseInt(process.versions.node, 10) < 22;
  return isOld ? `--interrupt-budget=${times * 132_000}` : `--invocation-count-for-turbofan=${times * 3_000}`;
}

/** By how many percent a small heap may grow between two of V8's own collections. */
const mostGrowth = 40;
/** V8 decides. */
const byDefault = 0;

/**
 * While the heap is small, tells V8 to let it grow less, and to free pages with few live objects. By default the heap of a busy process
 * may grow to four times its live size. In a larger heap both would cost more than they save: with a file of 20,000 lines open, a fifth
 * of the processor time of each key, and one answer in a hundred would take 80 to 180 ms instead of 45 to 60.
 */
export function growHeapLess(isSmall: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isSmall ? mostGrowth : byDefault}`);
  setFlagsFromString(isSmall ? "--optimize-for-size" : "--no-optimize-for-size");
}

/** Returns a function that collects garbage. Without compaction, pages with few live objects stay with the process: some 60 MB after edits of a short file. */
export function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return () => {
    setFlagsFromString("--compact-on-every-full-gc");
    collect();
    setFlagsFromString("--no-compact-on-every-full-gc");
  };
}
