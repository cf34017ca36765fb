/**
 * Keeps the memory of a server small. Each check leaves garbage, which V8 keeps as long as the machine has memory, so that a
 * session of an hour would take hundreds of megabytes instead of fifty. Therefore garbage is collected when the user pauses, and V8
 * lets a small heap grow less between its own collections.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds without a message after which the user counts as idle. */
const idleAfter = 1_000;
/** How many bytes the heap must have grown since the last collection to justify a pause of 50 ms or, with a large file open, 400 ms. */
const worth = 24_000_000;
/** By how many percent the heap may grow between two of V8's own collections. */
const mostGrowth = 40;
/** V8 decides. */
const byDefault = 0;
/** Milliseconds in which a new server checks its first documents. */
const start = 5_000;

/**
 * Lets the parser start 100 ms sooner and in 30 MB less, at two thirds of its later speed: V8 compiles it once instead of twice.
 * Most of what a session parses is single functions. Takes effect on parsers that are loaded later.
 */
export function tuneParser(): void {
  setFlagsFromString("--liftoff-only");
}

/** Bytes of a heap that counts as small; that of an open file of 2,000 lines has 40 million. */
const small = 80_000_000;

/**
 * While the heap is small, tells V8 to let it grow less, and to free pages with few live objects. By default the heap of a busy process
 * may grow to four times its live size. In a larger heap both would cost more than they save: with a file of 20,000 lines open, a fifth
 * of the processor time of each key, and one answer in a hundred would take 80 to 180 ms instead of 45 to 60.
 */
function keepSmall(): void {
  const isSmall = getHeapStatistics().used_heap_size < small;
  setFlagsFromString(`--heap-growing-percent=${isSmall ? mostGrowth : byDefault}`);
  setFlagsFromString(isSmall ? "--optimize-for-size" : "--no-optimize-for-size");
}

/** Receives notice of messages from the client. */
export interface Tidier {
  /** Reports that a message has arrived. */
  noteMessage(): void;
}

/** Creates a tidier for this process. */
export function createTidier(): Tidier {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let size = getHeapStatistics().total_heap_size;
  let timer: NodeJS.Timeout | undefined;
  // First checks need a heap that grows, because they make what stays.
  setTimeout(keepSmall, start).unref();
  const tidy = (): void => {
    keepSmall();
    if (getHeapStatistics().total_heap_size < size + worth) return;
    // Without compaction, pages with few live objects stay with the process: some 60 MB after edits of a short file.
    setFlagsFromString("--compact-on-every-full-gc");
    collect();
    setFlagsFromString("--no-compact-on-every-full-gc");
    size = getHeapStatistics().total_heap_size;
  };
  return {
    noteMessage: () => {
      if (timer === undefined) timer = setTimeout(tidy, idleAfter).unref();
      else timer.refresh();
    },
  };
}
