/**
 * The closed files that open documents include, for clients that receive diagnostics and never ask for them: a mistake in a header
 * is a mistake in the source that the user looks at. A file shows its findings as long as a document that includes it is open. Hints
 * wait until the file itself is open.
 */
import { isWithin } from "../../names.ts";
import { withinReach } from "../../project/reached.ts";
import { textOf } from "../../source.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { Publisher } from "./publisher.ts";

/** The dependencies of the included files. */
export interface IncludedOptions {
  readonly publisher: Publisher;
  isOpen(name: string): boolean;
  /** True if the findings of all files are shown anyway. */
  isEverythingShown(): boolean;
}

/** The findings in files that open documents include. */
export interface Included {
  /**
   * Checks the closed files of the project that a checked document includes, and shows their findings. After the first time it waits
   * until typing pauses.
   */
  show(name: string, dependencies: readonly string[], project: OpenProject, isOvertaken: () => boolean): Promise<void>;
  /** Withdraws the findings in files that no open document includes any more, after a document was closed. */
  forget(name: string): void;
  /** The open documents that include a file. */
  includersOf(name: string): readonly string[];
}

/** How long typing must pause before the included files are checked again, in milliseconds. */
const pause = 800;

/** Creates the state of one session, in which no document is open. */
export function createIncluded({ publisher, isOpen, isEverythingShown }: IncludedOptions): Included {
  /** The files that each open document includes, and those among them whose findings are shown. */
  const byDocument = new Map<string, ReadonlySet<string>>();
  const shownFiles = new Set<string>();
  const includersOf = (name: string) => [...byDocument].filter(([, files]) => files.has(name)).map(([document]) => document);
  const withdrawUnused = () => {
    for (const name of shownFiles) {
      if (includersOf(name).length > 0) continue;
      shownFiles.delete(name);
      if (isOpen(name) || isEverythingShown()) continue;
      publisher.publish(name, []);
      publisher.unpublish(name);
    }
  };
  return {
    async show(name, dependencies, { project, files, check }, isOvertaken) {
      const isGone = () => isOvertaken() || !isOpen(name);
      if (byDocument.has(name)) await new Promise((resolve) => setTimeout(resolve, pause));
      if (isGone()) return;
      const own = dependencies.filter((each) => each !== name && isWithin(each, project.root) && !project.settings.isExcluded(each));
      const reached = withinReach(own, (each) => textOf(files, each).length);
      byDocument.set(name, new Set(reached));
      withdrawUnused();
      for (const each of reached) {
        if (isOpen(each)) continue;
        const state = await check(each, "later");
        if (isGone()) return;
        // It may have been opened meanwhile, which shows everything.
        if (isOpen(each)) continue;
        const loud = state.diagnostics.filter(({ severity }) => severity !== "hint");
        if (loud.length === 0 && !shownFiles.has(each)) continue;
        shownFiles.add(each);
        publisher.publish(each, publisher.of(each, isEverythingShown() ? state : { ...state, diagnostics: loud }));
      }
    },
    forget(name) {
      byDocument.delete(name);
      shownFiles.delete(name);
      withdrawUnused();
    },
    includersOf,
  };
}
