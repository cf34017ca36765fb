/** Decides when the findings of a document's first check are shown, as far as there are any before its end. */

/** Milliseconds before the first look, and between two looks as long as nothing has been found. */
const early = 40;

/**
 * Calls `show` from time to time, which returns the number of findings, or undefined to end that. Returns a function that ends it
 * too.
 */
export function showEarly(show: () => number | undefined): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const showAfter = (milliseconds: number): void => {
    timer = setTimeout(() => {
      const found = show();
      // The client draws all findings again each time, so the looks become rarer.
      if (found !== undefined) showAfter(found === 0 ? early : 2 * milliseconds);
    }, milliseconds);
  };
  showAfter(early);
  return () => clearTimeout(timer);
}
