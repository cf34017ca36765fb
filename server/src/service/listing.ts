/**
 * Finds which files were created or deleted. A file that was listed before and is listed now has only changed, which affects the
 * files that have read it. If a file appears or disappears, any `#include` of its name may refer to another file.
 */
import type { Files } from "../source.ts";

/** The files that a host listed. */
export interface Listing {
  /** Makes the current list the one that later lists are compared with. */
  remember(): void;
  /** The files among these that were or may have been created or deleted. A file that was never listed may be new. */
  moved(uris: readonly string[]): readonly string[];
}

/** Creates a listing that remembers the current list. */
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
