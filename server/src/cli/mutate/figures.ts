/** Counts for each kind of mistake how many are reported, and what else is reported. */

/** A finding of the checker that counts here. */
export interface Found {
  readonly rule: string;
  readonly message: string;
  readonly line: number;
}

interface Figures {
  made: number;
  reported: number;
  /** How many are reported only by rules other than those of the kind. */
  otherwise: number;
  /** The number of findings of other rules beside those of the kind. */
  extra: number;
}

/** The figures of all kinds so far. */
export interface Counter {
  count(kind: string, rules: readonly string[], found: readonly Found[]): void;
  /** One line for each kind, and one for all. */
  summary(): readonly string[];
}

/** Creates a counter. */
export function createCounter(): Counter {
  const figures = new Map<string, Figures>();
  return {
    count(kind, rules, found) {
      const entry = figures.get(kind) ?? { made: 0, reported: 0, otherwise: 0, extra: 0 };
      figures.set(kind, entry);
      const others = found.filter(({ rule }) => !rules.includes(rule));
      entry.made += 1;
      if (others.length < found.length) {
        entry.reported += 1;
        entry.extra += others.length;
      } else if (others.length > 0) entry.otherwise += 1;
    },
    summary() {
      const all = [...figures.values()];
      const sum = (of: (each: Figures) => number): number => all.reduce((total, each) => total + of(each), 0);
      const total = {
        made: sum(({ made }) => made),
        reported: sum(({ reported }) => reported),
        otherwise: sum(({ otherwise }) => otherwise),
        extra: sum(({ extra }) => extra),
      };
      return [...[...figures].map(([name, entry]) => lineOf(name, entry)), lineOf("all", total)];
    },
  };
}

function lineOf(name: string, { made, reported, otherwise, extra }: Figures): string {
  const percent = made === 0 ? 0 : (100 * reported) / made;
  const elsewhere = otherwise > 0 ? `, ${otherwise} more by another rule` : "";
  return `${name}: ${reported} of ${made} reported (${percent.toFixed(0)} %)${elsewhere}, ${extra} extra findings`;
}
