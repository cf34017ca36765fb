/**
 * Finds the files that may see what other files declare: those that include them, those whose settings include them by force, and what all
 * of these include, because it may follow the declaration.
 */
import type { FileUri } from "../source.ts";
import type { Tools } from "./options.ts";

/** Every listed file that may see what one of these files declares. It costs less than to read the files. */
export function filesSeeing({ options, includers }: Tools, uris: Iterable<FileUri>): ReadonlySet<FileUri> {
  const declaring = [...uris];
  const found = new Set(includers.reaching(declaring));
  const reached = new Set([...declaring, ...found]);
  for (const uri of options.files.list())
    if (options.settingsOf(uri).forcedIncludes.some((forced) => reached.has(forced.uri))) found.add(uri);
  return includers.includedBy([...declaring, ...found]);
}
