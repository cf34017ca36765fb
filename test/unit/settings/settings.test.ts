/** Which settings apply to a file, and which problems are reported in them. */
import { describe, expect, it } from "vitest";
import { createSettings } from "../../../server/src/settings/settings.ts";
import { settingsSchema } from "../../../server/src/settings/settings-schema.ts";

const schema = settingsSchema([
  { id: "some-rule", title: "says something", severity: "error" },
  { id: "other-rule", title: "says something else", severity: "warning" },
  { id: "strict-rule", title: "says what only some compilers say", severity: "info", profile: "strict" },
]);

function settingsWith(files: Readonly<Record<string, string>>, root = "file:///w") {
  const asked: string[] = [];
  const settings = createSettings({
    root,
    schema,
    files: {
      read(name) {
        asked.push(name);
        return files[name.slice("file://".length)] ?? "absent";
      },
    },
  });
  return { settings, asked };
}

const of = (files: Readonly<Record<string, string>>, name: string) => settingsWith(files).settings.of(`file://${name}`);

describe("the settings in force", () => {
  it("are the defaults if nothing is configured", () => {
    expect(of({}, "/w/a.cl")).toMatchObject({
      macros: [],
      includePaths: [],
      origin: "defaults",
      limits: { constantArguments: 8, areConfigured: false },
    });
  });

  it("come from the nearest settings file, with paths relative to its folder", () => {
    const files = {
      "/w/gpu-qualifiers.json": '{ "opencl": { "standard": "CL1.2" }, "includePaths": ["inc"] }',
      "/w/sub/gpu-qualifiers.json": '{ "opencl": { "standard": "CL2.0" }, "includePaths": ["inc"] }',
    };
    expect(of(files, "/w/a.cl")).toMatchObject({ openclStandard: "CL1.2", includePaths: ["file:///w/inc"], origin: "gpu-qualifiers.json" });
    expect(of(files, "/w/sub/deep/a.cl")).toMatchObject({ openclStandard: "CL2.0", includePaths: ["file:///w/sub/inc"] });
  });

  it("include every setting that a settings file can have", () => {
    const text = `{
      // JSON with comments and trailing commas
      "macros": { "REAL": "float", "N": 4, "ON": true, "OFF": false, "GONE": null, },
      "cuda": { "standard": "c++20", "architectures": ["sm_80", "sm_90a"], "relocatableDeviceCode": true },
      "opencl": { "standard": "clc++2021", "extensions": { "all": false, "cl_khr_fp64": true }, "profile": "embedded" },
      "limits": { "constantArguments": 6 },
      "flags": ["-DLAST"],
      "overrides": [{ "files": ["*.special.cu"], "flags": ["-arch=sm_60"] }],
    }`;
    const settings = of({ "/w/gpu-qualifiers.json": text }, "/w/a.cu");
    expect(settings).toMatchObject({
      cplusplusStandard: 20,
      architectures: [80, 90],
      relocatableDeviceCode: true,
      openclStandard: "clc++2021",
      limits: { constantArguments: 6, constantBufferSize: 1024, areConfigured: true },
    });
    expect(settings.macros).toEqual([
      { name: "REAL", value: "float" },
      { name: "N", value: "4" },
      { name: "ON", value: "1" },
      { name: "OFF", value: "0" },
      { name: "GONE", value: undefined },
      { name: "LAST", value: "1" },
    ]);
    expect(Object.fromEntries(settings.openclExtensions ?? [])).toEqual({ all: false, cl_khr_fp64: true });
    expect(of({ "/w/gpu-qualifiers.json": text }, "/w/x/a.special.cu").architectures).toEqual([60]);
  });

  it("come from a compilation database: the entry of the file, or of the nearest file of the same kind", () => {
    const database = JSON.stringify([
      { directory: "/w/build", file: "../src/a.cu", command: "ccache nvcc -DFIRST -I../inc --options-file flags.rsp -c ../src/a.cu" },
      { directory: "/w/build", file: "../src/a.cu", command: "nvcc -DSECOND" },
      { directory: "/w/build", file: "/w/other/b.cu", arguments: ["nvcc", "-DOTHER", "/w/other/b.cu"] },
      { directory: "/w/build", file: "/w/src/c.cpp", arguments: ["c++", "-DHOST", "/w/src/c.cpp"] },
    ]);
    const files = { "/w/build/compile_commands.json": database, "/w/build/flags.rsp": "-arch=sm_75" };
    expect(of(files, "/w/src/a.cu")).toMatchObject({
      macros: [{ name: "FIRST", value: "1" }],
      includePaths: ["file:///w/inc"],
      architectures: [75],
      origin: "compile_commands.json",
    });
    expect(of(files, "/w/other/deep/new.cu")).toMatchObject({ macros: [{ name: "OTHER" }], origin: "compile_commands.json (as b.cu)" });
    expect(of(files, "/w/src/k.cl").origin).toBe("defaults");
  });

  it("include those of .clangd if its conditions hold, and prefer ours", () => {
    const files = {
      "/w/compile_flags.txt": "-DA\n# no flag\n\n-cl-std=CL1.2\n",
      "/w/.clangd":
        "If:\n  PathMatch: .*\\.cl\nCompileFlags:\n  Add: -DCL\n  Remove: -DA\n---\nIf: { PathExclude: [legacy/.*] }\nCompileFlags:\n  Add:\n    - -DNEW\n",
      "/w/gpu-qualifiers.json": '{ "opencl": { "standard": "CL3.0" } }',
    };
    const names = (path: string) => of(files, path).macros.map(({ name }) => name);
    expect(names("/w/a.cl")).toEqual(["A", "CL", "NEW"]);
    expect(names("/w/legacy/a.cl")).toEqual(["A", "CL"]);
    expect(names("/w/a.cu")).toEqual(["A", "NEW"]);
    expect(of(files, "/w/a.cl")).toMatchObject({ openclStandard: "CL3.0", origin: "compile_flags.txt, .clangd, gpu-qualifiers.json" });
  });

  it("are not searched outside of the root", () => {
    const { settings, asked } = settingsWith({ "/compile_flags.txt": "-DOUTSIDE" }, "file:///w/sub");
    expect(settings.of("file:///w/sub/a.cl").macros).toEqual([]);
    expect(asked.every((name) => name.startsWith("file:///w/sub/"))).toBe(true);
  });

  it.each([
    ["compile_commands.json", "[{]"],
    ["compile_commands.json", '{ "file": 1 }'],
    ["compile_commands.json", '[null, 3, { "file": 3 }, { "file": "/w/a.cl" }]'],
    [".clangd", "a: [\n: ::"],
    [".clangd", "CompileFlags: 3"],
    ["gpu-qualifiers.json", ""],
  ])("survive a broken %s: %j", (file, text) => {
    expect(of({ [`/w/${file}`]: text }, "/w/a.cl").macros).toEqual([]);
  });
});

