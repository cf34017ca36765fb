/**
 * Measures edits of a header that fifty files include, ten of which are open: how long the header's own diagnostics take, and how
 * long those of the open files that include it. A server that does not publish the latter has no figure.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quiet, startEditor } from "./editor.ts";
import { commonDeclarations, type Language, makeSource, randomNumbers } from "./generate.ts";
import { type Result, rounded, summarized } from "./report.ts";
import { commandOf, type ServerName } from "./servers.ts";

const includers = 50;
const open = 10;
/** Milliseconds without diagnostics after which no more are expected. */
const silence = 300;

export async function measureHeader(
  server: ServerName,
  language: Language,
  folder: string,
  { edits, seconds }: { readonly edits: number; readonly seconds: number },
): Promise<readonly Result[]> {
  mkdirSync(folder, { recursive: true });
  const [source, header, languageId] = language === "cuda" ? ["cu", "common.cuh", "cuda-cpp"] : ["cl", "common.clh", "opencl"];
  const common = commonDeclarations(language);
  const paths = Array.from({ length: includers }, (_, index) => join(folder, `part${index}.${source}`));
  const texts = paths.map((_, index) => makeSource({ language, lines: 200, functionLines: 20, seed: index + 1, header }));
  for (const [index, path] of paths.entries()) writeFileSync(path, texts[index] ?? "");
  const headerPath = join(folder, header);
  writeFileSync(headerPath, common);

  const editor = await startEditor(commandOf(server, language, folder));
  for (const [index, path] of paths.slice(0, open).entries()) await editor.open(path, texts[index] ?? "", languageId);
  await editor.open(headerPath, common, languageId);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const random = randomNumbers(5);
  const own: number[] = [];
  const all: number[] = [];
  let processor = 0;
  const end = performance.now() + 2 * seconds * 1_000;
  for (let index = 0; index < edits && (index < 10 || performance.now() < end); index++) {
    const text = editor.textOf(headerPath);
    const isMember = random() < 0.5;
    const place = isMember
      ? text.search(/(?<=(struct [^\n]*|float4 position;)) (?=float)/)
      : text.search(/(?<=#define WIDTH \d+)(?= \/\/|$)/m);
    const before = editor.processorTime();
    const from = editor.published.length;
    const at = performance.now();
    const change = { offset: place, length: 0, text: isMember ? ` float added${index};` : ` // ${index}` };
    own.push(await editor.change(headerPath, change));
    await quiet(editor, silence);
    processor += editor.processorTime() - before;
    const others = editor.published.slice(from).filter(({ path }) => path !== headerPath);
    if (isMember && others.length > 0) all.push(Math.max(...others.map((other) => other.at)) - at);
  }
  await editor.stop();
  const row = { server, language, lines: 200, functionLines: 20, unit: "ms" } as const;
  return [
    { ...row, kind: "in a header that 50 files include", ...summarized(own), processor: rounded(processor / own.length) },
    ...(all.length === 0 ? [] : [{ ...row, kind: "the same, until open files that include it are up to date", ...summarized(all) }]),
  ];
}
