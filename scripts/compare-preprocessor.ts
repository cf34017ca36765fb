/**
 * Compares Views with the output of clang's preprocessor for the same files, token by token: `npx tsx
 * scripts/compare-preprocessor.ts [--show N] [--jobs N] [--every N] FOLDER|FILE … -- FLAG …`. Both get the flags (`-D -U -I
 * -cl-std`). Headers are compared as part of their includer. Both sides are brought to canonical spelling, and `#pragma` lines are
 * left out. Missing headers count as empty, because clang continues after them.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { type CompileSettings, type Dialect, dialectsOf, languageOfName, noSettings, type OpenCLStandard } from "../server/src/dialect.ts";
import { cudaWords, type LanguageMode, languageModeOf } from "../server/src/preprocess/canonical.ts";
import { createInterner } from "../server/src/preprocess/lexing/interner.ts";
import { textOf, tokenize } from "../server/src/preprocess/lexing/lexer.ts";
import { createPreprocessor } from "../server/src/preprocess/preprocessor.ts";
import type { Unit } from "../server/src/preprocess/view/view.ts";
import type { Files } from "../server/src/source.ts";

const words = process.argv.slice(2);
const split = words.includes("--") ? words.indexOf("--") : words.length;
const [own, flags] = [words.slice(0, split), words.slice(split + 1)];
const shown = Number(optionOf("--show") ?? 3);
const jobs = Number(optionOf("--jobs") ?? 2);
const roots = own.filter((word, at) => !word.startsWith("--") && !own[at - 1]?.startsWith("--"));

const listed = roots.flatMap((root) => filesBelow(resolve(root)));
const every = Number(optionOf("--every") ?? 1);
const sources = listed
  .filter((path) => languageOfName(path) !== undefined && ![".cuh", ".clh"].includes(extname(path)))
  .filter((_, index) => index % every === 0);
const texts = new Map<string, string | "absent">();
const files: Files = {
  read: (uri) => {
    const known = texts.get(uri);
    if (known !== undefined) return known;
    const text = readText(uri.slice("file://".length));
    texts.set(uri, text);
    return text;
  },
  // Without a list, headers are found only through the folders that clang searches too.
  list: () => [],
};
const settings = settingsOf(flags);
const preprocessor = createPreprocessor(files);
const interner = createInterner();
/** The number of tokens after which two texts are no longer resynchronized. */
const window = 4000;
const totals = { same: 0, different: 0, refused: 0, tokens: 0, wrong: 0, milliseconds: 0 };
const queue = [...sources];
await Promise.all(Array.from({ length: jobs }, worker));
const { same, different, refused, tokens, wrong, milliseconds } = totals;
console.log(`${sources.length} files: ${same} equal, ${different} different, ${refused} that clang gives up on`);
console.log(`${tokens} tokens compared, ${wrong} in different stretches; ours took ${Math.round(milliseconds)} ms`);

function optionOf(name: string): string | undefined {
  const at = own.indexOf(name);
  return at < 0 ? undefined : own[at + 1];
}

async function worker(): Promise<void> {
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) await compare(path);
}

async function compare(path: string): Promise<void> {
  const uri = `file://${path}`;
  const language = languageOfName(uri) ?? "opencl";
  const [dialect] = dialectsOf(language, settings, uri);
  if (dialect === undefined) return;
  const start = performance.now();
  const unit = preprocessor.unit(uri, dialect, settings);
  totals.milliseconds += performance.now() - start;
  if (typeof unit === "string") return;
  const output = await clang(path, dialect);
  if (output === undefined) {
    totals.refused += 1;
    return;
  }
  const mode = languageModeOf(dialect);
  const ours = tokensOf(flattened(unit), mode);
  const theirs = tokensOf(withoutPragmas(output), mode);
  totals.tokens += theirs.length;
  const stretches = differences(ours, theirs);
  if (stretches.length === 0) {
    totals.same += 1;
    return;
  }
  totals.different += 1;
  totals.wrong += stretches.reduce((sum, { length }) => sum + length, 0);
  if (totals.different > shown) return;
  console.log(path);
  for (const { at, other } of stretches.slice(0, 3)) {
    console.log(`  ours  ${ours.slice(Math.max(0, at - 6), at + 16).join(" ")}`);
    console.log(`  clang ${theirs.slice(Math.max(0, other - 6), other + 16).join(" ")}`);
  }
  for (const { message, location } of unit.notes.slice(0, 3)) console.log(`  note  ${message} (${location.span.start})`);
}

/** A unit's text with the texts of its headers in place. */
function flattened(unit: Unit): string {
  let text = "";
  let from = 0;
  for (const { at, unit: header } of unit.includes) {
    text += `${unit.view.text.slice(from, at)}\n${header === undefined ? "" : flattened(header)}\n`;
    from = at;
  }
  return text + unit.view.text.slice(from);
}

