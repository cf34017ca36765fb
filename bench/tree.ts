/**
 * Measures words that are typed in files of a real source tree, one file after the other: a comment, a statement and its removal, key by
 * key, at random places between the lines of its functions. The files are copies in memory; the tree is not written.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { quiet, startEditor } from "./editor.ts";
import { randomNumbers } from "./generate.ts";
import { type Result, rounded, summarized } from "./report.ts";
import { commandOf } from "./servers.ts";

const silence = 2_000;

/** Measures our server in these files of a tree; all are open, as in an editor. */
export async function measureTree(
  tree: string,
  files: readonly string[],
  limits: { readonly edits: number; readonly seconds: number; readonly pause: number },
  nodeFlags: readonly string[],
): Promise<readonly Result[]> {
  const editor = await startEditor(commandOf("gpu-qualifiers", "cuda", tree, nodeFlags));
  const paths = files.map((file) => join(tree, file));
  for (const path of paths) await editor.open(path, readFileSync(path, "utf8"), path.endsWith(".cl") ? "opencl" : "cuda-cpp");
  await quiet(editor, silence);
  const results: Result[] = [];
  for (const [at, path] of paths.entries()) {
    const random = randomNumbers(at + 1);
    const times: number[] = [];
    let processor = 0;
    const end = performance.now() + limits.seconds * 1_000;
    for (let place = 0; times.length < limits.edits && (times.length < 10 || performance.now() < end); place++) {
      for (const change of wordsAt(editor.textOf(path), random, place)) {
        const before = editor.processorTime();
        times.push(await editor.change(path, change));
        await new Promise((resolve) => setTimeout(resolve, limits.pause));
        processor += editor.processorTime() - before;
      }
    }
    const lines = editor.textOf(path).split("\n").length;
    const kind = `words typed in ${files[at] ?? path}, each key`;
    const row = {
      server: "gpu-qualifiers",
      language: path.endsWith(".cl") ? "opencl" : "cuda",
      lines,
      functionLines: 0,
      unit: "ms",
    } as const;
    results.push({ ...row, kind, ...summarized(times), processor: rounded(processor / times.length) });
    await quiet(editor, silence);
  }
  await editor.stop();
  return results;
}

/** A word in a comment or a statement behind some line that ends a statement, typed and then deleted again, key by key. */
function wordsAt(text: string, random: () => number, place: number): readonly { offset: number; length: number; text: string }[] {
  const ends = /;\n(?=[ \t]+\w)/g;
  ends.lastIndex = Math.floor(random() * text.length);
  const found = ends.exec(text) ?? /;\n(?=[ \t]+\w)/.exec(text);
  if (found === null) throw new Error("the text has no statement");
  const offset = found.index + found[0].length;
  const words = place % 2 === 0 ? `    // note ${place}: it isn't done\n` : `    int fresh${place} = ${place} + 1;\n`;
  const typed = [...words].map((key, at) => ({ offset: offset + at, length: 0, text: key }));
  const deleted = [...words].map((_, at) => ({ offset: offset + words.length - 1 - at, length: 1, text: "" }));
  return [...typed, ...deleted];
}
