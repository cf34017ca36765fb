/** Starts the slowest test files first, so that no worker still runs one of them while the others are idle. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In descending order of their duration. */
const slow = [
  "unit/grammar/rebuilt",
  "unit/invariants/bounded-work",
  "unit/repository/sound",
  "unit/lsp/half-typed-",
  "unit/fixtures/shard",
  "unit/invariants/broken-source",

  "unit/invariants/standards",
  "unit/invariants/steps",
  "unit/lsp/typing",
  "unit/invariants/unknown-types",
  "unit/invariants/long-bodies",
  "unit/rules/examples",
  "unit/invariants/incremental",
  "unit/invariants/pieces",
  "unit/invariants/memory",

  "cli/build-systems",
  "lsp/busy",
  "cli/watch",
  "cli/jobs",
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = slow.findIndex((name) => moduleId.includes(`/test/${name}`));
  return rank < 0 ? slow.length : rank;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
