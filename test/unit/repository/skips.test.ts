/** A test that is skipped says why: the closing lines of a run repeat its reason. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reasonIn, unless } from "../../skips.ts";

const folder = join(import.meta.dirname, "../..");

it("every test that may be skipped has a reason in its title", () => {
  const silent = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith("skips.test.ts"))
    .flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split(/\.(?=(?:skipIf|runIf)\()/)
        .slice(1)
        .filter((rest) => !/^.{0,2000}?(?:unless\(|\$\{(?:without|whySkipped)|\(skipped: )/s.test(rest.split(/=> \{\n/)[0] ?? ""))
        .map((rest) => `${name}: ${rest.slice(0, 60)}`),
    );
  expect(silent).toEqual([]);
});

it("a reason is found in the full name of a test", () => {
  const title = `Emacs${unless(false, "it is not installed")}`;
  expect([reasonIn(title), reasonIn(`${title} > starts`), reasonIn(`Emacs${unless(true, "")} > starts`)]).toEqual([
    "it is not installed",
    "it is not installed",
    undefined,
  ]);
});
