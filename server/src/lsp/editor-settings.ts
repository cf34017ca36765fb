/**
 * What users set in their editor rather than in a project: below `gpuQualifiers`, or as initialization options. This is the
 * one source: the extension's manifest and the table in `docs/editors.md` are made from it, and what an editor sends is
 * read by it.
 */
import type { Severity } from "../finding.ts";
import { readSettingsFile } from "../workspace/settings-file.ts";
import { type JsonSchema, type RuleEntry, settingsSchema } from "../workspace/settings-schema.ts";

/** Absent members were not set, or were wrong; then defaults hold. */
export interface EditorSettings {
  readonly flags?: readonly string[];
  readonly rules?: Readonly<Record<string, Severity | "off">>;
  readonly inlayHints?: boolean;
  readonly codeLens?: boolean;
  /** In CUDA other tools colour names already, and editors take one tool's colours only. */
  readonly semanticTokens?: "off" | "opencl" | "all";
}

export interface EditorSetting extends JsonSchema {
  readonly default: unknown;
  /** `resource`: each folder may have its own. */
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
    semanticTokens: {
      type: "string",
      enum: ["off", "opencl", "all"],
      enumDescriptions: [
        "Colour nothing.",
        "Colour names in OpenCL C by their address space.",
        "Colour names in CUDA C++ and around embedded kernels too; an editor takes the colours of one extension only, so this replaces those of clangd or the C/C++ extension.",
      ],
      default: "opencl",
      scope: "window",
      description: "Colour names by the memory that they are in or point to.",
    },
  };
}

export interface EditorSettingsReading {
  readonly settings: EditorSettings;
  /** What is wrong, with the setting's name. */
  readonly problems: readonly string[];
}

/** What an editor sent. Other members belong to other parts, and null is what editors send for what is not set. */
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
    problems.push(...reading.problems.map(({ message }) => `in the setting gpuQualifiers.${name}: ${message}`));
    Object.assign(settings, reading.settings);
  }
  return { settings: settings as EditorSettings, problems };
}
