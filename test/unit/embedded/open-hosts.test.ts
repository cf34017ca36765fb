/** An open device file with sources in its literals is read by pieces, and has the findings and facts of a closed one. */
import { afterAll, describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const uri = "file:///host.cu";
const host = `__constant__ int table[4];
const char *program = R"(
kernel void copy(constant int *from, global int *to) { to[0] = from[0]; }
)";
__global__ void store(int *p) { p[0] = table[0]; }
void *other = compile("kernel void scale(global float *p) { p[0] *= 2; }");
__global__ void add(const int *p, int *q) { q[0] = p[0]; }
`;

const texts = new Map([[uri, host]]);
const open = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings, isOpen: () => true });
afterAll(() => open.dispose());

/** Everything that a user sees of the file. */
function shown(service: Service, text: string) {
  const report = service.check(uri);
  const parts = service
    .partFacts(uri)
    .map(({ text: own, file }) => ({ own, functions: file.readings[0]?.facts.functions.map(({ name }) => name) }));
  const hovers = [...text.matchAll(/\b(?:table|from|p|q)\b/g)].map(({ index }) => service.hover(uri, index)?.markdown);
  const found = report.diagnostics.map(({ rule, message, severity, location }) => ({ rule, message, severity, ...location }));
  return {
    found,
    parts: parts.sort((a, b) => (a.own < b.own ? -1 : 1)),
    hovers,
    notes: report.notes,
    coverage: report.coverage,
    embedded: report.embedded,
  };
}

describe("an open host file after an edit", () => {
  it.each([
    ["of nothing", "", ""],
    ["in a kernel of its own", "p[0] = table[0]", "table[0] = p[0]"],
    ["in another kernel of its own", "q[0] = p[0]", "p[0] = q[0]"],
    ["in a literal", "to[0] = from[0]", "from[0] = to[0]"],
    ["in another literal", "p[0] *= 2", "*(local float *)p = 2"],
    ["before a literal", "__constant__ int table[4];", "__constant__ int table[4];\n\n__constant__ int more;"],
    ["that breaks a literal", "global int *to)", "global int *to"],
    ["that mends it", "global int *to", "global int *to)"],
    ["that removes a literal", 'compile("kernel', 'compile(0); const char *note = ("Kernel'],
  ])("%s", (_, before, after) => {
    const text = (texts.get(uri) ?? "").replace(before, after);
    texts.set(uri, text);
    open.changed([uri]);
    const closed = createService({ files: memoryFiles(texts), parser, settingsOf: () => noSettings });
    try {
      expect(shown(open, text)).toEqual(shown(closed, text));
      expect(open.glance(uri, [])).toBeDefined();
    } finally {
      closed.dispose();
    }
  });
});
