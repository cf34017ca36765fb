/** The effects of a change on other documents: headers, their includers, declarations in other files, settings. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type ClientCapabilities, DocumentDiagnosticRequest } from "vscode-languageserver/node";
import { startClient, type TestClient, uriOf } from "./client.ts";

const pulling: ClientCapabilities = {
  textDocument: { diagnostic: { relatedInformation: true } },
  workspace: {
    diagnostics: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
    codeLens: { refreshSupport: true },
  },
};

/** Correct if SPACE is global, an error if it is local. */
const header = "static void f(global int *g) { SPACE int *p = (SPACE int *)g; }\n";
const includes = (space: string, name = "h.h") => `#define SPACE ${space}\n#include "${name}"\n`;
const declaration = "struct S { int a[4]; };\n__global__ void run(const __grid_constant__ S s);\n";
const definition = "struct S { int a[4]; };\n__global__ void run(const S s) {}\n";

let folder: string;
let client: TestClient;
const path = (name: string) => join(folder, name);
const uri = (name: string) => uriOf(path(name));

async function start(files: Readonly<Record<string, string>>, capabilities: ClientCapabilities = {}): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  for (const [name, text] of Object.entries(files)) await writeFile(path(name), text);
  client = await startClient({ folder, capabilities });
}
afterEach(async () => {
  expect(client.log.filter((line) => line.includes("while working on"))).toEqual([]);
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

async function rules(name: string, count: number): Promise<readonly unknown[]> {
  return (await client.diagnostics(uri(name), (list) => list.length === count)).map(({ code }) => code);
}

async function pulled(name: string): Promise<readonly unknown[]> {
  const report = await client.connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri: uri(name) } });
  return report.kind === "full" ? report.items.map(({ code }) => code) : ["unchanged"];
}