function tokensOf(text: string, mode: LanguageMode): readonly string[] {
  const list = tokenize(text, interner, mode.cplusplus);
  const result: string[] = [];
  for (let at = 0; at < list.count; at += 1) {
    // Our `__FILE__` is the file's name alone.
    const token = textOf(list, at, interner).replace(/^"\/[^"]*\/([^"/]+\.\w+)"$/, '"$1"');
    const canonical = mode.spellings.get(token) ?? token;
    // In C++ for OpenCL `private` keeps its spelling as an access specifier.
    if (canonical !== "") result.push(canonical === "__private" ? "private" : canonical);
  }
  return result;
}

function withoutPragmas(text: string): string {
  return text.replace(/^[ \t]*#[ \t]*(?:pragma|ident)\b.*$/gm, "");
}

/** Differing sections, found by resynchronizing on runs of equal tokens. */
function differences(
  ours: readonly string[],
  theirs: readonly string[],
): readonly { readonly at: number; readonly other: number; readonly length: number }[] {
  const found: { at: number; other: number; length: number }[] = [];
  let a = 0;
  let b = 0;
  while (a < ours.length || b < theirs.length) {
    if (ours[a] === theirs[b]) {
      a += 1;
      b += 1;
      continue;
    }
    const next = resynchronized(ours, theirs, a, b);
    found.push({ at: a, other: b, length: Math.max(next.a - a, next.b - b) });
    a = next.a;
    b = next.b;
    if (found.length > 1000) break;
  }
  return found;
}

function resynchronized(
  ours: readonly string[],
  theirs: readonly string[],
  a: number,
  b: number,
): { readonly a: number; readonly b: number } {
  const keyAt = (list: readonly string[], at: number) => list.slice(at, at + 8).join(" ");
  const seen = new Map<string, number>();
  for (let at = b; at < Math.min(theirs.length - 7, b + window); at += 1) if (!seen.has(keyAt(theirs, at))) seen.set(keyAt(theirs, at), at);
  for (let at = a; at < Math.min(ours.length - 7, a + window); at += 1) {
    const other = seen.get(keyAt(ours, at));
    if (other !== undefined) return { a: at, b: other };
  }
  return { a: ours.length, b: theirs.length };
}

function clang(path: string, dialect: Dialect): Promise<string | undefined> {
  const language =
    dialect.language === "opencl"
      ? [
          "-cc1",
          "-x",
          dialect.cplusplus ? "clcpp" : "cl",
          "-triple",
          "spir64-unknown-unknown",
          ...(settings.openclStandard === undefined ? [`-cl-std=${dialect.standard}`] : []),
        ]
      : cudaFlags(dialect.standard);
  return new Promise((done) => {
    execFile("clang-22", [...language, "-E", "-P", ...flags, path], { maxBuffer: 1 << 30 }, (error, stdout) =>
      done(error?.signal === undefined || error?.signal === null ? stdout : undefined),
    );
  });
}

/** CUDA without a toolkit: the macros of nvcc, no headers. */
function cudaFlags(standard: number): readonly string[] {
  const macros = [
    "__NVCC__",
    "__CUDACC__",
    "__CUDACC_VER_MAJOR__=13",
    "__CUDACC_VER_MINOR__=0",
    "__CUDACC_VER_BUILD__=88",
    "__CUDA_ARCH_LIST__=800",
    "__CUDACC_EXTENDED_LAMBDA__",
    "__CUDACC_RELAXED_CONSTEXPR__",
    "CUDART_VERSION=13000",
    "CUDA_VERSION=13000",
    "__CUDA_API_VER_MAJOR__=13",
  ];
  const gcc = ["__GNUC__=12", "__GNUC_MINOR__=2", "__GNUG__=12"];
  const keywords = cudaWords.map((word) => `-D${word}=${word}`);
  return [
    "-cc1",
    "-x",
    "cuda",
    "-triple",
    "nvptx64-nvidia-cuda",
    "-aux-triple",
    "x86_64-unknown-linux-gnu",
    "-fcuda-is-device",
    "-target-cpu",
    "sm_80",
    `-std=gnu++${standard}`,
    "-undef",
    "-D__cplusplus=201703L",
    "-D__CUDA_ARCH__=800",
    "-D__x86_64__",
    "-D__x86_64",
    "-D__linux__",
    "-D__LP64__",
    "-D__SIZEOF_INT128__=16",
    "-D__cpp_if_constexpr=201606L",
    "-D__INT_MAX__=2147483647",
    "-D__CHAR_BIT__=8",
    ...[...macros, ...gcc].map((macro) => `-D${macro}`),
    ...keywords,
  ];
}

function settingsOf(list: readonly string[]): CompileSettings {
  let result: CompileSettings = noSettings;
  for (const flag of list) {
    const [, kind, name = "", value] = /^-([DU])([^=]*)(?:=(.*))?$/s.exec(flag) ?? [];
    if (kind !== undefined) result = { ...result, macros: [...result.macros, { name, value: kind === "U" ? undefined : (value ?? "1") }] };
    else if (flag.startsWith("-I")) result = { ...result, includePaths: [...result.includePaths, `file://${resolve(flag.slice(2))}`] };
    else if (flag.startsWith("-cl-std=")) result = { ...result, openclStandard: flag.slice(8) as OpenCLStandard };
    else throw new Error(`'${flag}' cannot be given to both`);
  }
  return result;
}

function filesBelow(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : entry.isFile() ? [join(path, entry.name)] : []));
}

function readText(path: string): string | "absent" {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "absent";
  } catch {
    return "absent";
  }
}
