/**
 * Infers the OpenCL standard that a project's files name, if they agree: the file itself, or else the nearest folder around it with
 * any such files. It is used only if no setting names a standard.
 */
import type { OpenCLStandard } from "../dialect.ts";
import { meaningOf } from "../encoding.ts";
import { baseNameOf, folderOf, foldersUpTo, hostOf, isEmbedded, isWithin } from "../names.ts";
import type { Files, Location } from "../source.ts";
import { everyFile, maySayStandard, mentionsStandard, type StandardStatement, standardStatements } from "./standard-statements.ts";

/** A standard that the project's own files name, and where. */
export interface InferredStandard {
  readonly standard: OpenCLStandard;
  /** The first place that names it. */
  readonly location: Location;
  /** The place builds without naming a standard. */
  readonly isDefault?: true;
  /** The place that builds without naming a standard if the build with it fails. */
  readonly fallback?: Location;
  /** Other standards that the same host chooses for some devices, and where. */
  readonly others?: readonly Pick<InferredStandard, "standard" | "location">[];
}

/** Answers which standard a file's surroundings name. */
export interface StandardInference {
  of(name: string): InferredStandard | undefined;
  /** Reports that these files were edited, created or deleted. True if answers may differ now. */
  changed(names: readonly string[]): boolean;
}

/** Hosts in other languages, scripts and kernels, which may name the option, but whose statements are not read. */
const mayMention = /\.(?:rs|go|java|kt|scala|cs|m|mm|swift|js|mjs|ts|jl|rb|lua|sh|cl|clh|ocl|opencl)$/i;

/** Creates the inference for a root. It reads build scripts and host sources once, and again when one of them changes. */
export function createStandardInference(root: string, files: Files): StandardInference {
  const byFile = new Map<string, readonly StandardStatement[]>();
  /** The files that say anything about the option, in whatever form. */
  const mentioning = new Set<string>();
  let all: readonly StandardStatement[] | undefined;
  const join = (): readonly StandardStatement[] => {
    const found = [...byFile.values()].flat();
    // What no text of the project names is in no options, known or not.
    return mentioning.size > 0 ? found : found.map((each) => (each.standard === "open" ? { ...each, standard: "default" } : each));
  };
  const statementsOf = (name: string): readonly StandardStatement[] => {
    const text = files.read(name);
    if (mentionsStandard(name, text)) mentioning.add(name);
    else mentioning.delete(name);
    return text === "absent" || text === "unread" ? [] : standardStatements(name, text);
  };
  /** An unread file may name the option. */
  const isMentionedIn = (name: string): boolean => {
    const text = files.read(name);
    return text === "unread" || mentionsStandard(name, text);
  };
  const gather = (): readonly StandardStatement[] => {
    if (all !== undefined) return all;
    const names = files.list().filter(maySayStandard);
    // While one of the files is unread, it is unknown whether they agree.
    if (names.some((name) => files.read(name) === "unread")) return [];
    for (const name of names) {
      const found = statementsOf(name);
      if (found.length > 0) byFile.set(name, found);
    }
    // Most projects need no further look: they name the option where it is expected, or have no build with unknown options.
    const isOpen = [...byFile.values()].flat().some(({ standard }) => standard === "open");
    if (isOpen && mentioning.size === 0)
      for (const name of files.list()) if (mayMention.test(name) && isMentionedIn(name)) mentioning.add(name);
    all = join();
    return all;
  };
  return {
    of: (name) => {
      const statements = gather();
      if (statements.length === 0) return undefined;
      const own = statements.filter(({ location }) => isEmbedded(name) && hostOf(name) === location.uri);
      if (own.length > 0) return agreed(own);
      const base = baseNameOf(name);
      const folder = foldersUpTo(name, root).find((each) =>
        statements.some(({ standard, location }) => standard !== "open" && isWithin(folderOf(location.uri), each)),
      );
      return folder === undefined
        ? undefined
        : agreed(
            statements.filter(({ location }) => isWithin(folderOf(location.uri), folder)),
            base,
            statements.some(({ standard }) => standard === "open"),
          );
    },
    changed: (names) => {
      // Nothing has been requested yet.
      if (all === undefined) return false;
      const mentionedBefore = mentioning.size > 0;
      let differs = false;
      let moved = false;
      for (const name of names) {
        if (mayMention.test(name)) {
          if (isMentionedIn(name)) mentioning.add(name);
          else mentioning.delete(name);
        }
        if (!maySayStandard(name)) continue;
        const before = byFile.get(name) ?? [];
        const now = statementsOf(name);
        if (JSON.stringify(before) === JSON.stringify(now)) continue;
        moved = true;
        if (now.length > 0) byFile.set(name, now);
        else byFile.delete(name);
        differs ||= meaningOf(before) !== meaningOf(now);
      }
      differs ||= mentionedBefore !== mentioning.size > 0;
      if (differs || moved) all = join();
      return differs;
    },
  };
}

/**
 * The standard that all statements agree on. The default stands for OpenCL C 1.2, for a file that the host program names (`name`;
 * undefined for a source in its literals), if the options of all builds are known. A host that names no file may not build this one, if
 * the project also has builds whose options are unknown (`hasOpen`), wherever they are.
 */
function agreed(statements: readonly StandardStatement[], name?: string, hasOpen = false): InferredStandard | undefined {
  const fallback = statements.find(({ isFallback }) => isFallback === true);
  if (fallback !== undefined) {
    // The options that the two calls share are known as little as those of a call between them and the build.
    const inferred = agreed(
      statements.filter(({ isFallback, standard }) => isFallback !== true && standard !== "open"),
      name,
      hasOpen,
    );
    return inferred === undefined || inferred.isDefault === true ? inferred : { ...inferred, fallback: fallback.location };
  }
  const named = statements.filter(({ standard }) => standard !== "open");
  const first = named.find(({ isCertain }) => isCertain);
  if (first === undefined || first.standard === "other" || first.standard === "open") return undefined;
  if (named.some(({ standard }) => standard !== first.standard)) return chosenByHost(named);
  if (first.standard !== "default") return { standard: first.standard, location: first.location };
  const builder = named.find(({ builds = [] }) => name === undefined || builds.includes(name) || (!hasOpen && builds.includes(everyFile)));
  return builder === undefined || named.length < statements.length
    ? undefined
    : { standard: "CL1.2", location: builder.location, isDefault: true };
}

/** Standards of which a host adds one to the same options, depending on the device: each is a build. */
function chosenByHost(named: readonly StandardStatement[]): InferredStandard | undefined {
  const [start] = named;
  if (start?.into === undefined || named.some(({ into, location }) => into !== start.into || location.uri !== start.location.uri))
    return undefined;
  const known = new Map<OpenCLStandard, Location>();
  for (const { standard, location, isCertain } of named) {
    if (standard === "default" || standard === "open" || standard === "other" || !isCertain) continue;
    if (!known.has(standard)) known.set(standard, location);
  }
  const [first, ...others] = [...known].map(([standard, location]) => ({ standard, location }));
  return first === undefined || others.length === 0 ? undefined : { ...first, others };
}
