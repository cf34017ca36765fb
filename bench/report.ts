/** Presents the figures: percentiles, the machine that they come from, and a table in Markdown. */
import { spawnSync } from "node:child_process";
import { cpus, loadavg, release, totalmem } from "node:os";
import type { ServerName } from "./servers.ts";

/** One row of repeated measurements. */
export interface Result {
  readonly server: ServerName;
  readonly language: "cuda" | "opencl";
  /** The approximate number of lines of the file, and of each of its functions. */
  readonly lines: number;
  readonly functionLines: number;
  readonly kind: string;
  readonly unit: "ms" | "MB";
  readonly count: number;
  readonly p50: number;
  /** Absent in older results. */
  readonly p90?: number;
  readonly p99: number;
  /** The server's processor time for each, in milliseconds. */
  readonly processor?: number;
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
  readonly clangd: string;
  readonly commit: string;
  readonly date: string;
  /** The load of the machine: processes that needed a core over the last minute, at the start. */
  readonly load: string;
  /** The number of parts, if several of them ran side by side. */
  readonly parts?: number;
}

export function summarized(values: readonly number[]): {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
} {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

export function rounded(value: number): number {
  return value < 100 ? Math.round(value * 10) / 10 : Math.round(value);
}

export function describeMachine(clangd: string | undefined): Machine {
  const [first, ...more] = cpus();
  return {
    processor: first?.model.trim() ?? "unknown",
    cores: more.length + 1,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `Linux ${release()}`,
    node: process.version,
    clangd: clangd ?? "not installed",
    commit: commitHere(),
    date: new Date().toISOString().slice(0, 10),
    load: (loadavg()[0] ?? 0).toFixed(1),
  };
}

/** A row for each file and kind, the servers beside each other. */
export function tableOf(results: readonly Result[]): string {
  const rows = new Map<string, Map<ServerName, Result>>();
  for (const result of results) {
    const { language, lines, functionLines, kind } = result;
    const size = lines === 0 ? "" : lines.toLocaleString("en");
    const functions = functionLines === 0 ? "" : `${functionLines}`;
    const key = `| ${kind} | ${language === "cuda" ? ".cu" : ".cl"} | ${size} | ${functions} |`;
    const row = rows.get(key) ?? new Map<ServerName, Result>();
    rows.set(key, row.set(result.server, result));
  }
  const cell = (result: Result | undefined) => {
    if (result === undefined) return " |  |";
    const { unit, count, p50, p99, processor } = result;
    const figures = count === 1 ? `${p50} ${unit}` : `${p50} / ${p99} ${unit}`;
    return ` ${figures} | ${processor === undefined ? "" : `${processor} ms`} |`;
  };
  const times = (ours: Result | undefined, other: Result | undefined) =>
    ours === undefined || other === undefined || ours.unit !== "ms" ? "" : `${rounded(other.p50 / ours.p50)} ×`;
  return [
    "| edit | file | lines | lines of a function | gpu-qualifiers p50 / p99 | processor | clangd p50 / p99 | processor | clangd takes |",
    "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ...[...rows].map(
      ([key, row]) =>
        `${key}${cell(row.get("gpu-qualifiers"))}${cell(row.get("clangd"))} ${times(row.get("gpu-qualifiers"), row.get("clangd"))} |`,
    ),
  ].join("\n");
}

/** The commit of the working tree, and whether the server differs from it; "unknown" outside of a clone. */
function commitHere(): string {
  const git = (...parameters: readonly string[]) => spawnSync("git", parameters, { encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "--short", "HEAD");
  if (status !== 0) return "unknown";
  return stdout.trim() + (git("status", "--porcelain", "--", "server").stdout === "" ? "" : " with changes");
}
