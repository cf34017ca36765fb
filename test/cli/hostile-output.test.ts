/** Whatever files and their names contain, the output is valid plain text that controls neither a terminal nor a build system. */
import { join } from "node:path";
import type { Log } from "sarif";
import { describe, expect, it } from "vitest";
import { runHere } from "./in-process.ts";
import { folderWith, run } from "./run.ts";

const bad = "__global__ void k(__grid_constant__ int v, float *out) { out[0] = v; }\n";
const names = [
  "a\u001b[31mRED\u001b]0;title\u0007.cu",
  "b\n::error file=x::injected.cu",
  "::error file=x::first.cu",
  " ::warning::second.cu",
  "c\r::error::third.cu",
  "\u202eevil\u2066.cu",
  "##[error]runner.cu",
  "##vso[task.setvariable]agent.cu",
  "\u009b31m\u2028.cu",
  "%0A::error::x.cu",
];
const files = {
  ...Object.fromEntries(names.map((name) => [name, bad])),
  "source.cu":
    '#include "x\u001b[2Jy.h"\n#define E\u202eM __grid_constant__\n__global__ void k(__grid_constant__ int v /*\u202e\u2066\u001b[31m ##[group]x*/) {}\n',
  "source.cl": "kernel void k(global int *g) { /*\u202e ##[x]\u0007*/ local int *l = /*\u2066\u200b*/ (local int *)g; }\n",
  "gpu-qualifiers.json":
    '{"macros": {"A\\u001b[31mB": [], "C\\n::error::x": "\\u202e"}, "rules": {"a\\n::error file=x::pwn": "off", "\\u202ex": "off"}, "\u0007": 1}',
  ".clangd": "If: {PathMatch: '(\\u202e'}\nCompileFlags: {Add: ['-cl-std=\u001b[31m']}\n",
};

const formats = ["text", "pretty", "json", "sarif", "github", "gitlab", "junit", "rdjson", "checkstyle", "azure", "teamcity"];
/** The commands that a format consists of, one on each line. */
const commandsOf: Readonly<Record<string, RegExp>> = {
  azure: /^##vso\[task\.logissue type=(?:error|warning);sourcepath=[^;\]]*;linenumber=\d+;columnnumber=\d+;code=[\w-]+\]/,
  teamcity: /^##teamcity\[inspection(?:Type)? (?:\w+='(?:[^|'[\]]|\|.)*' ?)+\]$/,
};

describe("output about hostile files", () => {
  it.each(formats)("is plain text in the format %s", async (format) => {
    const folder = folderWith(files);
    for (const paths of [["."], names.map((name) => name)]) {
      const { code, out, error } = await runHere(["check", "--verbose", "--jobs", "1", "--format", format, ...paths], folder);
      expect(code === 1 || code === 2).toBe(true);
      expect(error).not.toContain("mistake in gpu-qualifiers itself");
      const command = commandsOf[format];
      const plain = command === undefined ? out : out.replace(/^.*$/gm, (line) => line.replace(command, ""));
      if (command !== undefined) for (const line of out.trimEnd().split("\n")) expect(line).toMatch(command);
      for (const text of [plain, error]) {
        expect(text).not.toMatch(/(?![\n\t])\p{Cc}|[\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|##\w*\[/u);
        const lines = text.split("\n").filter((line) => /^\s*::/.test(line));
        // In GitHub's format, each line must be a command that reports a finding.
        if (format === "github" && text === plain)
          for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) file=[^:,]+,line=\d+,/);
        else expect(lines).toEqual([]);
      }
    }
  });

  it("keeps the true names in documents for programs", async () => {
    const folder = folderWith(files);
    const json = JSON.parse((await runHere(["check", "--format", "json", "."], folder)).out) as { files: { file: string }[] };
    expect(json.files.map(({ file }) => file)).toEqual(expect.arrayContaining(names));
    const log = JSON.parse((await runHere(["check", "--format", "sarif", "."], folder)).out) as Log;
    const uris = log.runs[0]?.results?.map(({ locations }) => locations?.[0]?.physicalLocation?.artifactLocation?.uri ?? "") ?? [];
    expect(new Set(uris.map((uri) => decodeURIComponent(uri)))).toEqual(expect.objectContaining({ size: names.length + 2 }));
    for (const uri of uris) expect(uri).toMatch(/^[\w.%!~*'()-]+$/);
  });

  it("is plain text even if the command line is hostile", () => {
    const folder = folderWith({});
    const { code, out, error } = run(["check", "\u001b[31m", "--format", "\u202e\n::error::x", join(folder, "\n::error::y")], folder);
    expect([code, out]).toEqual([2, ""]);
    expect(error).not.toMatch(/(?!\n)\p{Cc}|\u202e|^::/mu);
  });
});
