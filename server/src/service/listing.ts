/**
 * Which files came or went. A file that was listed before and is listed now has only changed, which matters to those that
 * have read it; where another appears or disappears, any `#include` of that name may mean another file.
 */
import type { Files } from "../source.ts";

/** The files that a host listed. */
export interface Listing {
  /** What is listed now is what came and went is told from. */
  remember(): void;
  /** Those of the files that came or went, or may have: what was never listed is not known to have been there. */
  moved(uris: readonly string[]): readonly string[];
}

/** Remembers the present list. */
export function createListing(files: Files): Listing {
  let last: { readonly list: readonly string[]; readonly names: ReadonlySet<string> } | undefined;
  const present = () => {
    const list = files.list();
    return last?.list === list ? last : { list, names: new Set(list) };
  };
  return {
    remember: () => {
      last ??= present();
    },
    moved: (uris) => {
      const before = last;
      last = present();
      const now = last;
      return uris.filter((uri) => before === undefined || !before.names.has(uri) || !now.names.has(uri));
    },
  };
}
