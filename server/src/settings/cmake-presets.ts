/**
 * Reads `CMakePresets.json` and `CMakeUserPresets.json`: the build folders in which their compilation databases will be, and the
 * flags that all presets agree on, which are used while there is no database. CMake is not run; a value that depends on CMake or
 * the environment is unknown.
 */
import { isJsonObject } from "../forms.ts";
import { baseNameOf, folderOf, resolveName } from "../names.ts";
import { splitCommand } from "./command-line.ts";

/** What CMake's presets determine about builds. */
export interface CMakePresets {
  /** Build folders, in the order of the presets. */
  readonly buildFolders: readonly string[];
  /** Flags for CUDA sources that every buildable preset agrees on. */
  readonly cudaFlags: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

interface Preset {
  readonly json: Json;
  /** The folder of its file, for `${fileDir}`. */
  readonly fileFolder: string;
}

const fileNames = ["CMakeUserPresets.json", "CMakePresets.json"];
const mostIncludes = 32;

/** True for the files that are read in every folder. The files that they include are known only after reading. */
export function isPresetsFile(name: string): boolean {
  return fileNames.includes(baseNameOf(name));
}

/** The presets of a source folder; undefined if it has none. */
export function readCMakePresets(folder: string, textOf: (name: string) => string | undefined): CMakePresets | undefined {
  const presets = new Map<string, Preset>();
  const seen = new Set<string>();
  const read = (name: string): void => {
    const text = seen.has(name) || seen.size >= mostIncludes ? undefined : textOf(name);
    seen.add(name);
    const json = text === undefined ? undefined : jsonOf(text);
    if (json === undefined) return;
    for (const path of stringsIn(json.include)) read(resolveName(folderOf(name), path));
    for (const preset of arrayIn(json.configurePresets)) {
      if (typeof preset.name === "string" && !presets.has(preset.name))
        presets.set(preset.name, { json: preset, fileFolder: folderOf(name) });
    }
  };
  for (const name of fileNames) read(`${folder}/${name}`);
  const buildable = [...presets.values()].filter(({ json }) => json.hidden !== true);
  if (buildable.length === 0) return undefined;
  const folders = buildable.flatMap((preset) => {
    const written = inherited(preset, presets, (json) => (typeof json.binaryDir === "string" ? json.binaryDir : undefined));
    const path = written === undefined ? undefined : expanded(written.value, written.owner, preset, folder, presets);
    // A macro may expand to a folder's name, which already has a scheme.
    return path === undefined ? [] : [path.includes("://") ? resolveName(path, "") : resolveName(folder, path)];
  });
  return { buildFolders: [...new Set(folders)], cudaFlags: agreedFlags(buildable, presets, folder) };
}

/** A preset's own value, or that of the first preset that it inherits from. */
function inherited<Value>(
  preset: Preset,
  presets: ReadonlyMap<string, Preset>,
  find: (json: Json) => Value | undefined,
  seen: Set<Preset> = new Set(),
): { readonly value: Value; readonly owner: Preset } | undefined {
  if (seen.has(preset)) return undefined;
  seen.add(preset);
  const own = find(preset.json);
  if (own !== undefined) return { value: own, owner: preset };
  for (const name of stringsIn(preset.json.inherits)) {
    const parent = presets.get(name);
    const value = parent === undefined ? undefined : inherited(parent, presets, find, seen);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The text with CMake's macros replaced; undefined if it contains an unknown one. */
function expanded(text: string, owner: Preset, preset: Preset, folder: string, presets: ReadonlyMap<string, Preset>): string | undefined {
  let isKnown = true;
  const result = text.replace(/\$(\w*)\{([^}]*)\}/g, (_, kind: string, name: string) => {
    const value = kind === "" ? macro(name, owner, preset, folder, presets) : undefined;
    if (value === undefined) isKnown = false;
    return value ?? "";
  });
  return isKnown ? result : undefined;
}

function macro(name: string, owner: Preset, preset: Preset, folder: string, presets: ReadonlyMap<string, Preset>): string | undefined {
  switch (name) {
    case "sourceDir":
      return folder;
    case "sourceParentDir":
      return folderOf(folder);
    case "sourceDirName":
      return baseNameOf(folder);
    case "presetName":
      return typeof preset.json.name === "string" ? preset.json.name : undefined;
    case "generator":
      return inherited(preset, presets, (json) => (typeof json.generator === "string" ? json.generator : undefined))?.value;
    case "fileDir":
      return owner.fileFolder;
    case "dollar":
      return "$";
    default:
      return undefined;
  }
}

/** A variable, and the flags that CMake derives from its value. */
const variables: readonly (readonly [string, (value: string) => readonly string[]])[] = [
  ["CMAKE_CUDA_STANDARD", (value) => (/^\d\d$/.test(value) ? [`-std=c++${value}`] : [])],
  ["CMAKE_CUDA_ARCHITECTURES", (value) => value.split(";").flatMap((one) => architectureFlags(one.trim()))],
  ["CMAKE_CUDA_SEPARABLE_COMPILATION", (value) => (isOn(value) ? ["-rdc=true"] : [])],
  ["CMAKE_CUDA_FLAGS", (value) => splitCommand(value)],
];

function agreedFlags(buildable: readonly Preset[], presets: ReadonlyMap<string, Preset>, folder: string): readonly string[] {
  return variables.flatMap(([name, flagsOf]) => {
    const values = buildable.map((preset) => {
      const written = inherited(preset, presets, (json) => valueIn(json.cacheVariables, name));
      return written === undefined ? undefined : expanded(written.value, written.owner, preset, folder, presets);
    });
    const [first] = values;
    return first !== undefined && values.every((value) => value === first) ? flagsOf(first) : [];
  });
}

/**
 * The flags for `80`, `90a` or `75-real`. The front end uses the same number for all forms of an architecture. `native` and `all`
 * name no architecture.
 */
function architectureFlags(value: string): readonly string[] {
  const number = /^(\d+[af]?)(?:-real|-virtual)?$/.exec(value)?.[1];
  return number === undefined ? [] : [`-arch=sm_${number}`];
}

function isOn(value: string): boolean {
  return /^(1|on|yes|true|y)$/i.test(value);
}

/** The value of a cache variable, which is a string, a boolean, or an object with a type. */
function valueIn(cacheVariables: unknown, name: string): string | undefined {
  const value = isJsonObject(cacheVariables) ? cacheVariables[name] : undefined;
  const plain = isJsonObject(value) ? value.value : value;
  if (typeof plain === "boolean") return plain ? "TRUE" : "FALSE";
  return typeof plain === "string" ? plain : undefined;
}

function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function arrayIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
