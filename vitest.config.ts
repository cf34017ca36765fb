/** The test suites. Only those of the hosts need the bundles of `dist/`, so that the core's tests start at once. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    reporters: ["default", "./test/closing-line.ts"],
    projects: [
      { test: { name: "core", include: ["test/**/*.test.ts"], exclude: ["test/{lsp,cli,editors}/**"], testTimeout: 60_000 } },
      {
        test: {
          name: "hosts",
          include: ["test/{lsp,cli}/**/*.test.ts"],
          globalSetup: ["test/build-once.ts"],
          testTimeout: 90_000,
        },
      },
      {
        test: {
          name: "editors",
          include: ["test/editors/**/*.test.ts"],
          // A browser on a busy machine may miss a key.
          retry: 2,
          globalSetup: ["test/build-once.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
