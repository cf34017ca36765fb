/**
 * Brings diagnostics up to date after a change of an open document: first its own, then those of the other open documents, then those
 * of closed files that it includes. `scheduler.ts` decides when.
 */
import type { Connection } from "vscode-languageserver";
import type { OpenProject } from "../projects/open-project.ts";
import type { Workspace } from "../projects/workspace.ts";
import type { ClientFeatures } from "../protocol/client-features.ts";
import { showEarly } from "./early.ts";
import type { Included } from "./included.ts";
import type { Publisher } from "./publisher.ts";
import { statusNotification, statusOf } from "./status.ts";

/** The dependencies of a refresh. */
export interface RefreshOptions {
  readonly connection: Connection;
  /** Resolves when documents may be checked. */
  ready(): Promise<void>;
  readonly features: ClientFeatures;
  /** True if the client shows the status of each document. */
  readonly hasStatus: boolean;
  readonly workspace: Workspace;
  isOpen(name: string): boolean;
  uriOf(name: string): string;
  readonly publisher: Publisher;
  readonly included: Included;
  /** True if the findings of all files are shown, whether they are open or not. */
  isEverythingShown(): boolean;
  /** Called when the document has been checked. */
  checked(): void;
  log(name: string, error: unknown): void;
}

/** Creates the work for one document. It ends early when `isOvertaken` says that a newer one has begun. */
export function createRefresh({
  connection,
  ready,
  features,
  hasStatus,
  workspace,
  isOpen,
  uriOf,
  publisher,
  included,
  isEverythingShown,
  checked,
  log,
}: RefreshOptions): (name: string, isOvertaken: () => boolean) => Promise<void> {
  /** Shows what the first check of a document has found so far. Returns how many findings that are, or undefined when it is over. */
  const showSoFar = (name: string, { foundSoFar }: OpenProject, isOvertaken: () => boolean): number | undefined => {
    if (isOvertaken() || !isOpen(name)) return undefined;
    try {
      const found = foundSoFar(name);
      publisher.publishEarly(name, found);
      return found.length;
    } catch (error) {
      log(name, error);
      return undefined;
    }
  };
  return async (name, isOvertaken) => {
    try {
      await ready();
      if (isOvertaken() || !isOpen(name)) return;
      const opened = workspace.projectOf(name);
      const glance = opened.isKnown(name) ? undefined : opened.glance(name);
      if (glance !== undefined && !features.pull) publisher.publish(name, publisher.of(name, glance));
      const isFirst = glance === undefined && !features.pull && !publisher.published().includes(name);
      const stopShowing = isFirst ? showEarly(() => showSoFar(name, opened, isOvertaken)) : () => undefined;
      // A glance has already shown the findings, so the complete check is not urgent.
      const state = await opened.check(name, glance === undefined ? "now" : "later").finally(stopShowing);
      if (isOvertaken()) return;
      publisher.publishSettingsProblems();
      if (hasStatus)
        void connection.sendNotification(statusNotification, statusOf(uriOf(name), state.report, opened.project.settings.of(name).origin));
      checked();
      if (features.pull || !isOpen(name)) return;
      publisher.publish(name, publisher.of(name, state));
      // The link above may have used what the others declared before the change, so this document comes once more after them.
      for (const other of [...publisher.published().filter((each) => each !== name), name]) {
        if (!isOpen(other) && !isEverythingShown()) continue;
        const found = await workspace.projectOf(other).check(other, "now");
        // A newer refresh replaced this one; it updates the others too.
        if (isOvertaken()) return;
        if (!publisher.isUpToDate(other, found)) publisher.publish(other, publisher.of(other, found));
      }
      await opened.prepareGlance(name);
      await included.show(name, state.report.dependencies, opened, isOvertaken);
    } catch (error) {
      log(name, error);
    }
  };
}
