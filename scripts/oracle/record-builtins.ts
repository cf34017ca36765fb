/**
 * Asks clang for the address spaces that each builtin function accepts, in every OpenCL dialect, and records the answers for the
 * unit test of `semantics/builtins/`. Run: `npx tsx scripts/oracle/record-builtins.ts`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtinCalls, callingFunction, instantiate } from "../../test/unit/semantics/builtin-calls.ts";
import { clangFlags } from "./compilers.ts";

const passes = ["CL1.2", "CL2.0", "CL3.0", "CL3.0min", "clc++1.0", "clc++2021"];
const withoutGeneric = new Set(["CL1.2", "CL3.0min"]);

function record(pass: string): Readonly<Record<string, string>> {
  const recorded: Record<string, string> = {};
  const cases = builtinCalls.flatMap((template) => instantiate(template, !withoutGeneric.has(pass)).map((call) => ({ template, call })));
  const folder = mkdtempSync(join(tmpdir(), "builtins-"));
  try {
    writeFileSync(join(folder, "all.cl"), cases.map(({ call }, index) => callingFunction(call, index)).join("\n"));
    const { stderr, error } = spawnSync(process.env.CLANG ?? "clang-22", [...clangFlags(pass), "all.cl"], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (error !== undefined) throw error;
    const said = new Map<number, string>();
    for (const [, line, message] of stderr.matchAll(/^all\.cl:(\d+):\d+: error: (.*)$/gm)) said.set(Number(line), message ?? "");
    for (const [index, { template }] of cases.entries()) {
      const message = said.get(index + 1);
      // A missing function or type shows nothing about address spaces.
      const code = message === undefined ? "y" : /undeclared|unknown type name|use of type|invalid use/.test(message) ? "-" : "n";
      recorded[template] = (recorded[template] ?? "") + code;
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return recorded;
}

const result = Object.fromEntries(passes.map((pass) => [pass, record(pass)]));
writeFileSync(join(import.meta.dirname, "../../test/unit/semantics/builtins.verdicts.json"), `${JSON.stringify(result, null, 1)}\n`);
