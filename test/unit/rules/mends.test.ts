/**
 * A fix removes its error: for every fix of an error in an OpenCL fixture, clang has confirmed that the error is gone and that
 * there is no new one. Where clang is installed, a sample is tested again.
 */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { judgeMends } from "../../../scripts/oracle/mends.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { type Mend, mendsOf, readMends } from "../../mends.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();
const recorded = readMends();
const mends: readonly Mend[] = loadFixtures().flatMap((fixture) => mendsOf(parser, fixture));
const hasClang = spawnSync(process.env.CLANG ?? "clang-22", ["--version"]).status === 0;
/** One in this many is tested again. */
const every = 29;

describe("fixes of OpenCL fixtures", () => {
  it("are many", () => expect(mends.length).toBeGreaterThan(500));

  it("were confirmed by the compiler (npm run oracle)", () =>
    expect(mends.filter(({ hash }) => !recorded.has(hash)).map(({ name }) => name)).toEqual([]));

  it.skipIf(!hasClang)("are confirmed by clang", { timeout: 60_000 }, async () => {
    const judged = await judgeMends(mends.filter((_, index) => index % every === 0));
    expect(judged.filter(({ problem }) => problem !== undefined).map(({ name, problem }) => `${name}: ${problem}`)).toEqual([]);
  });
});
