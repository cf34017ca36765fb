/** Services with the same parser share the builtin declarations, but nothing that depends on a file or its settings. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import type { SyntaxParser } from "../../../server/src/syntax/parser.ts";
import { memoryFiles, testParser } from "../../service.ts";

const whole = await testParser();

/** A parser that records which texts it parses. */
function watched(): { readonly parser: SyntaxParser; readonly parsed: string[] } {
  const parsed: string[] = [];
  const parser: SyntaxParser = {
    parse: (text, previous) => {
      parsed.push(text);
      return whole.parse(text, previous);
    },
    parseInSteps: (text, previous) => {
      parsed.push(text);
      return whole.parseInSteps(text, previous);
    },
    parsePart: (text, span) => {
      parsed.push(text.slice(span.start, span.end));
      return whole.parsePart(text, span);
    },
    parseDeclarations: (text) => {
      parsed.push(text);
      return whole.parseDeclarations(text);
    },
  };
  return { parser, parsed };
}

function found(
  parser: SyntaxParser,
  uri: string,
  text: string,
  macros: readonly { name: string; value: string }[] = [],
): readonly string[] {
  const service = createService({
    files: memoryFiles(new Map([[uri, text]])),
    parser,
    settingsOf: () => ({ ...noSettings, openclStandard: "CL2.0", macros }),
  });
  const rules = service.check(uri).diagnostics.map(({ rule }) => rule);
  service.dispose();
  return rules;
}

it.each([
  ["file:///a.cl", "__kernel void k(__global float *p) { p[0] = max(p[1], 1.0f); }\n"],
  ["file:///a.cu", "__global__ void k(float *p) { p[0] = fmaxf(p[1], float4().x); }\n"],
])("the second service of a parser parses nothing but the text of %s", (uri, text) => {
  const { parser, parsed } = watched();
  found(parser, uri, text);
  const first = parsed.length;
  found(parser, uri, text);
  expect(first).toBeGreaterThan(2);
  expect(parsed.slice(first)).toEqual([text]);
});

it("macros in the settings or files of one service do not affect another", () => {
  const { parser } = watched();
  const text = "kernel void k(global int *p) { SPACE int *q = p; }\n";
  const macros = [
    { name: "SPACE", value: "local" },
    { name: "CLK_LOCAL_MEM_FENCE", value: "7" },
  ];
  expect(found(parser, "file:///a.cl", text, macros)).toEqual(["address-space-conversion"]);
  expect(found(parser, "file:///b.cl", `#define SPACE constant\n${text}`)).toEqual(["address-space-conversion"]);
  expect(found(parser, "file:///c.cl", text, [{ name: "SPACE", value: "global" }])).toEqual([]);
  expect(found(parser, "file:///d.cl", `#define int float\n${text}`, [{ name: "SPACE", value: "global" }])).toEqual([]);
  expect(found(parser, "file:///a.cl", text, macros)).toEqual(["address-space-conversion"]);
});
