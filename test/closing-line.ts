/**
 * A reporter whose last line is `N passed, N failed, N skipped`, for people and for continuous integration. A file that could not be
 * loaded, and an error outside of any test, count as one failure each.
 */
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed++;
        else if (state === "skipped") skipped++;
        else failed++;
      }
      for (const suite of module.children.allSuites()) failed += suite.errors().length;
    }
    if (failed > 0) process.exitCode = 1;
    process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
