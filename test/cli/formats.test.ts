/** The formats for other programs conform to their schemas, even if the files are hostile. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import formatsOfAjv from "ajv-formats";
import { XmlDocument, XsdValidator } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { home, pageOfRule } from "../../server/src/cli/home.ts";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { clean, folderWith, nonConst, wrongCast } from "./run.ts";

function schemaOf(name: string): string {
  return readFileSync(join(import.meta.dirname, "schemas", name), "utf8");
}

function problemsOf(schema: string, document: string): unknown {
  const ajv = new Ajv({ strict: false, allErrors: true });
  formatsOfAjv.default(ajv);
  ajv.validate(JSON.parse(schemaOf(schema)), JSON.parse(document));
  return ajv.errors ?? [];
}

const related = "struct S { int a; };\n__global__ void k(const __grid_constant__ S s);\n__global__ void k(const S s) {}\n";
/** A folder with findings that have notes and fixes, and with a clean file. */
const ordinary = folderWith({ ".git/HEAD": "", "src/a.cl": wrongCast, "src/b.cu": related, "src/c.cu": nonConst, "src/d.cl": clean });
/** Names and code that contain more than plain text. */
const hostile = folderWith({
  "a\n::stop-commands::x\n.cl": wrongCast,
  "b,line=9::error::c%0A.cl": wrongCast,
  "]]><evil a='1'>&.cl": wrongCast,
  "esc\u001b[2J\u202e.cl": wrongCast,
  "names.cl": "kernel void k(global int *\u00e9v\u00eel) { local int *l = (local int *)\u00e9v\u00eel; }\n",
});

