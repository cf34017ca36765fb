/** Says why tests are skipped. The closing lines of a run repeat the reasons (`closing-line.ts`). */

/** The end of the title of tests that are skipped without the condition: the reason, or nothing where it holds. */
export function unless(condition: boolean, reason: string): string {
  return condition ? "" : ` (skipped: ${reason})`;
}

/** The reason in a title; undefined if it has none. */
export function reasonIn(title: string): string | undefined {
  return /\(skipped: (.*?)\)(?: >|$)/.exec(title)?.[1];
}
