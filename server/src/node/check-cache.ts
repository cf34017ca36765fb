/**
 * Keeps the results of checks, and decides whether they are still valid. A result depends on the texts that were read, on the other
 * files that the `#include`s could have named, on the settings, and sometimes on macro definitions anywhere in the workspace. All
 * of these are compared again, and a result is used only if none has changed.
 */
import { readdirSync } from "node:fs";
import { baseNameOf, folderOf, resolveName } from "../names.ts";
import { isSource } from "../project/interest.ts";
import type { Project } from "../project/project.ts";
import type { FileReport, Learnt } from "../service.ts";
import type { Files } from "../source.ts";
import { type AnswerStore, hashOf } from "./answer-store.ts";
import { pathOfName } from "./node-names.ts";

/** The results of earlier checks of a project. */
export interface CheckCache {
  /** The result of an earlier check of the file, if a check now would give the same. */
  find(name: string): Learnt | undefined;
  /** Stores the result of a check of the texts in `files`. */
  keep(learnt: Learnt): void;
  /** Reports that files or settings changed. Everything is compared again; only results of unchanged texts are kept. */
  changed(): void;
}

/** The inputs of a cache. */
export interface CacheOptions {
  readonly store: AnswerStore;
  /** The name of this build of the program; another build may give other results. */
  readonly program: string;
  readonly project: Pick<Project, "root" | "settings" | "service">;
  readonly files: Files;
  /** Use results even if the rest of the workspace has changed, because the caller knows that they are current. */
  readonly isTrusted?: boolean;
}

interface Entry {
  readonly state: string;
  readonly learnt: Learnt;
}

/** Opens a cache. Its results are valid for the current state of the files, until `changed`. Names are stored relative to the root. */
export function openCheckCache({ store, program, project, files, isTrusted = false }: CacheOptions): CheckCache {
  const rootless = `${project.root}/`;
  const relative = (text: string) => text.replaceAll(rootless, placeholder);
  const texts = rememberTexts(files);
  let world = createWorld(files, texts, relative);
  const newSettings = () => remembered((name: string) => encode(project.settings.of(name)));
  const newSeverities = () => remembered((name: string) => encode(Object.entries(project.settings.severitiesOf(name)).sort()));
  let settingsOf = newSettings();
  let severitiesOf = newSeverities();
  const keyOf = (name: string) => hashOf([program, relative(name), world.contentOf(name), relative(settingsOf(name)), severitiesOf(name)]);

  /** The current state of everything that the result depends on. */
  const stateOf = ({ report, basis }: Learnt, candidates: readonly string[], isIncluded: () => boolean): string => {
    const roots = [...new Set([report.uri, ...candidates, ...report.dependencies.slice(0, 1)])];
    const paths = [...new Set(roots.flatMap((root) => project.settings.of(root).includePaths))];
    const forced = [...new Set(roots.flatMap((root) => project.settings.of(root).forcedIncludes))];
    const read = [...new Set([...report.dependencies, ...basis.tried, ...candidates])];
    const severities = new Set(read.map((name) => severitiesOf(name)));
    return hashOf([
      ...candidates.map(relative),
      basis.isIncluded === undefined ? "" : String(isIncluded()),
      ...roots.map((root) => relative(settingsOf(root))),
      ...severities,
      ...forced.map(({ name, uri }) => `${relative(uri)}\n${world.meaningsOf(name, folderOf(uri), paths)}`),
      ...read.map((name) => world.stateOf(name, paths)),
      ...(basis.dependsOnWorkspace ? [world.definitions(), ...shownIn(report).map(world.contentOf)] : []),
    ]);
  };

  return {
    find(name) {
      const text = store.get(keyOf(name));
      if (text === undefined) return undefined;
      const { state, learnt } = decode(text.replaceAll(placeholder, rootless)) as Entry;
      if (isTrusted) return learnt;
      const { candidates, isIncluded } = project.service().surroundings(name);
      return stateOf(learnt, candidates, isIncluded) === state ? learnt : undefined;
    },
    keep(learnt) {
      const { uri, unread } = learnt.report;
      if (unread.length > 0) return;
      const { isIncluded } = project.service().surroundings(uri);
      const entry: Entry = { state: stateOf(learnt, learnt.basis.candidates, isIncluded), learnt };
      store.put(keyOf(uri), relative(encode(entry)));
    },
    changed() {
      world = createWorld(files, texts, relative);
      settingsOf = newSettings();
      severitiesOf = newSeverities();
    },
  };
}

/**
 * The files at which the findings point. One of them may be a file that nothing includes: the one that defines an unknown macro as the
 * whole workspace does.
 */
function shownIn({ diagnostics }: FileReport): readonly string[] {
  const places = diagnostics.flatMap(({ location, related, spelledIn = [], fixes }) => [
    location,
    ...related.map((each) => each.location),
    ...spelledIn,
    ...fixes.flatMap(({ edits }) => edits.map((edit) => edit.location)),
  ]);
  return [...new Set(places.map(({ uri }) => uri))];
}

/** A text that no name can contain. */
const placeholder = "\u0001/";

