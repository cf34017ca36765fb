/**
 * Keeps the memory of a server small. Each check leaves garbage, which V8 keeps as long as the machine has memory, so that a
 * session of an hour would take hundreds of megabytes instead of fifty. Therefore garbage is collected when the user pauses, and V8
 * lets a small heap grow less between its own collections.
 */
import { getHeapStatistics } from "node:v8";
import { collector, growHeapLess } from "./v8-flags.ts";

/** Milliseconds without a message after which the user counts as idle. */
const idleAfter = 1_000;
/** How many bytes the heap must have grown since the last collection to justify a pause of 50 ms or, with a large file open, 400 ms. */
const worth = 24_000_000;
/** Milliseconds in which a new server checks its first documents. */
const start = 5_000;
/** Bytes of a heap that counts as small; that of an open file of 2,000 lines has 40 million. */
const small = 80_000_000;

/** Receives notice of messages from the client. */
export interface Tidier {
  /** Reports that a message has arrived. */
  noteMessage(): void;
}

/** Creates a tidier for this process. */
export function createTidier(): Tidier {
  const collect = collector();
  let size = getHeapStatistics().total_heap_size;
  let timer: NodeJS.Timeout | undefined;
  const keepSmall = (): void => growHeapLess(getHeapStatistics().used_heap_size < small);
  // First checks need a heap that grows, because they make what stays.
  setTimeout(keepSmall, start).unref();
  const tidy = (): void => {
    keepSmall();
    if (getHeapStatistics().total_heap_size < size + worth) return;
    collect();
    size = getHeapStatistics().total_heap_size;
  };
  return {
    noteMessage: () => {
      if (timer === undefined) timer = setTimeout(tidy, idleAfter).unref();
      else timer.refresh();
    },
  };
}