async function until(what: () => boolean): Promise<void> {
  const end = Date.now() + 200_000;
  while (!what()) {
    if (Date.now() > end) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until the workspace has been read and the client has been notified. */
async function quiet(): Promise<void> {
  for (let told = -1; told !== client.refreshes.length; ) {
    told = client.refreshes.length;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  }
}

describe("an open header", () => {
  it("follows the file that includes it", async () => {
    await start({ "h.h": header });
    await client.open(uri("a.cl"), includes("local"));
    await client.open(uri("h.h"), header, "c");
    expect(await rules("h.h", 1)).toEqual(["address-space-cast"]);
    await client.replace(uri("a.cl"), "local", "global");
    expect(await rules("h.h", 0)).toEqual([]);
    await client.replace(uri("a.cl"), "global", "local");
    expect(await rules("h.h", 1)).toEqual(["address-space-cast"]);
  });

  it("is checked with another includer when the first one no longer includes it, or is deleted", async () => {
    await start({ "a.cl": includes("local"), "b.cl": includes("global"), "h.h": header });
    await client.open(uri("h.h"), header, "c");
    expect(await rules("h.h", 1)).toEqual(["address-space-cast"]);
    await client.open(uri("a.cl"), includes("local"));
    await client.replace(uri("a.cl"), "h.h", "other.h");
    expect(await rules("h.h", 0)).toEqual([]);
    // Closed without being saved, so the text on disk applies.
    await client.close(uri("a.cl"));
    expect(await rules("h.h", 1)).toEqual(["address-space-cast"]);
    await rm(path("a.cl"));
    await client.changedOnDisk(path("a.cl"));
    expect(await rules("h.h", 0)).toEqual([]);
  });

  it("follows a macro of a header that its includer includes before it", async () => {
    await start({ "h.h": header, "space.h": "#define SPACE local\n", "a.cl": '#include "space.h"\n#include "h.h"\n' });
    await client.open(uri("h.h"), header, "c");
    expect(await rules("h.h", 1)).toEqual(["address-space-cast"]);
    await client.open(uri("space.h"), "#define SPACE local\n", "c");
    await client.replace(uri("space.h"), "local", "global");
    expect(await rules("h.h", 0)).toEqual([]);
  });

  it("is asked for again by clients that pull", async () => {
    await start({ "h.h": header }, pulling);
    await client.open(uri("a.cl"), includes("local"));
    await client.open(uri("h.h"), header, "c");
    expect(await pulled("h.h")).toEqual(["address-space-cast"]);
    const before = client.refreshes.length;
    await client.replace(uri("a.cl"), "local", "global");
    await until(() =>
      ["diagnostic", "inlayHint", "semanticTokens", "codeLens"].every((what) => client.refreshes.slice(before).includes(what)),
    );
    expect(await pulled("h.h")).toEqual([]);
  });

  it("is not refreshed by edits that do not affect it", async () => {
    await start({ "h.h": header }, pulling);
    await client.open(uri("a.cl"), `${includes("local")}kernel void k(global int *g) { }\n`);
    await client.open(uri("b.cl"), "kernel void other(global int *g) { }\n");
    await client.open(uri("h.h"), header, "c");
    await pulled("h.h");
    await quiet();
    const before = client.refreshes.length;
    await client.replace(uri("b.cl"), "{ }", "{ *g = 1; }");
    await pulled("b.cl");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(client.refreshes.slice(before)).toEqual([]);
  });
});

describe("declarations in several files", () => {
  it("are compared again when one of them is edited, corrected, closed or removed", async () => {
    await start({});
    await client.open(uri("a.cu"), declaration);
    await client.open(uri("b.cu"), definition);
    expect(await rules("a.cu", 1)).toEqual(["grid-constant-mismatch"]);
    expect(await rules("b.cu", 1)).toEqual(["grid-constant-mismatch"]);
    await client.replace(uri("b.cu"), "const S", "const __grid_constant__ S");
    expect(await rules("a.cu", 0)).toEqual([]);
    await client.replace(uri("b.cu"), "__grid_constant__ ", "");
    expect(await rules("a.cu", 1)).toEqual(["grid-constant-mismatch"]);
    // It was never saved, so it no longer exists.
    await client.close(uri("b.cu"));
    expect(await rules("a.cu", 0)).toEqual([]);
  });

  it("are compared with those of closed files, until the file is deleted", async () => {
    await start({ "b.cu": definition });
    await client.open(uri("a.cu"), declaration);
    expect(await rules("a.cu", 1)).toEqual(["grid-constant-mismatch"]);
    await rename(path("b.cu"), path("c.cu"));
    await client.changedOnDisk(path("b.cu"), path("c.cu"));
    const [moved] = await client.diagnostics(uri("a.cu"), ([first]) => first !== undefined);
    expect(moved?.code).toBe("grid-constant-mismatch");
    await rm(path("c.cu"));
    await client.changedOnDisk(path("c.cu"));
    expect(await rules("a.cu", 0)).toEqual([]);
  });

  it("are compared again when a header of a closed file is edited", async () => {
    const shared = "#pragma once\nstruct S { int a[4]; };\n";
    await start({ "s.cuh": shared, "b.cu": `#include "s.cuh"\n${definition.slice(definition.indexOf("__global__"))}` });
    await client.open(uri("a.cu"), declaration);
    expect(await rules("a.cu", 1)).toEqual(["grid-constant-mismatch"]);
    await client.open(uri("s.cuh"), shared);
    await client.replace(uri("s.cuh"), "int a[4]", "int a[5]");
    await client.replace(uri("a.cu"), "int a[4]", "int a[5]");
    expect(await rules("a.cu", 1)).toEqual(["grid-constant-mismatch"]);
  });

  it("are asked for again by clients that pull", async () => {
    await start({}, pulling);
    await client.open(uri("a.cu"), declaration);
    await client.open(uri("b.cu"), definition);
    await pulled("b.cu");
    expect(await pulled("a.cu")).toEqual(["grid-constant-mismatch"]);
    const before = client.refreshes.length;
    await client.replace(uri("b.cu"), "const S", "const __grid_constant__ S");
    await until(() => client.refreshes.slice(before).includes("diagnostic"));
    expect(await pulled("b.cu")).toEqual([]);
    expect(await pulled("a.cu")).toEqual([]);
  });
});

describe("a suppression of a finding that depends on several files", () => {
  it("is reported as unused when no file needs it, but not before all have been read", async () => {
    await start({ "b.cu": definition });
    await client.open(
      uri("a.cu"),
      declaration.replace("__global__", "// gpu-qualifiers: allow[grid-constant-mismatch] they are never linked\n__global__"),
    );
    // The file that needs it has been read.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await client.diagnostics(uri("a.cu"))).map(({ code }) => code)).toEqual([]);
    await writeFile(path("b.cu"), definition.replace("const S", "const __grid_constant__ S"));
    await client.changedOnDisk(path("b.cu"));
    expect(await rules("a.cu", 1)).toEqual(["unused-suppression"]);
    await writeFile(path("b.cu"), definition);
    await client.changedOnDisk(path("b.cu"));
    expect(await rules("a.cu", 0)).toEqual([]);
  });
});

describe("files on the disk", () => {
  const usesType = "kernel void k(global int *g) { pointer p = (pointer)g; }\n";
  const typeIn = (space: string) => `typedef ${space} int *pointer;\n`;

  it("may be created, changed, moved and deleted", async () => {
    await start({});
    await client.open(uri("a.cl"), `#include "h.h"\n${usesType}`);
    expect(await rules("a.cl", 0)).toEqual([]);
    const say = async (name: string, text: string) => {
      await writeFile(path(name), text);
      await client.changedOnDisk(path(name));
    };
    await say("h.h", typeIn("local"));
    expect(await rules("a.cl", 1)).toEqual(["address-space-cast"]);
    await say("h.h", typeIn("global"));
    expect(await rules("a.cl", 0)).toEqual([]);
    await say("h.h", typeIn("local"));
    expect(await rules("a.cl", 1)).toEqual(["address-space-cast"]);
    await rename(path("h.h"), path("i.h"));
    await client.changedOnDisk(path("h.h"), path("i.h"));
    expect(await rules("a.cl", 0)).toEqual([]);
    await client.replace(uri("a.cl"), "h.h", "i.h");
    expect(await rules("a.cl", 1)).toEqual(["address-space-cast"]);
  });

  it("are followed if a notification names only their folder", async () => {
    await start({});
    await client.open(uri("a.cl"), `#include "sub/h.h"\n${usesType}`);
    expect(await rules("a.cl", 0)).toEqual([]);
    await mkdir(path("sub"));
    await writeFile(path("sub/h.h"), typeIn("local"));
    await client.changedOnDisk(path("sub/h.h"));
    expect(await rules("a.cl", 1)).toEqual(["address-space-cast"]);
    await rm(path("sub"), { recursive: true });
    await client.changedOnDisk(path("sub"));
    expect(await rules("a.cl", 0)).toEqual([]);
  });
});

describe("a settings file", () => {
  const wrongInSome = "kernel void k(global int *g) { int *p = g; *p = 1; }\n";

  it("applies as long as it exists", async () => {
    await start({});
    await client.open(uri("a.cl"), wrongInSome);
    const severity = (wanted: number | undefined) => client.diagnostics(uri("a.cl"), (list) => list[0]?.severity === wanted);
    await severity(2);
    await writeFile(path("gpu-qualifiers.json"), '{ "opencl": { "standard": "CL1.2" } }');
    await client.changedOnDisk(path("gpu-qualifiers.json"));
    await severity(1);
    await writeFile(path("gpu-qualifiers.json"), '{ "opencl": { "standard": "CL2.0" } }');
    await client.changedOnDisk(path("gpu-qualifiers.json"));
    await severity(undefined);
    await rm(path("gpu-qualifiers.json"));
    await client.changedOnDisk(path("gpu-qualifiers.json"));
    await severity(2);
  });

  it("is followed while it is typed, if the editor opens it in the server", async () => {
    await start({ "gpu-qualifiers.json": '{ "opencl": { "standard": "CL1.2" } }' });
    await client.open(uri("a.cl"), wrongInSome);
    await client.diagnostics(uri("a.cl"), ([first]) => first?.severity === 1);
    await client.open(uri("gpu-qualifiers.json"), '{ "opencl": { "standard": "CL1.2" } }', "jsonc");
    await client.replace(uri("gpu-qualifiers.json"), "CL1.2", "CL2.0");
    await client.diagnostics(uri("a.cl"), (list) => list.length === 0);
    await client.replace(uri("gpu-qualifiers.json"), "CL2.0", "CL2.5");
    const [wrong] = await client.diagnostics(uri("gpu-qualifiers.json"), (list) => list.length === 1);
    expect(wrong?.message).toMatch(/'CL2.5' is none of CL1.0/);
    await client.replace(uri("gpu-qualifiers.json"), "CL2.5", "CL3.0");
    await client.diagnostics(uri("gpu-qualifiers.json"), (list) => list.length === 0);
  });

  it.each([
    ["no JSON", '{ "opencl": ', /not valid JSON/],
    ["an unknown key", '{ "openCL": {} }', /unknown setting 'openCL', did you mean 'opencl'/],
    ["a wrong type", '{ "flags": "-DX" }', /expected an array/],
    ["a wrong value", '{ "rules": { "const-write": "fatal" } }', /'fatal' is none of off/],
    ["an unknown rule", '{ "rules": { "const-wrote": "off" } }', /did you mean 'const-write'/],
    ["a flag that lacks its value", '{ "flags": ["-D"] }', /-D/],
  ])("with %s has a problem at its place, until it is corrected", async (_, text, message) => {
    await start({ "gpu-qualifiers.json": text });
    await client.open(uri("a.cl"), "\n");
    const [first] = await client.diagnostics(uri("gpu-qualifiers.json"), (list) => list.length > 0);
    expect(first?.message).toMatch(message);
    expect(first?.range.start.character).toBeGreaterThan(1);
    await writeFile(path("gpu-qualifiers.json"), "{}");
    await client.changedOnDisk(path("gpu-qualifiers.json"));
    await client.diagnostics(uri("gpu-qualifiers.json"), (list) => list.length === 0);
  });
});