describe("a settings file that is wrong", () => {
  const problems = (text: string) => {
    const { settings } = settingsWith({ "/w/gpu-qualifiers.json": text });
    settings.of("file:///w/a.cl");
    return settings.problems().map(({ message, location: { span } }) => [text.slice(span.start, span.end), message]);
  };

  it.each([
    ['{ "opencl": { "standart": "CL1.2" } }', [['"standart"', "unknown setting 'standart', did you mean 'standard'?"]]],
    ['{ "zzz": 1 }', [['"zzz"', "unknown setting 'zzz'"]]],
    ['{ "opencl": "CL1.2" }', [['"CL1.2"', "expected an object"]]],
    ['{ "opencl": { "standard": "CL9" } }', [['"CL9"', "'CL9' is none of CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, clc++1.0, clc++2021"]]],
    ['{ "cuda": { "architectures": ["90"] } }', [['"90"', "expected an architecture such as 'sm_90'"]]],
    ['{ "limits": { "constantArguments": -1 } }', [["-1", "must be at least 0"]]],
    ['{ "limits": { "constantArguments": 1.5 } }', [["1.5", "expected an integer"]]],
    ['{ "rules": { "some-rul": "off" } }', [['"some-rul"', "unknown setting 'some-rul', did you mean 'some-rule'?"]]],
    ['{ "macros": { "A": [] } }', [["[]", "expected a string or a number or a boolean or null"]]],
    ['{ "overrides": [{ "flags": ["-DA"] }] }', [["{", "'files' must be given here"]]],
    ['{ "flags": ["-cl-std=CL9"] }', [['"-cl-std=CL9"', "unknown OpenCL standard 'CL9'"]]],
    ['{ "flags": ["-DA" "-DB"] }', [['"-DB"', "not valid JSON: comma expected"]]],
  ])("%s", (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it("keeps its correct parts", () => {
    const { settings } = settingsWith({
      "/w/gpu-qualifiers.json": '{ "rules": { "some-rule": "off", "other": "off" }, "macros": { "A": 1, "B": [] } }',
    });
    expect(settings.severitiesOf("file:///w/a.cl")).toMatchObject({ "some-rule": "off" });
    expect(settings.of("file:///w/a.cl").macros).toEqual([{ name: "A", value: "1" }]);
    expect(settings.problems()).toHaveLength(2);
  });

  it("turns rules on by a profile, which severities and nearer folders override", () => {
    const { settings } = settingsWith({
      "/w/strict/gpu-qualifiers.json": '{ "profile": "strict" }',
      "/w/strict/usual/gpu-qualifiers.json": '{ "profile": "default" }',
      "/w/strict/less/gpu-qualifiers.json": '{ "rules": { "some-rule": "hint" } }',
    });
    const severity = (name: string) => settings.severitiesOf(name)["strict-rule"];
    expect(severity("file:///w/a.cl")).toBe("off");
    expect(severity("file:///w/strict/a.cl")).toBe("warning");
    expect(severity("file:///w/strict/less/a.cl")).toBe("warning");
    expect(severity("file:///w/strict/usual/a.cl")).toBe("off");
    expect(settings.problems()).toEqual([]);
  });

  it("adds severities to those of the folders above, and reports settings without effect below the top", () => {
    const { settings } = settingsWith({
      "/w/gpu-qualifiers.json": '{ "rules": { "some-rule": "off", "other-rule": "info" } }',
      "/w/old/gpu-qualifiers.json":
        '{ "rules": { "other-rule": "off" }, "overrides": [{ "files": ["/b.cl"], "rules": { "some-rule": "hint" } }], "exclude": ["*.cl"] }',
    });
    expect(settings.severitiesOf("file:///w/a.cl")).toMatchObject({ "some-rule": "off", "other-rule": "info" });
    expect(settings.severitiesOf("file:///w/old/a.cl")).toMatchObject({ "some-rule": "off", "other-rule": "off" });
    expect(settings.severitiesOf("file:///w/old/b.cl")).toMatchObject({ "some-rule": "hint", "other-rule": "off" });
    expect(settings.isExcluded("file:///w/old/a.cl")).toBe(false);
    expect(settings.problems().map(({ message }) => message)).toEqual(["'exclude' has an effect in the top folder only"]);
  });

  it("knows where the severity of a rule for a file comes from", () => {
    const override = '{ "files": ["/b.cl"], "rules": { "some-rule": "hint" } }';
    const { settings } = settingsWith({
      "/w/gpu-qualifiers.json": '{ "rules": { "some-rule": "info", "other-rule": "info" } }',
      "/w/old/gpu-qualifiers.json": `{ "rules": { "other-rule": "off" }, "overrides": [{ "files": ["*.cu"] }, ${override}, ${override}] }`,
      "/w/bad/gpu-qualifiers.json": `{ "overrides": [{ "flags": [] }, ${override}] }`,
    });
    const placeOf = (name: string, rule: string) => settings.placeOfSeverity(`file:///w/${name}`, rule);
    expect(placeOf("old/deep/a.cl", "other-rule")).toEqual({ folder: "file:///w/old", path: ["rules", "other-rule"] });
    expect(placeOf("old/a.cl", "some-rule")).toEqual({ folder: "file:///w", path: ["rules", "some-rule"] });
    expect(placeOf("old/b.cl", "some-rule")).toEqual({ folder: "file:///w/old", path: ["overrides", 2, "rules", "some-rule"] });
    expect(placeOf("old/b.cl", "third-rule")).toEqual({ folder: "file:///w", path: ["rules", "third-rule"] });
    // The invalid override before it is left out, so that its index is not known.
    expect(placeOf("bad/b.cl", "some-rule")).toEqual({ folder: "file:///w", path: ["rules", "some-rule"] });
    expect(placeOf("../x/b.cl", "some-rule")).toEqual({ folder: "file:///w", path: ["rules", "some-rule"] });
  });

  it("cannot change the prototypes of objects", () => {
    expect(problems('{ "__proto__": { "flags": [] }, "constructor": 1 }')).toHaveLength(2);
  });
});

describe("settings that have not been read yet", () => {
  it("are requested, and apply once they have been read", () => {
    const files = new Map<string, string>();
    const settings = createSettings({ root: "file:///w", schema, files: { read: (name) => files.get(name) ?? "unread" } });
    expect(settings.of("file:///w/a.cl").origin).toBe("defaults");
    expect(settings.unread()).toContain("file:///w/gpu-qualifiers.json");
    for (const name of settings.unread()) files.set(name, name.endsWith(".json") ? "{}" : "");
    files.set("file:///w/compile_flags.txt", "-DA");
    settings.changed();
    expect(settings.of("file:///w/a.cl").macros).toEqual([{ name: "A", value: "1" }]);
    expect(settings.unread()).toEqual([]);
  });
});
