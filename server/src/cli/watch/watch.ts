/**
 * Checks again, for `--watch`, whenever a file changes that a check may have read. The service decides which files a change
 * affects. It is the only file that imports chokidar.
 */
import { type FSWatcher, watch } from "chokidar";
import { nameOfPath, pathOfName } from "../../node/node-names.ts";
import { isOfInterest } from "../../project/interest.ts";
import { isNeverSearched } from "../../settings/ignored.ts";
import { isSettingsFile } from "../../settings/settings.ts";
import type { Targets } from "../targets.ts";

/** The check to repeat when a file changes. */
export interface Watched {
  /** Never called while it runs; changes during a run cause another call. Gets the paths that have changed since the last one. */
  check(changed: ReadonlySet<string>): Promise<void>;
}

/** Milliseconds to wait, because editors write a file in several steps, and version control writes many files. */
const settledAfter = 60;

/** Watches the targets. It returns only if watching itself fails. */
export async function watchTargets(find: () => Targets, { check }: Watched): Promise<never> {
  let changed = new Set<string>();
  let wake = () => {};
  let watcher: FSWatcher | undefined;
  let start = () => {};
  // A change before the first look at a file would be none.
  const ready = new Promise<void>((resolve) => (start = resolve));
  const failed = new Promise<never>((_, reject) => {
    const note = (path: string) => {
      if (!isWatched(path)) return;
      changed.add(path);
      wake();
    };
    const roots = rootsOf(find());
    watcher = watch([...roots], {
      ignoreInitial: true,
      // A link may lead anywhere, even in a circle. If its target is in the project, it is watched in its own place.
      followSymlinks: false,
      ignorePermissionErrors: true,
      ignored: (path, stats) => stats?.isDirectory() === true && !roots.has(path) && isNeverSearched(nameOfPath(path)),
    });
    for (const event of ["add", "change", "unlink"] as const) watcher.on(event, note);
    watcher.on("error", reject);
    watcher.on("ready", () => start());
  });
  const repeat = async (): Promise<never> => {
    await ready;
    for (;;) {
      const seen = changed;
      changed = new Set();
      await check(seen);
      if (changed.size === 0) await new Promise<void>((resolve) => (wake = resolve));
      await new Promise((resolve) => setTimeout(resolve, settledAfter));
    }
  };
  try {
    return await Promise.race([failed, repeat()]);
  } finally {
    await watcher?.close();
  }
}

function isWatched(path: string): boolean {
  const name = nameOfPath(path);
  return isOfInterest(name) || isSettingsFile(name) || name.endsWith("/.gitignore");
}

/** The folders to watch. A project's headers and settings may be outside of the named paths, so the whole project is watched. */
function rootsOf({ groups }: Targets): ReadonlySet<string> {
  const names = groups.flatMap(({ project: { root, isProject }, folders }) =>
    isProject ? [root] : folders.map(({ name }) => name).concat(root),
  );
  return new Set(names.flatMap((name) => pathOfName(name) ?? []));
}
