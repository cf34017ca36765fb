/**
 * The notes of a file for `--verbose`: what was not understood, and which branches of the preprocessor are left out. Headers that come
 * with compilers are left out, and so are branches that say nothing: those that another branch excludes, and those for other compilers.
 */
import type { FileReport } from "../diagnostics/file-report.ts";
import { printable } from "../printable.ts";
import { isStandardHeader } from "../semantics/builtins/standard-headers.ts";
import type { Location } from "../source.ts";

interface Detail {
  readonly message: string;
  readonly location: Location;
}

/** The notes of a file, in the order of their places. */
export function detailsOf({ notes, inactiveBranches, coverage, understanding }: FileReport): readonly Detail[] {
  return [
    ...notes.filter(({ header }) => header === undefined || !isStandardHeader(header)),
    ...branchesOf(inactiveBranches),
    ...coverage.unknownTypes.map(({ name, location }) => ({ message: `the type '${printable(name)}' is not known`, location })),
    ...understanding.parseErrors.map((location) => ({ message: "this cannot be parsed: a macro that is not expanded, perhaps", location })),
  ].toSorted((a, b) => a.location.span.start - b.location.span.start);
}

const isMissing = /'(\w+)' is not defined/;

/** The branches that are not taken: for each macro that is not defined the first one, and how many follow. */
function branchesOf(branches: FileReport["inactiveBranches"]): readonly Detail[] {
  const found = new Map<string, Detail & { readonly count: number }>();
  for (const { message, location } of branches) {
    const macro = isMissing.exec(message)?.[1];
    if (macro === undefined ? !/' is false/.test(message) : macro.startsWith("_")) continue;
    const key = macro ?? `${location.span.start}`;
    const known = found.get(key);
    found.set(key, { ...(known ?? { message, location }), count: (known?.count ?? 0) + 1 });
  }
  return [...found.values()].map(({ message, location, count }) => ({
    message: count === 1 ? message : `${message} (and ${count - 1} more)`,
    location,
  }));
}
