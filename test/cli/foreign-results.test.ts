/** Results that another program or another user may have written: in the cache, or in a summary. None of them is believed. */
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../server/src/node/answer-store.ts";
import type { FileCheck } from "../../server/src/service.ts";
import { runs, seedOf } from "../effort.ts";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { folderWith, nonConst, type Run } from "./run.ts";

interface Entry {
  state: string;
  learnt: FileCheck;
}

const mark = "<root>";

/** A project with a cache, whose only entry is changed. */
async function withEntry(change: (entry: Entry) => unknown): Promise<{ folder: string; store: string; first: Run }> {
  const folder = folderWith({ "gpu-qualifiers.json": "{}", "a.cu": nonConst });
  const store = join(folder, ".cache");
  const first = await runHere(["check", "a.cu"], folder, "", store);
  const [path] = readdirSync(store, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".answer"))
    .map((entry) => join(entry.parentPath, entry.name));
  if (path === undefined) throw new Error("nothing is stored");
  const text = inflateRawSync(readFileSync(path)).toString();
  // The mark for the project's folder is not a character that JSON has.
  const entry = JSON.parse(text.slice(text.indexOf("\n") + 1).replaceAll("\u0001", mark)) as Entry;
  const changed = JSON.stringify(change(entry)).replaceAll(mark, "\u0001");
  writeFileSync(path, deflateRawSync(`${hashOf(changed)}\n${changed}`));
  return { folder, store, first };
}

function withDiagnostic(entry: Entry, members: object): Entry {
  const { learnt } = entry;
  const diagnostics = learnt.report.diagnostics.map((diagnostic) => ({ ...diagnostic, ...members }));
  return { ...entry, learnt: { ...learnt, report: { ...learnt.report, diagnostics } } };
}

describe("an entry of the cache", () => {
  it("is ignored if it has a wrong form, wherever that is", async () => {
    const { folder, store, first } = await withEntry((entry) => entry);
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000), fc.constantFrom(null, "x", 7, -1, {}, [], true, { start: 3, end: 1 }), async (at, value) => {
        const changed = await withEntry((entry) => {
          const places: { holder: Record<string, unknown>; key: string }[] = [];
          const walk = (holder: Record<string, unknown>) => {
            for (const [key, inner] of Object.entries(holder)) {
              places.push({ holder, key });
              if (typeof inner === "object" && inner !== null) walk(inner as Record<string, unknown>);
            }
          };
          walk(entry as unknown as Record<string, unknown>);
          const place = places[at % places.length];
          if (place !== undefined) place.holder[place.key] = value;
          return entry;
        });
        const run = await runHere(["check", "a.cu"], changed.folder, "", changed.store);
        // A member may be missing, or have another value of the right form.
        expect([0, 1]).toContain(run.code);
        expect(`${run.out}${run.error}`).not.toMatch(/mistake in gpu-qualifiers|RangeError| {4}at /);
      }),
      { numRuns: runs(25), seed: seedOf(23) },
    );
    expect(await runHere(["check", "a.cu"], folder, "", store)).toEqual(first);
  });

  it("cannot control the terminal", async () => {
    const { folder, store } = await withEntry((entry) => withDiagnostic(entry, { message: "\u001b[2Jx\n::error::y\u202e" }));
    for (const format of ["text", "pretty", "github", "junit"]) {
      const { out } = await runHere(["check", "--format", format, "a.cu"], folder, "", store);
      expect(out).toContain(
        "<U+001B>".replaceAll("<", format === "junit" ? "&lt;" : "<").replaceAll(">", format === "junit" ? "&gt;" : ">"),
      );
      for (const raw of ["\u001b", "\u202e", "\n::error::y"]) expect(out).not.toContain(raw);
    }
  });

  it("is never written by --fix", async () => {
    const planted = { title: "x", isPreferred: true };
    const span = { start: 0, end: 1 };
    const { folder, store } = await withEntry((entry) =>
      withDiagnostic(entry, { fixes: [{ ...planted, edits: [{ location: { uri: entry.learnt.report.uri, span }, text: "PLANTED" }] }] }),
    );
    expect((await runHere(["check", "--fix", "a.cu"], folder, "", store)).code).toBe(0);
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toBe(nonConst.replace("(__grid", "(const __grid"));
  });

  it.runIf(process.getuid !== undefined)(
    `is not used if others can write into the folder, which is said${unless(process.getuid !== undefined, "the system has no users")}`,
    async () => {
      const { folder, store, first } = await withEntry((entry) => withDiagnostic(entry, { message: "planted" }));
      chmodSync(store, 0o777);
      const { code, out, error } = await runHere(["check", "a.cu"], folder, "", store);
      expect([code, out]).toEqual([first.code, first.out]);
      expect(error).toContain(`gpu-qualifiers: the cache in '${store}' is not used: other users can write there\n`);
    },
  );

  it.runIf(process.getuid !== undefined)(
    `leads to no other file through links that others made${unless(process.getuid !== undefined, "the system has no users")}`,
    async () => {
      const folder = folderWith({ "gpu-qualifiers.json": "{}", "a.cu": nonConst, "mine/notes.tmp": "notes" });
      const store = join(folder, ".cache");
      const notes = join(folder, "mine/notes.tmp");
      mkdirSync(store);
      symlinkSync(notes, join(store, "pruned"));
      symlinkSync(join(folder, "mine"), join(store, "ab"));
      chmodSync(store, 0o777);
      utimesSync(notes, 0, 0);
      await runHere(["check", "a.cu"], folder, "", store);
      await runHere(["cache", "clear"], folder, "", store);
      expect(readFileSync(notes, "utf8")).toBe("notes");
    },
  );

  // Only root can give a file to another user.
  it.runIf(process.getuid?.() === 0)(
    `is not used if another user owns it or the folder${unless(process.getuid?.() === 0, "the user is not root")}`,
    async () => {
      const { folder, store, first } = await withEntry((entry) => withDiagnostic(entry, { message: "planted" }));
      const [path] = readdirSync(store, { recursive: true, withFileTypes: true })
        .filter(({ name }) => name.endsWith(".answer"))
        .map((entry) => join(entry.parentPath, entry.name));
      const check = () => runHere(["check", "a.cu"], folder, "", store);
      expect((await check()).out).toContain("planted");
      chownSync(store, 12_345, 12_345);
      const { out, error } = await check();
      expect([out, error]).toEqual([first.out, expect.stringContaining(`the cache in '${store}' is not used`)]);
      chownSync(store, 0, 0);
      chownSync(path ?? "", 12_345, 12_345);
      expect((await check()).out).toBe(first.out);
    },
  );
});

it.each([null, {}, ["k"], ["k", 5], "x"])("a summary with a line of a wrong form is refused: %j", async (line) => {
  const folder = folderWith({ "gpu-qualifiers.json": "{}", "a.cu": nonConst });
  const rest = [`${JSON.stringify(line)}\n`];
  writeFileSync(join(folder, "s.sum"), `${JSON.stringify({ gpuQualifiersSummaries: 1, hash: hashOf(rest) })}\n${rest.join("")}`);
  expect(await runHere(["link", "s.sum"], folder)).toEqual({
    code: 2,
    out: "",
    error: "gpu-qualifiers: 's.sum' is not a whole summary file of gpu-qualifiers\n",
  });
});
