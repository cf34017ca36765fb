/**
 * The settings of an editor rather than of a project. They are below `gpuQualifiers`, or are initialization options. This one table
 * describes them; the extension's manifest, the table in `docs/editors.md` and the reader of the values are all derived from it.
 */
import type { Severity } from "../../finding.ts";
import { append } from "../../lists.ts";
import { readSettingsFile } from "../../settings/settings-file.ts";
import { type JsonSchema, type RuleEntry, settingsSchema } from "../../settings/settings-schema.ts";

/** The editor's settings. A member that was not set or is invalid is absent, so that its default applies. */
export interface EditorSettings {
  readonly flags?: readonly string[];
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  readonly inlayHints?: boolean;
  readonly codeLens?: boolean;
  /** In CUDA, clangd provides these features. */
  readonly languageFeatures?: "off" | "opencl" | "all";
  /** In CUDA, other tools already color names, and editors use only one tool's colors. */
  readonly semanticTokens?: "off" | "opencl" | "all";
}

/** One setting of the editor, as described in the manifest. */
export interface EditorSetting extends JsonSchema {
  readonly default: unknown;
  /** `resource`: each folder may have its own value. */
  readonly scope: "resource" | "window";
  readonly description: string;
}

/** Each setting by its name, in the order in which they are shown. */
export function editorSettings(rules: readonly RuleEntry[]): Readonly<Record<keyof EditorSettings, EditorSetting>> {
  const inFile = settingsSchema(rules).properties ?? {};
  return {
    flags: {
      type: "array",
      items: { type: "string" },
      default: [],
      scope: "resource",
      description:
        "Compiler flags, as for clang or nvcc, in addition to those in `gpu-qualifiers.json`, `compile_commands.json`, `compile_flags.txt` and `.clangd`. Examples: `-cl-std=CL2.0`, `-DREAL=float`, `-arch=sm_90`.",
    },
    rules: {
      ...inFile.rules,
      default: {},
      scope: "resource",
      description: "Personal severities of single rules, or `off`; those for the whole project belong in `gpu-qualifiers.json`.",
    },
    inlayHints: {
      type: "boolean",
      default: true,
      scope: "window",
      description: "Show implicit address spaces in front of OpenCL pointers.",
    },
    codeLens: {
      type: "boolean",
      default: true,
      scope: "window",
      description: "Show how many bytes of the limits kernels, launches and constants use, and a kernel's other declarations.",
    },
    languageFeatures: {
      type: "string",
      enum: ["off", "opencl", "all"],
      enumDescriptions: [
        "Leave these features to other tools.",
        "Provide them in OpenCL C; if clangd handles your `.cl` files, choose `off`.",
        "Provide them in CUDA C++ too; with clangd, an editor shows them twice.",
      ],
      default: "opencl",
      scope: "window",
      description: "Completion, signature help, outline, definitions, references, renaming and folding.",
    },
    semanticTokens: {
      type: "string",
      enum: ["off", "opencl", "all"],
      enumDescriptions: [
        "Color nothing.",
        "Color names in OpenCL C by their address space.",
        "Color names in CUDA C++ and around embedded kernels too; an editor uses the colors of one extension only, so these replace those of clangd or the C/C++ extension.",
      ],
      default: "opencl",
      scope: "window",
      description: "Color names by the memory that they are in or point to.",
    },
  };
}

/** The valid settings, and the problems of the others. */
export interface ParsedEditorSettings {
  readonly settings: EditorSettings;
  /** Problems, with the setting's name. */
  readonly problems: readonly string[];
}

/** Reads the settings that an editor sent. Unknown members belong to other parts, and null means that a setting is not set. */
export function readEditorSettings(value: unknown, rules: readonly RuleEntry[]): ParsedEditorSettings {
  const known = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const schemas = editorSettings(rules);
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const given = known[name];
    if (given === undefined || given === null) continue;
    const parsed = readSettingsFile(JSON.stringify({ [name]: given }), {
      type: "object",
      additionalProperties: false,
      properties: { [name]: schema },
    });
    append(
      problems,
      parsed.problems.map(({ message }) => `in the setting gpuQualifiers.${name}: ${message}`),
    );
    Object.assign(settings, parsed.settings);
  }
  return { settings: settings as EditorSettings, problems };
}
