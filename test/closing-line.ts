/**
 * A reporter for people and for continuous integration. Its last line is `N passed, N failed, N skipped`. The lines before it say why
 * tests were skipped, and which seed the random ones had, which the first line says too, because a run may not reach its end. A file that could not be loaded, and an error outside of any test, count as
 * one failure each.
 */
import type { Reporter, TestModule } from "vitest/node";
import { reasonIn } from "./skips.ts";

export default class ClosingLine implements Reporter {
  onTestRunStart(): void {
    saySeed();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const reasons = new Map<string, number>();
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const result = test.result();
        if (result.state === "passed") passed++;
        else if (result.state === "skipped") {
          skipped++;
          const reason = result.note ?? reasonIn(test.fullName) ?? "they are left out by name, or say no reason";
          reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
        } else failed++;
      }
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
    }
    if (failed > 0) process.exitCode = 1;
    for (const [reason, count] of reasons) process.stdout.write(`${count} skipped: ${reason}\n`);
    saySeed();
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}

function saySeed(): void {
  if (process.env.SEED !== undefined) process.stdout.write(`random cases: SEED=${process.env.SEED}\n`);
}
