/**
 * A file is read once for all standards that give the same answers to its questions. The findings under several standards equal the
 * joined findings under each standard alone. This is checked on every sixteenth OpenCL fixture, and on all in thorough tests.
 */
import { expect, it } from "vitest";
import { mergeDialects, plausibleReadings } from "../../../server/src/diagnostics/merge.ts";
import { runRules } from "../../../server/src/diagnostics/report.ts";
import { type Dialect, dialectsOf, isStandardConfigured, noSettings, openclDialect } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import { rules } from "../../../server/src/rules/index.ts";
import { prelude } from "../../../server/src/semantics/builtins/index.ts";
import { type Analysis, analyze } from "../../../server/src/semantics/units/analyze.ts";
import { builtinsOf } from "../../../server/src/service/builtins.ts";
import { severityOf } from "../../../server/src/service/file-result.ts";
import { createService } from "../../../server/src/service.ts";
import { withCplusplus } from "../../../server/src/settings/opencl-cplusplus.ts";
import { inOneGo } from "../../../server/src/steps.ts";
import { trackedDialect } from "../../../server/src/tracked-dialect.ts";
import { isThorough } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const uri = "file:///fixture/a.cl";
const texts = loadFixtures()
  .filter(({ language, files, flags }) => language === "opencl" && files.length === 1 && flags.length === 0)
  .map(({ name, files: [file] }) => ({ name, text: file?.text ?? "" }))
  // Whether an allowance is needed is asked of all standards together.
  .filter(({ text }) => !text.includes("gpu-qualifiers"));

interface Said {
  readonly rule: string;
  readonly message: string;
  readonly severity: string;
  readonly at: string;
}

/** The findings under each standard alone, joined. */
function saidAlone(text: string): readonly Said[] {
  const files = memoryFiles(new Map([[uri, text]]));
  const { preludes, trees } = builtinsOf(parser);
  const settings = withCplusplus(noSettings, uri, () => text);
  const readings = dialectsOf("opencl", settings, uri).map((dialect) => {
    const unit = createPreprocessor(files, preludes).unit(uri, dialect, noSettings, prelude(dialect));
    if (typeof unit === "string") throw new Error(`the text is ${unit}`);
    return { dialect, analysis: analyze({ unit, dialect, focus: uri, syntaxOf: ({ view }) => trees(view.text), parseText: trees }) };
  });
  const plausible = plausibleReadings(readings);
  const found = plausible.map(({ dialect, analysis }) => findingsOf(text, dialect, analysis));
  const dialects = plausible.map(({ dialect }) => dialect);
  return mergeDialects(dialects, found, severityOf).map((finding) => ({
    rule: finding.rule,
    message: finding.message,
    severity: finding.severity ?? severityOf(finding),
    at: `${finding.location.span.start} ${finding.location.span.end}`,
  }));
}

function findingsOf(text: string, dialect: Dialect, { facts }: Analysis) {
  const file = {
    uri,
    text,
    isStandardConfigured: isStandardConfigured(noSettings),
    readers: () => "none" as const,
    compiledFor: () => "device" as const,
    mayBeEnabledBefore: () => false,
    textOf: () => "",
  };
  return inOneGo(runRules(rules, facts, dialect, noSettings.limits, file, "all"));
}

/** The findings of a service in a file that is not open; `fixture-suite.ts` ensures that open files have the same. */
function saidTogether(text: string): readonly Said[] {
  const files = memoryFiles(new Map([[uri, text]]));
  const service = createService({ files, parser, settingsOf: () => noSettings, isOpen: () => false });
  try {
    return service.check(uri).diagnostics.map(({ rule, message, severity, location: { span } }) => ({
      rule,
      message,
      severity,
      at: `${span.start} ${span.end}`,
    }));
  } finally {
    service.dispose();
  }
}

const sorted = (said: readonly Said[]) => said.map(({ rule, message, severity, at }) => `${at} ${rule} ${severity} ${message}`).sort();

it("a file that is checked under several standards has the findings of each", () => {
  expect(texts.length).toBeGreaterThan(100);
  for (const { name, text } of texts.filter((_, index) => isThorough || index % 16 === 0)) {
    expect(sorted(saidTogether(text)), name).toEqual(sorted(saidAlone(text)));
  }
});

/** Its findings and types depend on no standard. */
const ordinary = `typedef struct { float4 place; int count; } Particle;
__constant float weights[4] = {0.1f, 0.2f, 0.3f, 0.4f};
float weighted(float value) { return value * weights[1]; }
__kernel void update(__global Particle *particles, __global const float *forces, __local float *tile, uint count) {
  const size_t i = get_global_id(0);
  if (i >= count) return;
  tile[get_local_id(0)] = forces[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  particles[i].place.x += weighted(tile[0]);
}
`;

/** The findings under one standard, and the others that answer a question of the file or of the rules in another way. */
function judgedOnce(text: string) {
  const { preludes, trees } = builtinsOf(parser);
  const files = memoryFiles(new Map([[uri, text]]));
  const first = openclDialect("CL1.2");
  const others = (["CL2.0", "CL3.0"] as const).map((standard) => openclDialect(standard));
  const tracked = trackedDialect(first);
  const unit = createPreprocessor(files, preludes).unit(uri, first, noSettings, prelude(first));
  if (typeof unit === "string") throw new Error(`the text is ${unit}`);
  const analysis = analyze({ unit, dialect: tracked.dialect, focus: uri, syntaxOf: ({ view }) => trees(view.text), parseText: trees });
  const found = findingsOf(text, tracked.dialect, analysis).map(({ rule }) => rule);
  return { found, differing: others.filter((dialect) => !tracked.agreesWith(dialect)).map(({ label }) => label) };
}

it("an ordinary file asks no question that two standards answer differently", () => {
  expect(judgedOnce(ordinary)).toEqual({ found: [], differing: [] });
});

it("neither does a finding that every standard has", () => {
  const text = "kernel void k(global int *g) { local int *p = g; }\n";
  expect(judgedOnce(text)).toEqual({ found: ["address-space-conversion"], differing: [] });
});

it("a fix that only some standards have makes a difference", () => {
  const text = "void f(int data[16]) { data[0] = 1; }\nkernel void k(global int *g) { f(g); }\n";
  expect(judgedOnce(text)).toMatchObject({ found: ["address-space-conversion"] });
  expect(judgedOnce(text).differing).not.toEqual([]);
});
