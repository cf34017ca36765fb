/** The files as the core reads them, in which the embedded sources are files too, and the mapping between a source and its host. */
import { hostOf } from "../names.ts";
import type { Edit, Files, Location } from "../source.ts";
import { type EmbeddedSource, findEmbedded } from "./embedded.ts";

/** The host files of a workspace, and the sources embedded in them. */
export interface EmbeddedHosts {
  /** The workspace's files, and the embedded sources of the hosts that were searched. */
  readonly files: Files;
  /** The sources in a file; most files have none. */
  of(host: string): readonly EmbeddedSource[];
  /** The sources beyond `mostSources` in a file, and where they begin; undefined if there are none. */
  leftOut(host: string): { readonly count: number; readonly offset: number } | undefined;
  /**
   * The source around an offset of the host, even while it is being typed and its brackets are open; undefined outside of all
   * sources.
   */
  around(host: string, offset: number): EmbeddedSource | undefined;
  /** Maps a place in an embedded source to its host. Other places stay. */
  locate(location: Location): Location;
  /** Maps an edit in an embedded source to its host; undefined if it cannot be made there. */
  edit(edit: Edit): Edit | undefined;
  /** Forgets the sources found in changed files. Returns these files, and the sources whose texts have changed. */
  forget(uris: readonly string[]): readonly string[];
}

/** Creates files in which embedded device code can be read like any other file. A host is searched on the first request. */
export function createEmbeddedHosts(files: Files): EmbeddedHosts {
  const byHost = new Map<string, readonly EmbeddedSource[]>();
  const leftOut = new Map<string, { readonly count: number; readonly offset: number }>();
  const byUri = new Map<string, EmbeddedSource>();
  /** Hosts that are being edited, with the sources whose brackets are open. */
  const typed = new Map<string, readonly EmbeddedSource[]>();
  const leaveOut = (host: string) => (offset: number) => {
    const known = leftOut.get(host);
    leftOut.set(host, { count: (known?.count ?? 0) + 1, offset: known?.offset ?? offset });
  };
  const find = (host: string, isTyped: boolean): readonly EmbeddedSource[] => {
    const known = (isTyped ? typed : byHost).get(host);
    if (known !== undefined) return known;
    const text = files.read(host);
    const found = text === "absent" || text === "unread" ? [] : findEmbedded(host, text, isTyped, isTyped ? undefined : leaveOut(host));
    (isTyped ? typed : byHost).set(host, found);
    for (const source of found) byUri.set(source.uri, source);
    return found;
  };
  return {
    files: {
      read: (uri) => {
        // A source may be named before its host was searched.
        if (!byUri.has(uri) && hostOf(uri) !== uri) find(hostOf(uri), false);
        return byUri.get(uri)?.text ?? files.read(uri);
      },
      list: () => files.list(),
      scripts: () => files.scripts?.() ?? [],
    },
    of: (host) => find(host, false),
    leftOut: (host) => leftOut.get(host),
    around: (host, offset) => {
      // An offset directly after the last character counts as inside.
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
    forget: (uris) =>
      uris.flatMap((uri) => {
        const before = byHost.get(uri) ?? [];
        const open = typed.get(uri) ?? [];
        byHost.delete(uri);
        leftOut.delete(uri);
        typed.delete(uri);
        for (const source of [...before, ...open]) byUri.delete(source.uri);
        const now = before.length === 0 ? [] : find(uri, false);
        const texts = new Map(now.map((source) => [source.uri, source.text]));
        return [uri, ...[...before, ...open].filter((source) => texts.get(source.uri) !== source.text).map((source) => source.uri)];
      }),
  };
}
