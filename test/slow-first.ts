/** Starts the slowest test files first, so that no worker is left with one of them while the others are idle. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** In descending order of their duration. */
const slow = [
  "unit/lsp/half-typed-",
  "unit/fixtures/shard",
  "unit/invariants/pieces",
  "unit/repository/sound",
  "unit/invariants/bounded-work",
  "unit/rules/ledgers",
  "unit/rules/examples",
  "unit/semantics/builtins",
  "unit/lsp/typing",
  "unit/invariants/summaries",
  "unit/rules/refactorings",
  "unit/invariants/incremental",
  "unit/invariants/unknown-types",
  "unit/invariants/memory",
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
