/** Finds what an edit changed in a text. It compares both versions chunk by chunk, because it runs at every keystroke. */

/** The span of a change. Both texts are equal before `start` and after their two ends. */
export interface TextChange {
  readonly start: number;
  /** In the old text. */
  readonly oldEnd: number;
  /** In the new text. */
  readonly newEnd: number;
}

/** How many characters are compared at once. */
const chunk = 4096;

/** The last result, kept because several parts of the program ask about each keystroke. */
let last: { readonly before: string; readonly after: string; readonly change: TextChange } | undefined;

/** The smallest span that contains every difference. */
export function changeOf(before: string, after: string): TextChange {
  if (last?.before !== before || last.after !== after) last = { before, after, change: compare(before, after) };
  return last.change;
}

function compare(before: string, after: string): TextChange {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before.slice(start, start + chunk) === after.slice(start, start + chunk)) start += chunk;
  start = Math.min(start, shortest);
  while (start < shortest && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  const longest = shortest - start;
  let back = 0;
  while (back < longest && endsAlike(before, after, back)) back += chunk;
  back = Math.min(back, longest);
  while (back < longest && before.charCodeAt(before.length - 1 - back) === after.charCodeAt(after.length - 1 - back)) back += 1;
  return { start, oldEnd: before.length - back, newEnd: after.length - back };
}

function endsAlike(before: string, after: string, back: number): boolean {
  const [oldEnd, newEnd] = [before.length - back, after.length - back];
  return before.slice(Math.max(0, oldEnd - chunk), oldEnd) === after.slice(Math.max(0, newEnd - chunk), newEnd);
}

/** Whether an edit changed a line that may be a directive, or may continue one. */
export function touchesDirective(before: string, after: string): boolean {
  const { start, oldEnd, newEnd } = changeOf(before, after);
  return mayHoldDirective(before, start, oldEnd) || mayHoldDirective(after, start, newEnd);
}

function mayHoldDirective(text: string, start: number, end: number): boolean {
  let first = text.lastIndexOf("\n", start - 1);
  // A line that ends with a backslash continues on the next line.
  while (first > 0 && /\\[ \t\r]*$/.test(text.slice(Math.max(0, first - 8), first))) first = text.lastIndexOf("\n", first - 1);
  const last = text.indexOf("\n", end);
  // `%:` and `??=` are other spellings of `#` (C11 §6.4.6p3, §5.2.1.1).
  return /#|%:|\?\?=/.test(text.slice(first + 1, last < 0 ? text.length : last));
}
