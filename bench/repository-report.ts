/** Keeps and presents the figures of whole repositories. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./report.ts";

/** The time and memory that one check took. */
export interface Effort {
  readonly seconds: number;
  /** Seconds of processor time of all threads. */
  readonly processor: number;
  /** The greatest resident size of the process. */
  readonly megabytes: number;
}

/** The checks of one repository, without and with the results of the first in the cache. */
export interface RepositoryResult {
  readonly name: string;
  /** The commit that was checked; empty for generated files. */
  readonly commit: string;
  readonly files: number;
  readonly lines: number;
  readonly cold: Effort;
  readonly warm: Effort;
  /** True if both checks printed the same. */
  readonly areEqual: boolean;
  /** How many cores were busy with other work at the start; empty if it was not recorded. */
  readonly load: string;
}

/** The file of the saved figures. */
export const repositoriesFile = join(import.meta.dirname, "repositories.json");

/** The saved figures of repositories, and the machine of the latest. */
export interface StoredRepositories {
  readonly machine: Machine;
  readonly results: readonly RepositoryResult[];
}

/** The saved figures; undefined if there are none. */
export function savedRepositories(): StoredRepositories | undefined {
  return existsSync(repositoriesFile) ? (JSON.parse(readFileSync(repositoriesFile, "utf8")) as StoredRepositories) : undefined;
}

/** True if the machine was otherwise idle, so that elapsed times are meaningful. */
function isIdle(load: string): boolean {
  return load !== "" && Number(load) <= mostBusy;
}

/** The greatest number of busy cores on an idle machine. */
const mostBusy = 0.2;

/** A row for each repository. */
export function repositoryTable(results: readonly RepositoryResult[]): string {
  const effort = ({ seconds, processor, megabytes }: Effort, load: string) =>
    ` ${isIdle(load) ? `${seconds.toFixed(1)} s` : ""} | ${processor.toFixed(1)} s | ${megabytes.toLocaleString("en")} MB |`;
  return [
    "| repository | commit | files | lines | first check | processor | memory | from the cache | processor | memory | same findings | load |",
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|",
    ...results.map(
      ({ name, commit, files, lines, cold, warm, areEqual, load }) =>
        `| ${name} | ${commit} | ${files.toLocaleString("en")} | ${lines.toLocaleString("en")} |${effort(cold, load)}${effort(warm, load)} ${areEqual ? "yes" : "no"} | ${load} |`,
    ),
  ].join("\n");
}
