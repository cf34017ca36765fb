/** Settings files are untrusted input. Reading them ends soon whatever they contain, and mistakes are reported at their places. */
import { describe, expect, it } from "vitest";
import { readClangdFile } from "../../../server/src/settings/clangd-file.ts";
import { readCompileDatabase } from "../../../server/src/settings/compile-database.ts";
import { createSettings } from "../../../server/src/settings/settings.ts";
import { readSettingsFile, settingsEdits } from "../../../server/src/settings/settings-file.ts";
import { settingsSchema } from "../../../server/src/settings/settings-schema.ts";
import { isThorough } from "../../effort.ts";
import { growth, tooMuch } from "../../growth.ts";

/** The depth of nested texts. */
const deep = isThorough ? 100_000 : 5_000;
const schema = settingsSchema([{ id: "some-rule", title: "says something", severity: "error" }]);

/** The problems after a request for the settings of one file, each with the text that it is about. */
function problemsIn(files: Readonly<Record<string, string>>, name = "/w/a.cl", isTrusted = true) {
  const settings = createSettings({
    root: "file:///w",
    schema,
    isTrusted,
    files: { read: (uri) => files[uri.slice("file://".length)] ?? "absent" },
  });
  const { includePaths } = settings.of(`file://${name}`);
  settings.severitiesOf(`file://${name}`);
  const problems = settings.problems().map(({ message, location: { uri, span } }) => {
    const path = uri.slice("file://".length);
    return [path, files[path]?.slice(span.start, span.end), message];
  });
  return { problems, includePaths };
}

describe("mistakes are reported at their places", () => {
  const database = (entry: object) => JSON.stringify([{ file: "b.cl", arguments: ["cc"] }, entry], undefined, 1);
  it.each<[string, string, string | undefined, string]>([
    ["compile_flags.txt", "-DA\n  -cl-std=CL9\r\n", "-cl-std=CL9", "unknown OpenCL standard 'CL9'"],
    ["compile_flags.txt", "@missing\n", "@missing", "cannot read the response file 'missing'"],
    [".clangd", "CompileFlags:\n  Add: [-DA, -cl-std=CL9]\n", "-cl-std=CL9", "unknown OpenCL standard 'CL9'"],
    [".clangd", "CompileFlags:\n  Add: [[-DA]]\n", "[-DA]", "expected text in 'CompileFlags.Add'"],
    [".clangd", "If:\n  PathMatch: (a\nCompileFlags:\n  Add: -DA\n", "(a", "'(a' is not a regular expression"],
    [".clangd", "a: [\n", "", "not valid YAML: bad indent"],
    [".clangd", "just text\n", "just text", "expected a map, such as 'CompileFlags:'"],
    ["compile_commands.json", "[{]", "]", "not valid JSON"],
    ["compile_commands.json", "[{", "", "not valid JSON"],
    ["compile_commands.json", "{}", "{", "expected an array of commands"],
    ["compile_commands.json", "[1]", "1", "expected an object with 'file', 'directory' and 'command' or 'arguments'"],
    ["compile_commands.json", '[{"file":"a.cl"}]', '{"file":"a.cl"}', "this entry has neither a 'command' nor a list of 'arguments'"],
    ["gpu-qualifiers.json", '{"flags": ["-DA", "-cl-std=CL9"]}', '"-cl-std=CL9"', "unknown OpenCL standard 'CL9'"],
    ["gpu-qualifiers.json", '{"overrides": [{"files": ["*"], "flags": ["-D"]}]}', '"-D"', "'-D' needs a value"],
    ["gpu-qualifiers.json", '{"a\\n::error::b": 1}', '"a\\n::error::b"', "unknown setting 'a<U+000A>::error::b'"],
  ])("in %s: %j", (name, text, span, message) => {
    expect(problemsIn({ [`/w/${name}`]: text }).problems).toEqual([[`/w/${name}`, span, message]]);
  });

  it("in the entry for a file, and in its response files", () => {
    const text = database({ file: "a.cl", arguments: ["cc", "-cl-std=CL9", "@r"] });
    const { problems } = problemsIn({ "/w/compile_commands.json": text, "/w/r": "-arch=sm_x" });
    expect(problems.map(([path, , message]) => [path, message])).toEqual([
      ["/w/compile_commands.json", "unknown OpenCL standard 'CL9'"],
      ["/w/r", "unknown architecture 'sm_x'; expected one such as 'sm_90'"],
    ]);
    expect(JSON.parse(problems[0]?.[1] ?? "")).toMatchObject({ file: "a.cl" });
  });

  it("but not in build files outside of the workspace, which must not be read", () => {
    const text = database({ file: "/w/a.cl", directory: "/build", arguments: ["cc", "@a.rsp"] });
    expect(problemsIn({ "/w/compile_commands.json": text }).problems).toEqual([]);
  });

  it("at most a hundred times per file", () => {
    const { problems } = problemsIn({ "/w/compile_flags.txt": Array.from({ length: 500 }, (_, i) => `-cl-std=X${i}`).join("\n") });
    expect([problems.length, problems.at(-1)?.[2]]).toEqual([101, "more than 100 problems in this file"]);
  });
});

