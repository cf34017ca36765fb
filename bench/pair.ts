/**
 * Measures edits of a header and of the source that includes it, both open and of equal length: how long the diagnostics of the edited
 * file take, and how long until those of the other file are up to date. A server that does not publish the latter has no figure.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quiet, startEditor } from "./editor.ts";
import { type EditName, editKinds } from "./edits.ts";
import { type Language, makeFunctions, makeSource, randomNumbers } from "./generate.ts";
import { type Result, rounded, summarized } from "./report.ts";
import { commandOf, type ServerName } from "./servers.ts";

/** The edits, and the file of each. */
const edits: readonly (readonly [file: "header" | "source", kind: EditName])[] = [
  ["header", "body"],
  ["header", "statement"],
  ["header", "parameter"],
  ["source", "body"],
  ["source", "statement"],
];
const functionLines = 20;
/**
 * Milliseconds without diagnostics after which no more are expected. Our server collects garbage one second after the last message, which
 * takes up to 200 ms at this length, and must not have to do that for the next edit alone.
 */
const silence = 1_600;

/** Measures a source and a header of `lines` lines each. */
export async function measurePair(
  server: ServerName,
  language: Language,
  lines: number,
  folder: string,
  limits: { readonly edits: number; readonly seconds: number; readonly pause: number },
  nodeFlags: readonly string[],
): Promise<readonly Result[]> {
  mkdirSync(folder, { recursive: true });
  const [extension, headerExtension, languageId] = language === "cuda" ? ["cu", "cuh", "cuda-cpp"] : ["cl", "clh", "opencl"];
  const paths = { header: join(folder, `pair.${headerExtension}`), source: join(folder, `pair.${extension}`) };
  const texts = {
    header: `#pragma once\n${makeSource({ language, lines, functionLines, seed: 1 })}`,
    source: `#include "pair.${headerExtension}"\n${makeFunctions(language, lines, functionLines, "pair", 2)}`,
  };
  for (const file of ["header", "source"] as const) writeFileSync(paths[file], texts[file]);
  const editor = await startEditor(commandOf(server, language, folder, nodeFlags));
  for (const file of ["source", "header"] as const) await editor.open(paths[file], texts[file], languageId);
  await quiet(editor, silence);
  const results: Result[] = [];
  const row = { server, language, lines, functionLines, unit: "ms" } as const;
  for (const [file, kind] of edits) {
    const random = randomNumbers(edits.length + results.length);
    const path = paths[file];
    const own: number[] = [];
    const other: number[] = [];
    let processor = 0;
    const end = performance.now() + limits.seconds * 1_000;
    for (let index = 0; own.length < limits.edits && (own.length < 10 || performance.now() < end); index += 1) {
      const before = editor.processorTime();
      const from = editor.published.length;
      let at = performance.now();
      for (const { change, isMeasured } of editKinds[kind].edit({ text: editor.textOf(path), language, random, index })) {
        at = performance.now();
        const time = await editor.change(path, change);
        if (isMeasured) own.push(time);
        await new Promise((resolve) => setTimeout(resolve, limits.pause));
      }
      await quiet(editor, silence);
      processor += editor.processorTime() - before;
      const others = editor.published.slice(from).filter((published) => published.path !== path && published.at > at);
      if (others.length > 0) other.push(Math.max(...others.map((each) => each.at)) - at);
    }
    const where = `${editKinds[kind].what}, in a ${file}${file === "header" ? " that an open file includes" : " that includes an open header"}`;
    results.push({ ...row, kind: where, ...summarized(own), processor: rounded(processor / own.length) });
    if (other.length > 0) results.push({ ...row, kind: `${where}: until the other file is up to date`, ...summarized(other) });
  }
  await editor.stop();
  return results;
}
