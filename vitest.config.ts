/** The test suites. Only those of the hosts need the bundles of `dist/`, so that the core's tests start at once. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { lateOptimization } from "./server/src/node/v8-flags.ts";
import { compiledCore } from "./test/compiled-core.ts";
import { randomEnvironment, randomTests } from "./test/random-tests.ts";
import { WaitingFirst } from "./test/waiting-first.ts";

/** One looks at the parser's memory, which must be new then; the other replaces a module that all share. */
const alone = ["dropped-units", "memory", "spent-budget"].map((name) => `test/unit/invariants/${name}.test.ts`);

/** Linters and type checkers read all of the repository, in processes of their own. */
const lint = ["test/unit/repository/sound.test.ts"];

/**
 * Ends tests of the core that hang. None fails because the machine is busy: what takes too long is found by counting its steps, or by
 * comparing its time with that for a smaller input (`test/growth.ts`).
 */
const milliseconds = 20 * 60_000;

/** True for `vitest --project core`, whose tests do not wait. */
const isCoreAlone = /--project[ =]core(?! .*--project)/.test(process.argv.join(" "));

/**
 * How V8 runs the core's tests. They call much code a few times each, so a function is compiled for speed only after many more calls; a
 * fourth of their time went into that compiler. They drop most objects soon, so there is more room for new ones. Each core has a worker
 * of its own already, so garbage is collected in its thread.
 */
const forShortWork = [lateOptimization(11), "--min-semi-space-size=64", "--max-semi-space-size=64", "--single-threaded-gc"];

export default defineConfig(({ mode }) => {
  Object.assign(process.env, randomEnvironment(mode, process.env.SEED));
  const random = mode === "random" ? randomTests() : undefined;
  return {
    test: {
      reporters: ["default", "./test/closing-line.ts"],
      // One more than there are cores, because some tests wait for a browser or a server. Each worker loads and compiles the core again.
      maxWorkers: availableParallelism() + (isCoreAlone ? 0 : 1),
      // A second run finds the files as they were transformed for the first.
      experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest-modules" },
      sequence: { sequencer: WaitingFirst },
      projects: [
        {
          plugins: [compiledCore()],
          test: {
            name: "core",
            include: random ?? ["test/**/*.test.ts"],
            exclude: ["test/{lsp,cli,editors}/**", ...alone, ...lint],
            // Files share the modules of their worker, and with those one parser and what is known of the languages.
            isolate: false,
            execArgv: forShortWork,
            testTimeout: milliseconds,
            hookTimeout: milliseconds,
          },
        },
        { test: { name: "lint", include: lint, testTimeout: milliseconds } },
        { test: { name: "alone", include: alone, testTimeout: milliseconds, hookTimeout: milliseconds } },
        {
          test: {
            name: "hosts",
            include: random?.filter((path) => /^test\/(lsp|cli)\//.test(path)) ?? ["test/{lsp,cli}/**/*.test.ts"],
            globalSetup: ["test/build-once.ts"],
            setupFiles: ["test/cli/clean-up.ts"],
            isolate: false,
            testTimeout: 300_000,
            // Packing, and deleting what package managers leave, takes a busy machine a while.
            hookTimeout: 120_000,
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
          },
        },
      ],
    },
  };
});
