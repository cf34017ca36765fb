/**
 * Orders the test files so that no core is idle: first those that wait for editors and servers, beside which others compute, and then
 * the slowest, so that no worker is left with one of them. The files of a project are together, because they share a worker's modules.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

const projects = ["editors", "hosts", "lint", "alone", "core"];

/** In descending order of their duration, in each project. */
const slow = [
  "editors/typing",
  "editors/suites",
  "editors/vscode-web",
  "editors/first-minute",
  "editors/colors",
  "editors/playground",
  "editors/rule-pages",

  "lsp/busy",
  "cli/watch",
  "cli/jobs",
  "cli/files",
  "cli/summaries",
  "cli/cache",
  "lsp/hostile",
  "cli/pre-commit",
  "cli/integrations",
  "cli/build-systems",

  "unit/grammar/rebuilt",
  "unit/fixtures/shard",
  "unit/invariants/bounded-work",
  "unit/lsp/half-typed-",
  "unit/lsp/typing",
  "unit/invariants/broken-source",
  "unit/invariants/standards",
  "unit/invariants/steps",
  "unit/invariants/pieces",
  "unit/invariants/incremental",
  "unit/invariants/long-bodies",
  "unit/rules/examples",
];

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = slow.findIndex((name) => moduleId.includes(`/test/${name}`));
  return projects.indexOf(project.name) * (slow.length + 1) + (rank < 0 ? slow.length : rank);
};

export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
