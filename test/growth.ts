/**
 * Whether work grows in proportion to its input. The processor's time for a small input is compared with that for a larger one in the
 * same process, because a limit in seconds says something else on each machine, and on a busy one.
 */

/** How often each size is measured; the shortest time counts, because garbage collection and other programs only make it longer. */
const rounds = 3;
/** Milliseconds; shorter times are mostly noise. */
const shortest = 2;
const times = 8;

/** The growth of work that is not proportional. Eight times the input takes 64 times the work if that is quadratic. */
export const tooMuch = 30;

/**
 * How many times longer the work takes for eight times the size: about eight times if it is proportional, or somewhat more if it needs
 * much memory. `prepare` is not measured; it returns the work.
 */
export function growth(size: number, prepare: (size: number) => () => void): number {
  const [small, large] = [size, size * times].map((each) => {
    const measured = Array.from({ length: rounds }, () => {
      const work = prepare(each);
      const { user } = process.cpuUsage();
      work();
      return (process.cpuUsage().user - user) / 1_000;
    });
    return Math.max(shortest, Math.min(...measured));
  });
  return (large ?? 0) / (small ?? 1);
}
