/**
 * `npm run bench`: how long a check takes, and how long it is from a keystroke to the published diagnostics, through the
 * real programs. It prints figures and judges nothing: no test depends on how fast a machine is.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, startClient, uriOf } from "../test/lsp/client.ts";
import { cudaSource, openclSource } from "./generate.ts";

const lines = Number(process.argv[2] ?? 2_000);
const runs = Number(process.argv[3] ?? 100);
const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-bench-"));

const samples = [
  { name: "OpenCL", file: "big.cl", text: openclSource(lines), before: "return native_sqrt(sum", flags: [] },
  { name: "OpenCL, -cl-std=CL1.2", file: "big.cl", text: openclSource(lines), before: "return native_sqrt(sum", flags: ["-cl-std=CL1.2"] },
  { name: "CUDA", file: "big.cu", text: cudaSource(lines), before: "return tile[0", flags: [] },
];

try {
  console.log(`${lines} lines, ${runs} keystrokes, Node ${process.version}, milliseconds\n`);
  for (const sample of samples) {
    const path = join(folder, sample.file);
    writeFileSync(path, sample.text);
    print(
      `${sample.name}: whole program, check and exit`,
      Array.from({ length: 5 }, () => timeOfProgram(path, sample.flags)),
    );
    const { first, keystrokes, megabytes } = await timeOfServer(path, sample);
    print(`${sample.name}: opening the file`, [first]);
    print(`${sample.name}: keystroke to diagnostics`, keystrokes);
    console.log(`${`${sample.name}: server's memory at the end`.padEnd(58)} ${megabytes} MB`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function timeOfProgram(path: string, flags: readonly string[]): number {
  const start = performance.now();
  spawnSync(process.execPath, [join(root, "dist/cli.js"), "check", path, "--", ...flags], { stdio: "ignore" });
  return performance.now() - start;
}

async function timeOfServer(path: string, sample: (typeof samples)[number]) {
  const client = await startClient({ folder, initializationOptions: { flags: sample.flags } });
  const uri = uriOf(path);
  const openedAt = performance.now();
  await client.open(uri, sample.text);
  await client.diagnostics(uri);
  const first = performance.now() - openedAt;
  const keystrokes: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = performance.now();
    // Types a letter in the middle of the file, then takes it back.
    if (i % 2 === 0) await client.replace(uri, sample.before, `${sample.before}x`);
    else await client.replace(uri, `${sample.before}x`, sample.before);
    await client.diagnostics(uri);
    keystrokes.push(performance.now() - start);
  }
  const megabytes = memoryOf(client.process.pid);
  await client.stop();
  return { first, keystrokes, megabytes };
}

function memoryOf(pid: number | undefined): number {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Math.round(Number(stdout) / 1024);
}

function print(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  const spread = times.length === 1 ? at(0) : `p50 ${at(0.5)}, p99 ${at(0.99)}, least ${at(0)}, most ${at(1)}`;
  console.log(`${what.padEnd(58)} ${spread}`);
}
