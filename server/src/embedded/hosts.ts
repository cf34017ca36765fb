/** The files as the core reads them: with the sources that are embedded in them as further files, and the way between both. */
import type { Edit, Files, Location } from "../source.ts";
import { type EmbeddedSource, findEmbedded } from "./embedded.ts";

/** The host files of a workspace, and the sources that are embedded in them. */
export interface EmbeddedHosts {
  /** The files, and the embedded sources of those hosts that were asked about. */
  readonly files: Files;
  /** The sources in a file; none for most. */
  of(host: string): readonly EmbeddedSource[];
  /** The source around an offset of the host, also while it is typed and brackets are open; undefined outside of all. */
  around(host: string, offset: number): EmbeddedSource | undefined;
  /** A place in the author's code: of an embedded source the one in its host. */
  locate(location: Location): Location;
  /** An edit in the author's code; undefined where it cannot be made there. */
  edit(edit: Edit): Edit | undefined;
  /** The host of an embedded source; other names are their own. */
  hostOf(uri: string): string;
  /** Forgets what was found in changed files, and names those sources too: their texts may be others now. */
  forget(uris: readonly string[]): readonly string[];
}

/** Files in which device code of string literals can be read like any other file. Hosts are searched when they are first asked about. */
export function createEmbeddedHosts(files: Files): EmbeddedHosts {
  const byHost = new Map<string, readonly EmbeddedSource[]>();
  const byUri = new Map<string, EmbeddedSource>();
  /** Of hosts that somebody types in, with the sources whose brackets are open. */
  const typed = new Map<string, readonly EmbeddedSource[]>();
  const find = (host: string, isTyped: boolean): readonly EmbeddedSource[] => {
    const known = (isTyped ? typed : byHost).get(host);
    if (known !== undefined) return known;
    const text = files.read(host);
    const found = text === "absent" || text === "unread" ? [] : findEmbedded(host, text, isTyped);
    (isTyped ? typed : byHost).set(host, found);
    for (const source of found) byUri.set(source.uri, source);
    return found;
  };
  return {
    files: { read: (uri) => byUri.get(uri)?.text ?? files.read(uri), list: () => files.list() },
    of: (host) => find(host, false),
    around: (host, offset) => {
      // Directly behind the last character one is still inside.
      const isAround = (source: EmbeddedSource) => source.fromHost(offset) !== undefined || source.fromHost(offset - 1) !== undefined;
      return find(host, false).find(isAround) ?? find(host, true).find(isAround);
    },
    locate: (location) => {
      const source = byUri.get(location.uri);
      return source === undefined ? location : { uri: source.host, span: source.toHost(location.span) };
    },
    edit: (edit) => {
      const source = byUri.get(edit.location.uri);
      return source === undefined ? edit : source.editHost(edit);
    },
    hostOf: (uri) => byUri.get(uri)?.host ?? uri,
    forget: (uris) =>
      uris.flatMap((uri) => {
        const sources = [...(byHost.get(uri) ?? []), ...(typed.get(uri) ?? [])];
        byHost.delete(uri);
        typed.delete(uri);
        for (const source of sources) byUri.delete(source.uri);
        return [uri, ...sources.map((source) => source.uri)];
      }),
  };
}