describe("reading ends soon", () => {
  it.each([
    ["arrays", "[".repeat(200_000)],
    ["objects", '{"a":'.repeat(200_000)],
    ["closed arrays", "[".repeat(200_000) + "]".repeat(200_000)],
  ])("if JSON is nested: %s", (_, text) => {
    expect(readSettingsFile(text, schema)).toMatchObject({
      settings: {},
      problems: [{ message: "not read: it is nested more than 32 levels deep" }],
    });
    expect(settingsEdits(text, ["rules", "some-rule"], "off")).toEqual([]);
    expect(readCompileDatabase(text, "file:///w").commandOf("file:///w/a.cl")).toBeUndefined();
  });

  it.each([
    ["flow lists", "[".repeat(deep)],
    ["flow maps", "{a: ".repeat(deep)],
    ["block lists", "- ".repeat(deep)],
    ["keys", "? ".repeat(deep)],
    ["anchors", "&a ".repeat(deep)],
    [
      "keys, tags and documents",
      `${"%YAML 1.2\n---\n".repeat(2_000)}${"? ".repeat(3_000)}\n${"!!a ".repeat(3_000)}\n${"<<: ".repeat(200)}`,
    ],
  ])("if YAML is nested: %s", (_, text) => {
    expect(readClangdFile(text).flagsFor("a.cu")).toEqual([]);
    expect(readClangdFile(text).problems.length).toBeGreaterThan(0);
  });

  it("if YAML has aliases of aliases, or very many aliases", () => {
    const names = [..."abcdefghij"];
    const laughs = names.map(
      (name, i) => `${name}: &${name} [${Array.from({ length: 9 }, () => (i === 0 ? "x" : `*${names[i - 1]}`)).join()}]`,
    );
    const text = `${laughs.join("\n")}\nCompileFlags:\n  Add: *j\n`;
    expect(readClangdFile(text).problems[0]?.message).toBe("expected text in 'CompileFlags.Add'");
    const many = `x: &x -DA\nCompileFlags:\n  Add: [${"*x, ".repeat(isThorough ? 50_000 : 5_000)}]\n`;
    const file = readClangdFile(many);
    expect([file.flagsFor("a.cu").length, file.problems.map(({ message }) => message)]).toEqual([
      100,
      ["more than 100 aliases: those from here on have no effect"],
    ]);
  });

  it.each(["(a+)+$", "(a|a)*b", "(.*)*x", "([a-z]+)*!", "(a{1,50}){1,19}b"])("if a pattern would backtrack without end: %s", (pattern) => {
    const matched = (length: number) => {
      const { flagsFor } = readClangdFile(`If:\n  PathMatch: "${pattern}"\nCompileFlags:\n  Add: [-DX]\n`);
      return () => void flagsFor(`${"a".repeat(length)}?`);
    };
    expect(growth(100, matched)).toBeLessThan(tooMuch);
  });

  it("if a pattern, or all of them together, are too large", () => {
    const large = readClangdFile(`If:\n  PathMatch: ["a{900}", "b{900}", "c{900}"]\nCompileFlags:\n  Add: -DX\n`);
    expect(large.problems.map(({ message }) => message)).toEqual(["too complex for a pattern: it would take too long"]);
    expect(large.flagsFor("a".repeat(900)).map(({ text }) => text)).toEqual(["-DX"]);
  });

  it("if a database has many entries, but none for the file", () => {
    const entries = Array.from({ length: 20_000 }, (_, i) => ({ file: `d${i % 500}/f${i}.cl`, arguments: ["cc", `-DN=${i}`] }));
    const database = readCompileDatabase(JSON.stringify(entries), "file:///w");
    const asked = (count: number) => () => {
      for (let i = 0; i < count; i++) database.commandOf(`file:///w/d${i % 500}/x${i}.cl`);
    };
    expect(growth(500, asked)).toBeLessThan(tooMuch);
    expect(database.commandOf("file:///w/d7/x.cl")).toMatchObject({ isExact: false, command: { file: "file:///w/d7/f7.cl" } });
  });

  it("if names of settings are very long", () => {
    const { problems } = readSettingsFile(JSON.stringify({ ["x".repeat(500_000)]: 1 }), schema);
    expect(problems[0]?.message.length).toBeLessThan(120);
  });
});

