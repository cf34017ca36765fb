/** Adds up the sizes of consecutive objects, each at its alignment, and says how many bytes each takes. */

/** An object that takes memory; size and alignment in bytes. */
export interface MemoryEntry {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly alignment: number;
}

/** Objects with their offsets, and their total size, in bytes. */
export interface MemoryTable<Entry extends MemoryEntry> {
  readonly lines: readonly {
    readonly entry: Entry /** Where it starts and ends, in bytes. */;
    readonly start: number;
    readonly end: number;
  }[];
  readonly total: number;
  /** Unused bytes between the objects. */
  readonly padding: number;
}

/** A number of bytes; a lower bound if something of unknown size was left out. */
export interface Total {
  readonly total: number;
  readonly isComplete: boolean;
}

/** Lays the entries out in order. */
export function memoryTableOf<Entry extends MemoryEntry>(entries: readonly Entry[]): MemoryTable<Entry> {
  const lines: { entry: Entry; start: number; end: number }[] = [];
  let total = 0;
  for (const entry of entries) {
    const start = Math.ceil(total / entry.alignment) * entry.alignment;
    total = start + entry.size;
    lines.push({ entry, start, end: total });
  }
  return { lines, total, padding: total - entries.reduce((sum, { size }) => sum + size, 0) };
}

/** The largest entries and the padding: `weights 49,152, biases 32,768, 2 more 12, padding 4`. */
export function formatMemoryTable({ lines, padding }: MemoryTable<MemoryEntry>): string {
  const sorted = lines.map(({ entry }) => entry).sort((a, b) => b.size - a.size);
  const shown = sorted.length > 4 ? sorted.slice(0, 3) : sorted;
  const rest = sorted.slice(shown.length);
  const parts = shown.map(({ name, size }) => `${name || "(unnamed)"} ${formatCount(size)}`);
  if (rest.length > 0) parts.push(`${rest.length} more ${formatCount(rest.reduce((sum, { size }) => sum + size, 0))}`);
  if (padding > 0) parts.push(`padding ${formatCount(padding)}`);
  return parts.join(", ");
}

/** A count of bytes for messages: `1,024 bytes`. */
export function formatBytes(count: number): string {
  return `${formatCount(count)} byte${count === 1 ? "" : "s"}`;
}

/** A number with commas between thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
