/** Finds the files that may see what other files declare: those that include them, and those whose settings include them by force. */
import type { FileUri } from "../source.ts";
import type { Tools } from "./options.ts";

/** Every listed file that may include one of these files, directly or through others. It costs less than to read the files. */
export function filesReaching({ options, includers }: Tools, uris: Iterable<FileUri>): ReadonlySet<FileUri> {
  const declaring = [...uris];
  const found = new Set(includers.reaching(declaring));
  const reached = new Set([...declaring, ...found]);
  for (const uri of options.files.list())
    if (options.settingsOf(uri).forcedIncludes.some((forced) => reached.has(forced.uri))) found.add(uri);
  return found;
}
