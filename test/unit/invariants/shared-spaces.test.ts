/**
 * A check for a report alone (`checkInBatch`) keeps address spaces open that the code does not write, and reads a file once for standards that
 * agree about their effects. It says the same as a check that reads the file for each of them: on every fourth fixture about conversions
 * between address spaces and every thirty-second other one of OpenCL, or on all in thorough tests.
 */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { isThorough } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const fixtures = loadFixtures().filter(({ language }) => language === "opencl");

it("a check for a report alone says the same as any other", () => {
  expect(fixtures.length).toBeGreaterThan(100);
  const isTried = (name: string, index: number) => isThorough || index % (name.startsWith("address-space-conversion/") ? 4 : 32) === 1;
  for (const { name, files } of fixtures.filter((fixture, index) => isTried(fixture.name, index))) {
    const texts = new Map(files.map((file) => [`file:///fixture/${file.name}`, file.text]));
    const open = () => createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => false });
    const [one, other] = [open(), open()];
    for (const uri of texts.keys()) {
      const check = one.checkInBatch(uri);
      expect(check.report, `${name}: ${uri}`).toEqual(other.check(uri));
      one.addCheck(check);
    }
    expect([...one.link(true)], name).toEqual([...other.link(true)]);
    one.dispose();
    other.dispose();
  }
});
