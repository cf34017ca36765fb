/** What `--watch` says about a round: when, after which change, and which findings have come and gone since the round before. */
import { printable, quoted } from "../../printable.ts";

/** How many findings of a round are listed; the report above has the others. */
const mostListed = 10;

/** What has changed, and when. */
export interface RoundOfWatch {
  /** The files that have changed, as they are shown. */
  readonly changed: readonly string[];
  readonly time: Date;
}

/** The text about a round; `before` and `after` are findings, one a line, beginning with their places. */
export function changesSince(before: readonly string[], after: readonly string[], { changed, time }: RoundOfWatch): string {
  const come = withoutThese(after, before);
  const gone = withoutThese(before, after);
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
  const [first = "something", ...others] = changed.map((path) => quoted(path));
  const what = others.length === 0 ? first : `${first} and ${others.length} more`;
  const counts = come.length + gone.length === 0 ? "the same findings" : `${come.length} new, ${gone.length} gone`;
  const lines = [...come.map((line) => `  + ${line}`), ...gone.map((line) => `  - ${line}`)].map(printable);
  const rest = lines.length > mostListed ? [`  and ${lines.length - mostListed} more`] : [];
  return [`${clock} after a change of ${what}: ${counts}`, ...lines.slice(0, mostListed), ...rest].join("\n");
}

/** The findings that are not among the others. One that has only moved is the same. */
function withoutThese(findings: readonly string[], others: readonly string[]): readonly string[] {
  const keyOf = (line: string) => line.replace(/:\d+:\d+: /, ": ");
  const left = new Map<string, number>();
  for (const line of others) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) + 1);
  return findings.filter((line) => {
    const count = left.get(keyOf(line)) ?? 0;
    left.set(keyOf(line), count - 1);
    return count <= 0;
  });
}