describe("sarif", () => {
  it.each([
    ["ordinary", ordinary],
    ["hostile", hostile],
  ])("of %s files conforms to the standard's schema", async (_, folder) => {
    const { out } = await runHere(["check", "--level", "hint", "--format", "sarif", "."], folder);
    expect(problemsOf("sarif-2.1.0.json", out)).toEqual([]);
    expect(JSON.parse(out).runs[0].results.length).toBeGreaterThan(2);
  });

  it("says what relative paths count from, and whether everything was checked", async () => {
    const [run] = JSON.parse((await runHere(["check", "--format", "sarif", "src"], ordinary)).out).runs;
    expect(run).toMatchObject({ automationDetails: { id: "gpu-qualifiers/" }, invocations: [{ executionSuccessful: true }] });
    for (const { locations } of run.results) {
      const { uri, uriBaseId } = locations[0].physicalLocation.artifactLocation;
      expect([uri, Object.keys(run.originalUriBaseIds)]).toEqual([expect.stringMatching(/^src\//), [uriBaseId]]);
    }
  });

  it("is written beside another format by --sarif, or the run fails", async () => {
    const { out } = await runHere(["check", "--format", "sarif", "src"], ordinary);
    const folder = folderWith({ "src/a.cl": wrongCast });
    const both = await runHere(["check", "--sarif", "out.sarif", "src"], ordinary);
    expect(both).toEqual(await runHere(["check", "src"], ordinary));
    expect(readFileSync(join(ordinary, "out.sarif"), "utf8")).toBe(out);
    const unwritten = await runHere(["check", "--sarif", "src", "src"], folder);
    expect([unwritten.code, unwritten.out]).toEqual([2, expect.stringContaining("[address-space-cast]")]);
    expect(unwritten.error).toContain("'src' was not written: ");
  });

  it("links each rule to its page, once the project has an address", () => {
    expect(pageOfRule("const-write")).toBe(home.repository === undefined ? undefined : expect.stringContaining(home.repository));
    const page = pageOfRule("const-write", { repository: "https://example.org/r" }) ?? "";
    expect(page).toBe("https://example.org/r/blob/main/server/docs/rules/const-write.md");
    expect(existsSync(join(import.meta.dirname, "../..", page.replace(/^.*\/main\//, "")))).toBe(true);
  });

  it("names the program's home page, and describes each rule", async () => {
    const { driver } = JSON.parse((await runHere(["check", "--format", "sarif", "src"], ordinary)).out).runs[0].tool;
    expect(new URL(driver.informationUri).href).toBeTruthy();
    for (const rule of driver.rules) expect(rule.help.markdown.length).toBeGreaterThan(40);
  });

  it("gives a finding the same fingerprint after lines have moved", async () => {
    const fingerprint = async (text: string) => {
      const { out } = await runHere(["check", "--format", "sarif", "a.cl"], folderWith({ ".git/HEAD": "", "a.cl": text }));
      return JSON.parse(out).runs[0].results[0].partialFingerprints;
    };
    expect(await fingerprint(`// more\n\n${wrongCast}`)).toEqual(await fingerprint(wrongCast));
    expect(await fingerprint(wrongCast.replace("*l", "*m"))).not.toEqual(await fingerprint(wrongCast));
  });
});

describe("gitlab", () => {
  it.each([
    ["ordinary", ordinary],
    ["hostile", hostile],
  ])("of %s files conforms to Code Quality's format", async (_, folder) => {
    const { out } = await runHere(["check", "--format", "gitlab", "."], folder);
    expect(problemsOf("gitlab-code-quality.json", out)).toEqual([]);
    const prints = JSON.parse(out).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
  });

  it("has paths relative to the root of the repository, from any folder", async () => {
    const paths = JSON.parse((await runHere(["check", "--format", "gitlab", "a.cl"], join(ordinary, "src"))).out);
    expect(paths).toMatchObject([
      { check_name: "address-space-cast", severity: "critical", location: { path: "src/a.cl", lines: { begin: 1 } } },
    ]);
  });

  it("distinguishes equal findings at different places", async () => {
    const twice = `kernel void k(global int *g) {\n${"  { local int *l = (local int *)g; }\n".repeat(2)}}\n`;
    const { out } = await runHere(["check", "--format", "gitlab", "a.cl"], folderWith({ "a.cl": twice }));
    const [first, second] = JSON.parse(out);
    expect(first.description).toBe(second.description);
    expect(first.fingerprint).not.toBe(second.fingerprint);
  });
});

describe("junit", () => {
  it.each([
    ["ordinary", ordinary],
    ["hostile", hostile],
    ["no", folderWith({})],
  ])("of %s files conforms to its schema", async (_, folder) => {
    const { out } = await runHere(["check", "--level", "hint", "--format", "junit", "."], folder);
    const schema = XmlDocument.fromString(schemaOf("junit.xsd"));
    const validator = XsdValidator.fromDoc(schema);
    const document = XmlDocument.fromString(out);
    expect(() => validator.validate(document)).not.toThrow();
    for (const used of [document, validator, schema]) used.dispose();
  });

  it("has a passed test for a clean file, and a failed one for each finding", async () => {
    const { out } = await runHere(["check", "--format", "junit", "src"], ordinary);
    expect(out).toContain(
      '<testsuite name="src/d.cl" tests="1" failures="0" errors="0">\n    <testcase classname="src/d.cl" name="gpu-qualifiers"/>',
    );
    expect(out).toContain('<testcase classname="src/a.cl" name="address-space-cast:1">');
    expect(out).toMatch(/^<\?xml.*\n<testsuites name="gpu-qualifiers" tests="4" failures="3" errors="0">/);
  });
});

describe("rdjson", () => {
  it("has the finding, its place in bytes, notes and the preferred fix", async () => {
    const folder = folderWith({
      ".git/HEAD": "",
      "src/a.cl": "kernel void k(global int *g) { /* \u00e9\u{1f600} */ local int *l = (local int *)g; }\n",
    });
    const { out, code } = await runHere(["check", "--format", "rdjson", "a.cl"], join(folder, "src"));
    expect(code).toBe(1);
    const { source, diagnostics } = JSON.parse(out);
    expect(source.name).toBe("gpu-qualifiers");
    expect(diagnostics).toMatchObject([
      {
        severity: "ERROR",
        code: { value: "address-space-cast" },
        // The comment has two characters of two and of four bytes.
        location: { path: "src/a.cl", range: { start: { line: 1, column: 60 }, end: { line: 1, column: 74 } } },
        suggestions: [{ text: expect.stringContaining("global") }],
      },
    ]);
  });

  it.each([
    ["an edit", "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s, int *o) { o[0] = s.a[0]; }\n"],
    [
      "several edits of one file, with any line ends",
      "struct S { int a; };\r\n__global__ void k(const __grid_constant__ S s);\r\n__global__ void k(const S s);\r\n__global__ void k(const S s) {}\r\n",
    ],
  ])("suggests %s so that the text afterwards is that of --fix", async (_, text) => {
    const folder = folderWith({ "a.cu": text });
    const { diagnostics } = JSON.parse((await runHere(["check", "--format", "rdjson", "a.cu"], folder)).out);
    const { range, text: replacement } = diagnostics[0].suggestions[0];
    const lines = text.split("\r\n").length > 1 ? text.split("\r\n") : text.split("\n");
    const before = [...lines.slice(0, range.start.line - 1), (lines[range.start.line - 1] ?? "").slice(0, range.start.column - 1)].join(
      "\n",
    );
    const after = [(lines[range.end.line - 1] ?? "").slice(range.end.column - 1), ...lines.slice(range.end.line)].join("\n");
    await runHere(["check", "--fix", "a.cu"], folder);
    expect(before + replacement + after).toBe(readFileSync(join(folder, "a.cu"), "utf8").replaceAll("\r\n", "\n"));
  });
});

describe("checkstyle", () => {
  it.each([
    ["ordinary", ordinary],
    ["hostile", hostile],
    ["no", folderWith({})],
  ])("of %s files is well-formed, with a place, a severity and a rule for each finding", async (_, folder) => {
    const { out } = await runHere(["check", "--level", "hint", "--format", "checkstyle", "."], folder);
    const document = XmlDocument.fromString(out);
    expect(document.root.name).toBe("checkstyle");
    document.dispose();
    const errors = [
      ...out.matchAll(
        /<error line="\d+" column="\d+" severity="(?:error|warning|info)" message="[^"]+" source="gpu-qualifiers\.[\w-]+"\/>/g,
      ),
    ];
    const { files } = JSON.parse((await runHere(["check", "--level", "hint", "--format", "json", "."], folder)).out);
    expect(errors).toHaveLength(files.flatMap(({ diagnostics }: { diagnostics: unknown[] }) => diagnostics).length);
  });
});

describe("azure and teamcity", () => {
  it("have a command for each finding", async () => {
    const azure = (await runHere(["check", "--format", "azure", "src/a.cl"], ordinary)).out;
    expect(azure).toBe(
      "##vso[task.logissue type=error;sourcepath=src/a.cl;linenumber=1;columnnumber=47;code=address-space-cast]casting '__global int *' to '__local int *' changes the address space\n",
    );
    const teamcity = (await runHere(["check", "--format", "teamcity", "src/a.cl"], ordinary)).out.trimEnd().split("\n");
    expect(teamcity).toEqual([
      expect.stringMatching(
        /^##teamcity\[inspectionType id='address-space-cast' name='[^']+' description='[^']+' category='gpu-qualifiers'\]$/,
      ),
      "##teamcity[inspection typeId='address-space-cast' message='casting |'__global int *|' to |'__local int *|' changes the address space' file='src/a.cl' line='1' SEVERITY='ERROR']",
    ]);
  });
});

describe("github", () => {
  it("has a command for each finding, with its place and its rule", async () => {
    const { out, code } = await runHere(["check", "--format", "github", "src"], ordinary);
    expect(code).toBe(1);
    expect(out.split("\n")[0]).toBe(
      "::error file=src/a.cl,line=1,endLine=1,col=47,endColumn=61,title=address-space-cast::casting '__global int *' to '__local int *' changes the address space",
    );
    expect(out).toContain("%0Asrc/b.cu:2: declared here");
  });

  it("lets no file forge a command, end a line or add a property", async () => {
    const { out } = await runHere(["check", "--format", "github", "."], hostile);
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      const [, properties = ""] = /^::error ([^:]*)::casting [^:]*$/.exec(line) ?? [];
      expect(properties.split(",").map((property) => property.split("=")[0])).toEqual([
        "file",
        "line",
        "endLine",
        "col",
        "endColumn",
        "title",
      ]);
    }
    expect(out).toContain("file=a%0A%3A%3Astop-commands%3A%3Ax%0A.cl,");
  });
});

describe("every format", () => {
  it.each(["json", "sarif", "github", "gitlab", "junit"])("%s prints no control characters and reorders no text", async (format) => {
    const { out } = await runHere(["check", "--format", format, "."], hostile);
    expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
  });
});

describe("the last line", () => {
  // For the last finding it is unknown whether the parameter or the argument is wrong. It has a fix, but --fix does not apply it.
  const files = {
    "a.cl": wrongCast,
    "b.cl": "kernel void k(global int *a, local int *b) { if (a == b) *a = 1; }\n",
    "c.cl": "void f(float *v) { *v = 1; }\nkernel void k(global float *g) { f(g); }\n",
  };
  const options = ["--", "-cl-std=CL1.2"];

  it("counts the findings, and those that --fix would fix", async () => {
    const folder = folderWith(files);
    const { out } = await runHere(["check", ".", ...options], folder);
    expect(out.trimEnd().split("\n").at(-1)).toBe("3 findings, 1 can be fixed with --fix");
    const pretty = (await runHere(["check", "--format", "pretty", ".", ...options], folder)).out;
    expect(pretty.trimEnd().split("\n").at(-1)).toBe("3 findings, 1 can be fixed with --fix");
    // An edit that --fix does not apply is not called a fix.
    expect(pretty.match(/^ +=.*/gm)).toEqual([expect.stringMatching(/= fix: /), expect.stringMatching(/= possible fix: /)]);
  });

  it("counts no fixes for the findings that --fix leaves", async () => {
    const folder = folderWith(files);
    const { out, error } = await runHere(["check", "--fix", ".", ...options], folder);
    expect(out.trimEnd().split("\n").at(-1)).toBe("2 findings, none can be fixed with --fix");
    expect(error).toContain("in 1 file\n");
  });

  it.skipIf(process.getuid?.() === 0)(
    `does not promise to write what is read-only${unless(process.getuid?.() !== 0, "the user is root")}`,
    async () => {
      const folder = folderWith({ "a.cl": wrongCast });
      chmodSync(join(folder, "a.cl"), 0o444);
      expect((await runHere(["check", "."], folder)).out).toContain("1 finding, none can be fixed with --fix");
    },
  );

  it("is not printed where nothing was found", async () => {
    expect((await runHere(["check", "a.cl"], folderWith({ "a.cl": clean }))).out).toBe("");
  });
});

describe("a repository", () => {
  it("is needed only by services: without one, paths are relative to the current folder", async () => {
    const folder = folderWith({ "src/a.cl": wrongCast });
    expect((await runHere(["check", "--format", "github", "a.cl"], join(folder, "src"))).out).toContain("file=a.cl,");
    execFileSync("git", ["init", "-q"], { cwd: folder });
    expect((await runHere(["check", "--format", "github", "a.cl"], join(folder, "src"))).out).toContain("file=src/a.cl,");
  });
});
