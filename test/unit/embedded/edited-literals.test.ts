/** An edit of a host repeats the work on those sources in its literals that it affects, and no other. */
import { describe, expect, it } from "vitest";
import { openProject, type Project } from "../../../server/src/project/project.ts";
import type { SyntaxParser } from "../../../server/src/syntax/parser.ts";
import { memoryFiles, testParser } from "../../service.ts";

const parser = await testParser();
const host = "file:///w/host.cpp";
const header = "file:///w/shared.h";
const source = `#include <string>
std::string options = "-cl-std=CL1.2 -DSPACE=global";
const char *first = R"(
#include "shared.h"
kernel void first(global float *p, real x) { SPACE float *q = p; q[OFFSET] = x; }
)";
const char *second = R"(
kernel void second(constant int *from, global int *to) { to[0] = from[0]; }
)";
const char *third = R"(
kernel void third(global int *to) { local int x; to[0] = (local int *)to == &x; }
)";
void build(cl_program program) { clBuildProgram(program, 0, 0, options.c_str(), 0, 0); }
`;

/** The parser, which notes the texts that it parses. */
function watched(): { readonly parser: SyntaxParser; parsed(): number } {
  const texts: string[] = [];
  const noted = (text: string): string => {
    if (/\bvoid (?:zero|first|second|third)\b/.test(text)) texts.push(text);
    return text;
  };
  return {
    parser: {
      ...parser,
      parse: (text, previous) => parser.parse(noted(text), previous),
      parseInSteps: (text, previous) => parser.parseInSteps(noted(text), previous),
    },
    parsed: () => texts.splice(0).length,
  };
}

function opened(texts: ReadonlyMap<string, string>, using: SyntaxParser): Project {
  return openProject({ root: "file:///w", files: memoryFiles(texts), parser: using, isOpen: (uri) => uri === host });
}

/** Everything that a user sees of the host. */
function shown(project: Project) {
  const service = project.service();
  const { diagnostics, notes, understanding, coverage, embedded, dependencies } = service.check(host);
  const functions = service.partFacts(host).map(({ file }) => file.readings.map(({ facts }) => facts.functions.map(({ name }) => name)));
  return { diagnostics, notes, understanding, coverage, embedded, dependencies: [...dependencies].sort(), functions };
}

interface EditOfText {
  readonly uri?: string;
  readonly before: string;
  readonly after: string;
  /** How many of the three sources are parsed again. */
  readonly parsed: number;
}

const edits: readonly (readonly [string, EditOfText])[] = [
  ["of nothing", { before: "", after: "", parsed: 0 }],
  ["before all sources", { before: "#include <string>", after: "#include <string>\n\nint more;", parsed: 0 }],
  ["between two sources", { before: ')";\nconst char *third', after: ')";\n// More.\nconst char *third', parsed: 0 }],
  ["in a source", { before: "to[0] = from[0]", after: "from[0] = to[0]", parsed: 1 }],
  ["in an included header", { uri: header, before: "float", after: "const float", parsed: 0 }],
  ["of a macro in an included header", { uri: header, before: "OFFSET 0", after: "OFFSET 1", parsed: 1 }],
  ["that breaks a source", { before: "*to) { from", after: "*to { from", parsed: 0 }],
  ["that mends it", { before: "*to { from", after: "*to) { from", parsed: 0 }],
  ["of a macro in the options", { before: "-DSPACE=global", after: "-DSPACE=local", parsed: 3 }],
  ["of the standard in the options", { before: "-cl-std=CL1.2", after: "-cl-std=CL2.0", parsed: 3 }],
  [
    "that adds a source in front",
    { before: "const char *first", after: 'const char *zero = "kernel void zero(global int *p) { p[0]++; }";\n&', parsed: 4 },
  ],
  ["that removes the last source", { before: "kernel void third", after: "void third", parsed: 0 }],
];

describe("an edit of a host with sources in its literals", () => {
  const texts = new Map([
    [host, source],
    [header, "typedef float real;\n#define OFFSET 0\n"],
  ]);
  const { parser: watching, parsed } = watched();
  const project = opened(texts, watching);
  shown(project);
  it.each(edits)("%s", (_, { uri = host, before, after, parsed: count }) => {
    const text = texts.get(uri) ?? "";
    expect(text).toContain(before);
    texts.set(uri, text.replace(before, after.replace("&", before)));
    parsed();
    project.changed([uri]);
    const seen = shown(project);
    expect(parsed()).toBe(count);
    expect(seen).toEqual(shown(opened(texts, parser)));
  });
});
