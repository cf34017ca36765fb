/**
 * Whether work grows in proportion to its input. The processor's time for a small input is compared with that for a larger one in the
 * same process, because a limit in seconds says something else on each machine, and on a busy one.
 */

/** How often each size is measured at most; the shortest time counts, because garbage collection and other programs only make it longer. */
const rounds = 3;
/** Milliseconds; shorter times are mostly noise. */
const shortest = 2;
const times = 8;

/** The growth of work that is not proportional. Eight times the input takes 64 times the work if that is quadratic. */
export const tooMuch = 30;

/**
 * How many times longer the work takes for eight times the size: about eight times if it is proportional, or somewhat more if it needs
 * much memory. The larger input is measured again only if it seems to take too much, because it takes most of the time. `prepare` is not
 * measured; it returns the work.
 */
export function growth(size: number, prepare: (size: number) => () => void): number {
  const timeFor = (each: number) => {
    const work = prepare(each);
    const { user } = process.cpuUsage();
    work();
    return (process.cpuUsage().user - user) / 1_000;
  };
  const small = Math.max(shortest, Math.min(...Array.from({ length: rounds }, () => timeFor(size))));
  let large = timeFor(size * times);
  for (let round = 1; round < rounds && large >= small * tooMuch; round += 1) large = Math.min(large, timeFor(size * times));
  return large / small;
}
