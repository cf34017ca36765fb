/**
 * Cleans up while nobody works. Each check leaves garbage, which V8 lets lie as long as the machine has memory: a session of an hour
 * would take hundreds of megabytes for what needs fifty. So a rest collects it, and so does a long time without one.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds without a message after which somebody rests. */
const rest = 1_000;
/** So many bytes more than were alive after the last cleaning are worth a pause of some 40 ms, in a rest and without one. */
const worthInRest = 24_000_000;
const worthAtOnce = 96_000_000;
/** Messages between two looks at the heap while nobody rests. */
const messagesBetween = 32;

/** Whoever hears of messages from the client. */
export interface Tidier {
  /** A message has come. */
  heard(): void;
}

/** A tidier of this process. */
export function createTidier(): Tidier {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let alive = getHeapStatistics().used_heap_size;
  let messages = 0;
  let timer: NodeJS.Timeout | undefined;
  const tidy = (worth: number): void => {
    if (getHeapStatistics().used_heap_size < alive + worth) return;
    collect();
    alive = getHeapStatistics().used_heap_size;
  };
  return {
    heard: () => {
      messages += 1;
      if (messages % messagesBetween === 0) setImmediate(tidy, worthAtOnce);
      if (timer === undefined) timer = setTimeout(tidy, rest, worthInRest).unref();
      else timer.refresh();
    },
  };
}
