/**
 * The tools for programming assistants: which command each runs, and what its answer contains. An answer is short, because an
 * assistant reads all of it: findings without the edits of their fixes, and at most a hundred.
 */
import * as z from "zod";
import type { CommandResult, Commands } from "./commands.ts";

const most = 100;

const paths = z.array(z.string()).describe("files and folders, relative to the project's folder");
const flags = z
  .array(z.string())
  .default([])
  .describe("compiler flags in addition to the project's own, such as -DTILE=16, -cl-std=CL2.0, -arch=sm_90; usually none are needed");
const level = z.enum(["error", "warning", "info", "hint"]).default("warning").describe("the lowest severity to report");

const place = { file: z.string(), line: z.number().describe("from 1"), column: z.number().describe("from 1") };

/** The answer of `check` and `fix`. */
export const findingsSchema = z.object({
  total: z.number().describe(`the number of findings; only the first ${most} are listed`),
  findings: z.array(
    z.object({
      ...place,
      severity: z.string(),
      rule: z.string().describe("the tool 'explain' explains it"),
      message: z.string(),
      related: z.array(z.object({ ...place, message: z.string() })),
      isFixable: z.boolean().describe("the tool 'fix' would fix it"),
      fixes: z.array(z.object({ title: z.string(), isPreferred: z.boolean().describe("the tool 'fix' would write this one") })),
    }),
  ),
  notes: z.array(z.string()).describe("how much was checked, what could not be, and why"),
  isComplete: z.boolean().describe("false if a path, a flag or a settings file is wrong, or a file could not be checked"),
});
type Findings = z.infer<typeof findingsSchema>;

/** The arguments of `check`. */
export const checkInput = z.object({
  paths: paths.default(["."]),
  text: z.string().optional().describe("check this text as the contents of the only path, whether or not that file exists"),
  flags,
  level,
});

/** The arguments of `fix`. */
export const fixInput = z.object({ paths: paths.min(1), flags, level });

/** The arguments of `explain`. */
export const explainInput = z.object({
  rule: z.string().optional().describe("the id of a rule, or the beginning of several; without it all rules are listed"),
});

/** The arguments of `memory`. */
export const memoryInput = z.object({ paths: paths.default(["."]), flags });

/** An answer of a tool: text for the assistant, and the same as data where there is a schema for it. */
export interface Answer {
  readonly text: string;
  readonly data?: Findings;
  readonly isError: boolean;
}

/** Functions that answer calls of the tools. `options` are added to each command. */
export function toolsOf({ run, pathsOf }: Commands, options: readonly string[]) {
  /** Runs a command on paths that the assistant names. */
  async function runOn(
    command: readonly string[],
    given: { readonly paths: readonly string[]; readonly flags: readonly string[]; readonly text?: string | undefined },
    answerOf: (result: CommandResult) => Answer,
  ): Promise<Answer> {
    const read = pathsOf(given.paths);
    if ("problem" in read) return { text: read.problem, isError: true };
    const inputs = given.text === undefined ? read.paths : ["--stdin", "--stdin-filename", ...read.paths];
    const flags = given.flags.length === 0 ? [] : ["--", ...given.flags];
    return answerOf(await run([...command, ...options, ...inputs, ...flags], given.text));
  }
  return {
    async check(given: z.infer<typeof checkInput>): Promise<Answer> {
      if (given.text !== undefined && given.paths.length !== 1) {
        return { text: "'text' is the contents of one file: name it in 'paths'", isError: true };
      }
      return runOn(["check", "--format", "json", "--level", given.level], given, findingsIn);
    },
    fix: (given: z.infer<typeof fixInput>) => runOn(["check", "--fix", "--format", "json", "--level", given.level], given, findingsIn),
    memory: (given: z.infer<typeof memoryInput>) => runOn(["memory"], given, textIn),
    explain: async ({ rule }: z.infer<typeof explainInput>) => textIn(await run(rule === undefined ? ["rules"] : ["explain", rule])),
  };
}

/** The members of `check --format json` that assistants get. */
interface Report {
  readonly files: readonly { readonly diagnostics: readonly ReportedFinding[] }[];
}

interface ReportedPlace {
  readonly file: string;
  readonly start: { readonly line: number; readonly column: number };
  readonly message: string;
}

interface ReportedFinding extends ReportedPlace {
  readonly rule: string;
  readonly severity: string;
  readonly isFixable: boolean;
  readonly related: readonly ReportedPlace[];
  readonly fixes: readonly { readonly title: string; readonly isPreferred: boolean }[];
}

function textIn({ code, out, notes }: CommandResult): Answer {
  return { text: joined([out.trimEnd(), ...notes]), isError: code !== 0 && out === "" };
}

function findingsIn({ code, out, notes }: CommandResult): Answer {
  if (out === "") return { text: joined(notes), isError: true };
  const { files } = JSON.parse(out) as Report;
  const all = files.flatMap(({ diagnostics }) => diagnostics);
  const findings = all.slice(0, most).map(({ rule, severity, isFixable, related, fixes, ...where }) => ({
    ...placeOf(where),
    severity,
    rule,
    related: related.map(placeOf),
    isFixable,
    fixes: fixes.map(({ title, isPreferred }) => ({ title, isPreferred })),
  }));
  const data = { total: all.length, findings, notes: [...notes], isComplete: code !== 2 };
  return { text: textOf(data), data, isError: false };
}

function placeOf({ file, start: { line, column }, message }: ReportedPlace) {
  return { file, line, column, message };
}

/** The findings as compilers print them, with their fixes. */
function textOf({ total, findings, notes }: Findings): string {
  const lines = findings.flatMap(({ file, line, column, severity, rule, message, related, isFixable, fixes }) => [
    `${file}:${line}:${column}: ${severity}: ${message} [${rule}]`,
    ...related.map((other) => `${other.file}:${other.line}:${other.column}: note: ${other.message}`),
    ...fixes.map(({ title, isPreferred }) => `  fix: ${title}${isFixable && isPreferred ? " (the tool 'fix' writes it)" : ""}`),
  ]);
  return joined([...lines, ...(total > findings.length ? [`and ${total - findings.length} more findings`] : []), ...notes]);
}

function joined(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}
