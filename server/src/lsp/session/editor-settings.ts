/**
 * The settings of an editor rather than of a project: below `gpuQualifiers`, or as initialization options. The extension's
 * manifest, the table in `docs/editors.md` and the reader of what an editor sends are all derived from this one table.
 */

import type { Severity } from "../../finding.ts";
import { append } from "../../lists.ts";
import { readSettingsFile } from "../../settings/settings-file.ts";
import { type JsonSchema, type RuleEntry, settingsSchema } from "../../settings/settings-schema.ts";

/** A member is absent, so that its default applies, if it was not set or is invalid. */
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
        "Compiler flags, as for clang or nvcc, on top of what `gpu-qualifiers.json`, `compile_commands.json`, `compile_flags.txt` and `.clangd` say: `-cl-std=CL2.0`, `-DREAL=float`, `-arch=sm_90`.",
    },
    rules: {
      ...inFile.rules,
      default: {},
      scope: "resource",
      description: "Severity of single rules, or `off`, for you alone: `gpu-qualifiers.json` is where a project says it for everybody.",
    },
    inlayHints: {
      type: "boolean",
      default: true,
      scope: "window",
      description: "Show the address spaces that nobody wrote in front of OpenCL pointers.",
    },
    codeLens: {
      type: "boolean",
      default: true,
      scope: "window",
      description: "Show above kernels and constants how many bytes they take of the limits, and a kernel's other declarations.",
    },
    languageFeatures: {
      type: "string",
      enum: ["off", "opencl", "all"],
      enumDescriptions: [
        "Leave all of it to other tools.",
        "In OpenCL C, which has no other language server.",
        "In CUDA C++ too; clangd does this there, and an editor with both shows it twice.",
      ],
      default: "opencl",
      scope: "window",
      description: "Complete and explain calls while they are typed, show the outline, find definitions and references, rename and fold.",
    },
    semanticTokens: {
      type: "string",
      enum: ["off", "opencl", "all"],
      enumDescriptions: [
        "Color nothing.",
        "Color names in OpenCL C by their address space.",
        "Color names in CUDA C++ and around embedded kernels too; an editor takes the colors of one extension only, so this replaces those of clangd or the C/C++ extension.",
      ],
      default: "opencl",
      scope: "window",
      description: "Color names by the memory that they are in or point to.",
    },
  };
}

/** The valid settings, and the problems of the others. */
export interface EditorSettingsReading {
  readonly settings: EditorSettings;
  /** Problems, with the setting's name. */
  readonly problems: readonly string[];
}

/** Reads the settings that an editor sent. Unknown members belong to other parts, and null means that a setting is not set. */
export function readEditorSettings(value: unknown, rules: readonly RuleEntry[]): EditorSettingsReading {
  const known = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  const schemas = editorSettings(rules);
  const problems: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const given = known[name];
    if (given === undefined || given === null) continue;
    const reading = readSettingsFile(JSON.stringify({ [name]: given }), {
      type: "object",
      additionalProperties: false,
      properties: { [name]: schema },
    });
    append(
      problems,
      reading.problems.map(({ message }) => `in the setting gpuQualifiers.${name}: ${message}`),
    );
    Object.assign(settings, reading.settings);
  }
  return { settings: settings as EditorSettings, problems };
}
