/**
 * Runs `mutate`: makes typical mistakes in copies of the user's own kernels, one at a time and only in memory, and says which of them
 * are reported. `mutations.ts` decides where a mistake can be made; the numbers are counted in `figures.ts`.
 */
import { languageOfName } from "../../dialect.ts";
import { printable, quoted } from "../../printable.ts";
import { lineIndex } from "../../project/lines.ts";
import type { SyntaxParser } from "../../syntax/parser.ts";
import { type ProjectFlags, readProjectOptions } from "../check-options.ts";
import { describeInternalError, openFileChecker, type ProjectJob } from "../file-checker.ts";
import type { CommandLine } from "../program.ts";
import { findTargets } from "../targets.ts";
import { createCounter, type Found } from "./figures.ts";
import { blankComments, mutationKinds } from "./mutations.ts";

/** The options of `mutate`. */
export interface MutateOptions extends ProjectFlags {
  /** How many mistakes of a kind are made in one file. */
  readonly each: number;
  readonly verbose?: true;
}

/** Longer files are left out: each mistake in one is a check of it. */
const longest = 200_000;

/** Prints what was reported of each kind of mistake, and returns the exit code: 2 if nothing could be tried. */
export async function runMutate(
  paths: readonly string[],
  flags: readonly string[] | undefined,
  options: MutateOptions,
  program: CommandLine,
): Promise<number> {
  const { terminal } = program;
  const note = (message: string) => terminal.error(`gpu-qualifiers: ${message}\n`);
  const { given, problems } = readProjectOptions(options, flags);
  const targets = findTargets(paths.length === 0 ? ["."] : paths);
  for (const problem of [...problems, ...targets.problems]) note(problem);
  if (problems.length > 0 || targets.problems.length > 0) return 2;
  const parser = await program.loadParser();
  const counter = createCounter();
  let tried = 0;
  for (const { project, targets: files } of targets.groups) {
    for (const { name, shown } of files) {
      const language = languageOfName(name);
      if (language === undefined) continue;
      let made: readonly Mutant[];
      try {
        made = mutantsOf(name, language, { job: { ...given, project }, parser, each: options.each });
      } catch (error) {
        note(`${quoted(shown)} was left out because ${describeInternalError(error)}`);
        continue;
      }
      if (made.length > 0) tried += 1;
      for (const { kind, line, rules, found } of made) {
        counter.count(kind, rules, found);
        const [finding] = found.filter(({ rule }) => rules.includes(rule));
        if (finding === undefined) terminal.out(`${printable(shown)}:${line}: ${kind}: not reported\n`);
        else if (options.verbose === true) terminal.out(`${printable(shown)}:${line}: ${kind}: ${finding.message} [${finding.rule}]\n`);
      }
    }
  }
  if (tried === 0) {
    note("no place for a typical mistake in these files");
    return 2;
  }
  for (const text of counter.summary()) terminal.out(`${text}\n`);
  note(`made mistakes in copies of ${tried} file${tried === 1 ? "" : "s"}; a change that is not reported may be legal there`);
  return 0;
}

interface Mutant {
  readonly kind: string;
  readonly rules: readonly string[];
  readonly line: number;
  /** What the mistake adds to the findings of the file. */
  readonly found: readonly Found[];
}

interface Trial {
  readonly job: ProjectJob;
  readonly parser: SyntaxParser;
  readonly each: number;
}

function mutantsOf(name: string, language: "opencl" | "cuda", { job, parser, each }: Trial): readonly Mutant[] {
  let text: string | undefined;
  const open = (unsaved: Pick<ProjectJob, "unsaved">) => openFileChecker({ ...job, ...unsaved }, parser);
  const disk = open({});
  const read = disk.files.read(name);
  disk.project.dispose();
  if (typeof read !== "string" || read.length > longest) return [];
  // The service asks for the text again whenever it has changed.
  const { project } = open({
    unsaved: {
      name,
      get text() {
        return text ?? read;
      },
    },
  });
  const check = (changed: string | undefined): readonly Found[] => {
    text = changed;
    project.changed([name]);
    const lines = lineIndex(text ?? read);
    return project
      .service()
      .check(name)
      .diagnostics.filter(({ severity }) => severity !== "hint")
      .map(({ rule, message, location }) => ({ rule, message, line: lines.placeOf(location.span.start).line + 1 }));
  };
  try {
    const before = check(undefined);
    const blank = blankComments(read);
    const lines = lineIndex(read);
    return mutationKinds
      .filter((kind) => kind.language === language)
      .flatMap((kind) =>
        kind
          .places(blank)
          .slice(0, each)
          .map(({ start, end, text: inserted }) => ({
            kind: kind.name,
            rules: kind.rules,
            line: lines.placeOf(start).line + 1,
            found: added(before, check(read.slice(0, start) + inserted + read.slice(end))),
          })),
      );
  } finally {
    project.dispose();
  }
}

/** The findings that are not among the earlier ones, wherever these are now. */
function added(before: readonly Found[], after: readonly Found[]): readonly Found[] {
  const keyOf = ({ rule, message }: Found) => `${rule} ${message}`;
  const left = before.map(keyOf);
  return after.filter((finding) => {
    const index = left.indexOf(keyOf(finding));
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
