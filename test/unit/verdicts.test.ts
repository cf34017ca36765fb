/** The fixtures' markers agree with the compilers' recorded verdicts on exactly these texts. */
import { describe, expect, it } from "vitest";
import { isSourceName, parseFixture } from "../fixtures.ts";
import { loadFixtures } from "../load-fixtures.ts";
import { fileVerdicts, readVerdicts } from "../load-verdicts.ts";
import { disagreements, fromRecorded, toRecorded, type Verdicts } from "../verdicts.ts";

const record = readVerdicts();
const fixtures = loadFixtures();

describe("recorded verdicts", () => {
  for (const fixture of fixtures) {
    it(fixture.name, () => expect(disagreements(fixture, (name) => fileVerdicts(record, fixture, name))).toEqual([]));
  }

  it("belong to existing fixtures", () => {
    const names = fixtures.flatMap(({ name, files }) =>
      isSourceName(name) ? [name] : files.filter((file) => isSourceName(file.name)).map((file) => `${name}/${file.name}`),
    );
    expect(Object.keys(record.sources).sort()).toEqual([...names].sort());
  });
});

describe("the comparison of markers with verdicts", () => {
  const cast = "casting '__global int *' to type '__local int *' changes address space of pointer";
  const judge = (text: string, verdicts: Verdicts): readonly string[] =>
    disagreements(parseFixture("address-space-cast/a.cl", [{ name: "a.cl", text: `// standard: CL1.2\n${text}` }]), () => verdicts);

  it("accepts a marker if the compiler reports its line with a message of the rule", () => {
    expect(judge("int a; // expect: address-space-cast", { "CL1.2": [{ line: 2, severity: "error", message: cast }] })).toEqual([]);
  });

  it("refuses a marker that no compiler confirms, or only with a message of another rule", () => {
    expect(judge("int a; // expect: address-space-cast", { "CL1.2": [] })).toHaveLength(1);
    expect(
      judge("int a; // expect: address-space-cast", { "CL1.2": [{ line: 2, severity: "error", message: "expected ';'" }] }),
    ).toHaveLength(1);
    expect(judge("int a; // expect: address-space-cast", { "CL1.2": [{ line: 2, severity: "warning", message: cast }] })).toHaveLength(1);
  });

  it("refuses an error without a marker", () => {
    expect(judge("int a; // expect: none", { "CL1.2": [{ line: 2, severity: "error", message: cast }] })).toHaveLength(1);
  });

  it("accepts both with a reason, and refuses a reason that is not needed", () => {
    expect(judge("int a; // expect: address-space-cast // oracle: silent - it is", { "CL1.2": [] })).toEqual([]);
    expect(
      judge("int a; // expect: none // oracle: reports - it does", { "CL1.2": [{ line: 2, severity: "error", message: cast }] }),
    ).toEqual([]);
    expect(judge("int a; // expect: none // oracle: reports - it does", { "CL1.2": [] })).toHaveLength(1);
    expect(
      judge("int a; // expect: address-space-cast // oracle: silent - it is", { "CL1.2": [{ line: 2, severity: "error", message: cast }] }),
    ).toHaveLength(1);
  });

  it("reports a missing verdict for a changed text", () => {
    expect(disagreements(parseFixture("r/a.cl", [{ name: "a.cl", text: "int a; // expect: none" }]), () => undefined)).toHaveLength(1);
  });

  it("reads its own output", () => {
    const verdicts: Verdicts = {
      "CL1.2": [{ line: 2, severity: "error", message: cast }],
      "CL2.0": [{ line: 2, severity: "error", message: cast }],
      "CL3.0": [],
    };
    expect(Object.keys(toRecorded(verdicts))).toEqual(["CL1.2, CL2.0", "CL3.0"]);
    expect(fromRecorded(toRecorded(verdicts))).toEqual(verdicts);
  });
});
