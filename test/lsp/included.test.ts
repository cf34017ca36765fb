/** Findings in closed files that an open document includes, in editors that receive diagnostics as notifications. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startClient, startRealClient, type TestClient, uriOf, writeWhole } from "./client.ts";

const wrong = "inline void help(global int *g) { local int *l = (local int *)g; }\n";
const right = wrong.replaceAll("local", "global");
const source = '#include "help.h"\nkernel void k(global int *g) { help(g); }\n';

let folder: string;
let client: TestClient;
let header: string;
let opened: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  header = uriOf(join(folder, "help.h"));
  opened = uriOf(join(folder, "a.cl"));
  await writeWhole(join(folder, "help.h"), wrong);
});

afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

/** The rules of the diagnostics that a client shows for a file that is not open. */
const rulesIn = (uri: string): readonly unknown[] =>
  client.published.findLast((each) => each.uri === uri)?.diagnostics.map(({ code }) => code) ?? [];
const soon = (uri: string, rules: readonly string[]) => expect.poll(() => rulesIn(uri), { timeout: 20_000 }).toEqual(rules);
const timesPublished = (uri: string) => client.published.filter((each) => each.uri === uri).length;

describe("a header that is not open", () => {
  it("shows its findings while a source that includes it is open", async () => {
    client = await startRealClient({ folder });
    await client.open(opened, source);
    expect(await client.diagnostics(opened)).toEqual([]);
    await soon(header, ["address-space-cast"]);
    expect(client.published.find(({ uri }) => uri === header)?.version).toBeUndefined();
    await client.close(opened);
    await soon(header, []);
    expect(timesPublished(header)).toBe(2);
  });

  it("shows each finding once, as long as one of several sources is open", async () => {
    client = await startClient({ folder });
    const other = uriOf(join(folder, "b.cl"));
    await client.open(opened, source);
    await soon(header, ["address-space-cast"]);
    await client.open(other, source.replace("k(", "other("));
    await client.diagnostics(other);
    await client.close(opened);
    await client.replace(other, "help(g);", "help(g); local int *l = (local int *)g;");
    expect(await client.diagnostics(other, ({ length }) => length === 1)).toHaveLength(1);
    expect(rulesIn(header)).toEqual(["address-space-cast"]);
    await client.close(other);
    await soon(header, []);
    expect(timesPublished(header)).toBe(2);
  });

  it("loses its findings when it is mended on disk, and when the source no longer includes it", async () => {
    client = await startClient({ folder });
    await client.open(opened, source);
    await soon(header, ["address-space-cast"]);
    await writeWhole(join(folder, "help.h"), right);
    await client.changedOnDisk(join(folder, "help.h"));
    await soon(header, []);
    await writeWhole(join(folder, "help.h"), wrong);
    await client.changedOnDisk(join(folder, "help.h"));
    await soon(header, ["address-space-cast"]);
    await client.replace(opened, '#include "help.h"', "");
    await soon(header, []);
  });

  it("follows edits of the source that change what it means", async () => {
    client = await startClient({ folder });
    await writeWhole(join(folder, "help.h"), wrong.replaceAll("local", "SPACE"));
    await client.open(opened, `#define SPACE global\n${source}`);
    await client.diagnostics(opened);
    await client.replace(opened, "SPACE global", "SPACE local");
    await soon(header, ["address-space-cast"]);
    await client.replace(opened, "SPACE local", "SPACE global");
    await soon(header, []);
  });

  it("shows them as the open file's own while it is open, and afterwards again", async () => {
    client = await startClient({ folder });
    await client.open(opened, source);
    await soon(header, ["address-space-cast"]);
    await client.open(header, wrong, "cpp");
    expect(await client.diagnostics(header)).toHaveLength(1);
    await client.replace(header, "(local int *)g", "0");
    expect(await client.diagnostics(header)).toEqual([]);
    await client.close(header);
    await soon(header, ["address-space-cast"]);
    await client.close(opened);
    await soon(header, []);
  });

  it("is silent if the settings exclude it or it lies outside of the folder", async () => {
    await mkdir(join(folder, "inside/vendor"), { recursive: true });
    await writeWhole(join(folder, "inside/gpu-qualifiers.json"), '{ "exclude": ["vendor/**"] }\n');
    await writeWhole(join(folder, "inside/vendor/help.h"), wrong);
    client = await startClient({ folder: join(folder, "inside") });
    const both = uriOf(join(folder, "inside/a.cl"));
    await client.open(both, `#include "vendor/help.h"\n#include "../help.h"\n#include "own.h"\n`);
    await writeWhole(join(folder, "inside/own.h"), wrong.replace("help", "own"));
    await client.changedOnDisk(join(folder, "inside/own.h"));
    await soon(uriOf(join(folder, "inside/own.h")), ["address-space-cast"]);
    expect(rulesIn(uriOf(join(folder, "inside/vendor/help.h")))).toEqual([]);
    expect(rulesIn(header)).toEqual([]);
  });

  it("is left to the editor that asks for diagnostics", async () => {
    client = await startClient({ folder, capabilities: { textDocument: { diagnostic: {} } } });
    await client.open(opened, source);
    await client.replace(opened, "help(g);", "help(g);;");
    await client.close(opened);
    expect(timesPublished(header)).toBe(0);
  });
});