describe("a workspace without trust", () => {
  const files = {
    "/w/gpu-qualifiers.json": '{"includePaths": ["inc", "/etc", "../other"], "flags": ["-I/usr/include"]}',
    "/w/sub/compile_flags.txt": "-I/home\n-Iown\n",
    "/w/clangd/.clangd": "CompileFlags: {Add: [-I/root, -I../in]}",
    "/w/built/compile_commands.json": '[{"directory": "/", "file": "/w/built/a.cl", "arguments": ["cc", "-Iopt", "-Iw/in"]}]',
  };
  it("does not search files outside of itself, and reports that", () => {
    const { problems, includePaths } = problemsIn(files, "/w/a.cl", false);
    expect(includePaths).toEqual(["file:///w/inc"]);
    expect(problems.map(([, span, message]) => [span, message])).toEqual(
      ["/etc", "../other"].map((path) => [`"${path}"`, `'${path}' is not searched: it is outside of a workspace that you do not trust`]),
    );
    expect(problemsIn(files, "/w/sub/a.cl", false).includePaths).toEqual(["file:///w/sub/own", "file:///w/inc"]);
    expect(problemsIn(files, "/w/clangd/a.cl", false).includePaths).toEqual(["file:///w/in", "file:///w/inc"]);
    expect(problemsIn(files, "/w/built/a.cl", false).includePaths).toEqual(["file:///w/in", "file:///w/inc"]);
  });

  it("does not force the inclusion of a header from outside", () => {
    const forced = (isTrusted: boolean) =>
      createSettings({
        root: "file:///w",
        schema,
        isTrusted,
        files: { read: (uri) => (uri === "file:///w/compile_flags.txt" ? "-include/etc/passwd\n-includeown.h\n" : "absent") },
      })
        .of("file:///w/a.cl")
        .forcedIncludes.map(({ name }) => name);
    expect([forced(false), forced(true)]).toEqual([["own.h"], ["/etc/passwd", "own.h"]]);
  });

  it("searches all include paths once it is trusted", () => {
    expect(problemsIn(files)).toEqual({
      problems: [],
      includePaths: ["file:///w/inc", "file:///etc", "file:///other", "file:///usr/include"],
    });
  });
});