interface World {
  contentOf(name: string): string;
  /** The text of a file, and the files that each of its `#include`s could name; `paths` are the include paths. */
  stateOf(name: string, paths: readonly string[]): string;
  /** The files that exist for a name that is included from a folder. */
  meaningsOf(included: string, folder: string, paths: readonly string[]): string;
  /** All `#define`s of the workspace. */
  definitions(): string;
}

const includes = /^[ \t]*#[ \t]*(?:include(?:_next)?|import)\b[ \t]*(?:[<"]([^">\n]+)[">]|(.*))/gm;
const questions = /__has_include(?:_next)?[ \t]*\([ \t]*[<"]([^">\n]+)[">]/g;
const definitionLines = /^[ \t]*#[ \t]*define[ \t]+(?:[^\n\\]|\\[^\n]|\\\n)*/gm;

/** The facts that a text alone determines. */
interface TextState {
  readonly text: string;
  readonly hash: string;
  includes?: { readonly names: readonly string[]; readonly isComputed: boolean };
  /** The text's macro definitions; empty if it has none. */
  definitions?: string;
}

/** Caches what is computed from each text until the file's text changes. */
function rememberTexts(files: Files): (name: string) => TextState {
  const known = new Map<string, TextState>();
  return (name) => {
    const text = files.read(name);
    const present = known.get(name);
    if (present?.text === text) return present;
    const state: TextState = { text, hash: hashOf(text) };
    known.set(name, state);
    return state;
  };
}

function includesIn(state: TextState): NonNullable<TextState["includes"]> {
  if (state.includes !== undefined) return state.includes;
  const found = [...state.text.matchAll(includes)];
  const asked = [...state.text.matchAll(questions)];
  state.includes = {
    names: [...new Set([...found, ...asked].flatMap(([, included]) => included ?? []))],
    isComputed: found.some(([, , rest]) => rest !== undefined),
  };
  return state.includes;
}

function definitionsIn(name: string, state: TextState): string {
  if (state.definitions !== undefined) return state.definitions;
  const found = [...state.text.matchAll(definitionLines)].map(String);
  state.definitions = found.length === 0 ? "" : hashOf([name, ...found]);
  return state.definitions;
}

/** Creates the state of a workspace. `relative` turns names into ones that are equal in a copy of the project. */
function createWorld(files: Files, textOf: (name: string) => TextState, relative: (text: string) => string): World {
  const entries = remembered(namesInFolder);
  let byName: Map<string, string[]> | undefined;
  const named = (base: string): readonly string[] => {
    if (byName === undefined) {
      byName = new Map();
      for (const name of files.list()) {
        const present = byName.get(baseNameOf(name));
        if (present === undefined) byName.set(baseNameOf(name), [name]);
        else present.push(name);
      }
    }
    return byName.get(base) ?? [];
  };
  const meaningsOf = (included: string, folder: string, paths: readonly string[]): string => {
    const places = [folder, ...paths].map((path) => resolveName(path, included));
    const present = places.filter((place) => entries(folderOf(place)).has(baseNameOf(place)));
    return relative([...present, "", ...named(baseNameOf(included))].join("\n"));
  };
  const everyName = remembered(() => hashOf(files.list().map(relative)));
  const states = new Map<string, string>();
  let definitions: string | undefined;
  return {
    contentOf: (name) => textOf(name).hash,
    meaningsOf,
    stateOf(name, paths) {
      const key = [name, ...paths].join("\n");
      const known = states.get(key);
      if (known !== undefined) return known;
      const text = textOf(name);
      const { names, isComputed } = includesIn(text);
      const meanings = names.map((included) => meaningsOf(included, folderOf(name), paths));
      const state = hashOf([relative(name), text.hash, ...meanings, isComputed ? everyName("") : ""]);
      states.set(key, state);
      return state;
    },
    definitions() {
      definitions ??= hashOf(
        files
          .list()
          .filter(isSource)
          .map((name) => definitionsIn(relative(name), textOf(name)))
          .filter((hash) => hash !== ""),
      );
      return definitions;
    },
  };
}

function namesInFolder(folder: string): ReadonlySet<string> {
  const path = pathOfName(folder);
  try {
    return new Set(path === undefined ? [] : readdirSync(path));
  } catch {
    return new Set();
  }
}

function remembered<Result>(work: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>();
  return (name) => {
    const present = known.get(name);
    if (present !== undefined) return present;
    const result = work(name);
    known.set(name, result);
    return result;
  };
}

/** Encodes a value as JSON, including the maps and sets of settings and dialects. */
function encode(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Map) return { $map: [...part] };
    return part instanceof Set ? { $set: [...part] } : part;
  });
}

function decode(text: string): unknown {
  return JSON.parse(text, (_, part: unknown) => {
    if (typeof part !== "object" || part === null) return part;
    if ("$map" in part && Array.isArray(part.$map)) return new Map(part.$map as readonly (readonly [unknown, unknown])[]);
    return "$set" in part && Array.isArray(part.$set) ? new Set(part.$set as readonly unknown[]) : part;
  });
}
