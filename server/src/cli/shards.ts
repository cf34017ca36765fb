/** Decides which machine checks which file. Every machine computes the same answer without asking another. */

/** A part of a whole: the third of eight is `{ index: 2, count: 8 }`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Reads `3/8`; undefined if the text is not a valid part of a whole. */
export function readShard(text: string): Shard | undefined {
  const [, part, whole] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const index = Number(part) - 1;
  const count = Number(whole);
  return index >= 0 && index < count ? { index, count } : undefined;
}

/** Neighboring files share headers, so a few of them stay together. */
const mostTogether = 8;

/** The files of one shard; every file is in exactly one. */
export function inShard<Item>(items: readonly Item[], { index, count }: Shard): readonly Item[] {
  const together = Math.max(1, Math.min(mostTogether, Math.floor(items.length / (count * 4))));
  return items.filter((_, i) => Math.floor(i / together) % count === index);
}
