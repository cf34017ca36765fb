/**
 * Decides whether a name fits a query that the user types to find it: it contains the query's characters in order, in either case.
 * The time is linear in the lengths of name and query, whatever the query contains.
 */

/** A query for names. */
export interface NameSearch {
  fits(name: string): boolean;
  /** True if some word of the text fits. */
  fitsWordOf(text: string): boolean;
}

/** Prepares a query. White space in it does not count, and an empty query fits every name. */
export function nameSearch(query: string): NameSearch {
  const typed = query.replace(/\s+/g, "");
  const wanted = Array.from({ length: typed.length }, (_, at) => lowerCase(typed.charCodeAt(at)));
  /** How many characters of the query are found after this one, if `count` were found before it. */
  const advanced = (count: number, code: number): number => (wanted[count] === lowerCase(code) ? count + 1 : count);
  return {
    fits(name) {
      let count = 0;
      for (let at = 0; at < name.length && count < wanted.length; at++) count = advanced(count, name.charCodeAt(at));
      return count === wanted.length;
    },
    fitsWordOf(text) {
      let count = 0;
      for (let at = 0; at < text.length && count < wanted.length; at++) {
        const code = text.charCodeAt(at);
        count = isInWord(code) ? advanced(count, code) : 0;
      }
      return count === wanted.length;
    },
  };
}

/** Letters outside of ASCII are compared as they are. */
function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

function isInWord(code: number): boolean {
  const lower = lowerCase(code);
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x24 || code >= 0x80;
}
