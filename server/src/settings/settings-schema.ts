/**
 * The shape of `gpu-qualifiers.json` as a JSON schema, which editors use for completion and `settings-file.ts` for validation. It
 * uses only the keywords in `JsonSchema`, which keeps the validator small.
 */
import { largestByDefault } from "../dialect.ts";
import type { Profile, Severity } from "../finding.ts";

/** The keywords of JSON schema that this schema uses. */
export interface JsonSchema {
  readonly type?: JsonType | readonly JsonType[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  /** The message for a value that does not match `pattern`; VS Code shows it too. */
  readonly patternErrorMessage?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: false | JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
}

/** A type of JSON schema. */
export type JsonType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";

/** A rule, as the schema lists it. */
export interface RuleEntry {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  readonly profile?: Profile;
}

const flags: JsonSchema = {
  type: "array",
  items: { type: "string" },
  description:
    "Compiler flags as clang or nvcc take them: -D -U -I -include -cl-std= -cl-ext= -std= -x -arch= -gencode --offload-arch= -rdc=. Others have no effect. Paths count from this file's folder.",
};

const patterns: JsonSchema = { type: "array", items: { type: "string" } };

/** The values of `-cl-std` that settings accept. */
export const openclStandards = ["CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "clc++1.0", "clc++2021"];
/** The architectures of nvcc 13 and the three generations before; other values are accepted too. */
export const cudaArchitectures = [
  "sm_50",
  "sm_60",
  "sm_70",
  "sm_75",
  "sm_80",
  "sm_86",
  "sm_87",
  "sm_88",
  "sm_89",
  "sm_90",
  "sm_100",
  "sm_103",
  "sm_110",
  "sm_120",
  "sm_121",
];

const opencl: JsonSchema = {
  type: "object",
  description: "How the OpenCL files are built.",
  additionalProperties: false,
  properties: {
    standard: {
      type: "string",
      enum: openclStandards,
      description:
        "The standard to judge by. Without it, a mistake in every standard is an error, and a mistake in some standards is an info that names them.",
    },
    extensions: {
      type: "object",
      additionalProperties: { type: "boolean" },
      description:
        'Extensions and optional features that the device has or lacks, as -cl-ext does: { "__opencl_c_generic_address_space": false }. The name `all` stands for every one.',
    },
    profile: {
      type: "string",
      enum: ["full", "embedded"],
      default: "full",
      description: "The profile whose guaranteed minima limit constant memory: 8 arguments and 64 KB, or 4 arguments and 1 KB.",
    },
  },
};

const cuda: JsonSchema = {
  type: "object",
  description: "How the CUDA files are built.",
  additionalProperties: false,
  properties: {
    standard: {
      type: "string",
      pattern: "^(c|gnu)\\+\\+[0-9a-z]{2}$",
      patternErrorMessage: "expected a C++ standard such as 'c++17'",
      description: "The C++ standard, as in -std=c++17.",
    },
    architectures: {
      type: "array",
      items: { type: "string", pattern: "^(sm|compute)_[0-9]{2,3}[af]?$", patternErrorMessage: "expected an architecture such as 'sm_90'" },
      description: "Every architecture that is compiled for, as in -arch=sm_90.",
    },
    relocatableDeviceCode: {
      type: "boolean",
      default: false,
      description: "Device code of several files is linked together, as with -rdc=true.",
    },
  },
};

const limits: JsonSchema = {
  type: "object",
  description: "Limits of the devices, if they differ from what the profile guarantees.",
  additionalProperties: false,
  properties: {
    constantArguments: { type: "integer", minimum: 0, description: "CL_DEVICE_MAX_CONSTANT_ARGS." },
    constantBufferSize: { type: "integer", minimum: 0, description: "CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE in bytes." },
  },
};

/** The schema for these rules. */
export function settingsSchema(rules: readonly RuleEntry[]): JsonSchema {
  const severity = ["off", "hint", "info", "warning", "error"];
  const severities = Object.fromEntries(
    rules.map(({ id, title, severity: own, profile }) => {
      const usual = profile === undefined ? own : "off";
      return [id, { type: "string", enum: severity, default: usual, description: title }] as const;
    }),
  );
  return {
    type: "object",
    description:
      "Settings of gpu-qualifiers for this file's folder and everything below. If there are several above a source, the nearest determines how it is built; all of them determine what is reported, and nearer ones override others.",
    additionalProperties: false,
    properties: {
      $schema: { type: "string", description: "The location of this schema." },
      flags,
      includePaths: { type: "array", items: { type: "string" }, description: "Folders that #include searches, as -I does." },
      macros: {
        type: "object",
        additionalProperties: { type: ["string", "number", "boolean", "null"] },
        description:
          'Macros that the build defines: { "REAL": "float", "USE_LDS": true, "DEBUG": null }. true is 1, false is 0, null undefines.',
      },
      opencl,
      cuda,
      limits,
      largestFile: {
        type: "integer",
        minimum: 0,
        default: largestByDefault,
        description: "How many characters a file may have to be checked. Files of more than 16 MiB are never read.",
      },
      profile: {
        type: "string",
        enum: profiles,
        default: profiles[0],
        description: "`strict` also reports what only some compilers reject, as warnings. `rules` can change single ones of them.",
      },
      rules: {
        type: "object",
        description: "Severity of single rules, or off.",
        additionalProperties: false,
        properties: severities,
      },
      exclude: {
        ...patterns,
        description: "Files and folders to skip, as patterns like those of .gitignore. It has an effect only in the top folder.",
      },
      overrides: {
        type: "array",
        description: "Flags and severities for some of the files, in addition to those above; later ones override earlier ones.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["files"],
          properties: {
            files: { ...patterns, description: "Patterns like those of .gitignore." },
            flags,
            rules: {
              type: "object",
              description: "Severity of single rules, or off.",
              additionalProperties: false,
              properties: severities,
            },
          },
        },
      },
    },
  };
}

/** The names of the profiles; the first is that of files which name none. */
const profiles = ["default", "strict"] as const satisfies readonly ("default" | Profile)[];

/** The severities of a profile: `strict` warns where the usual severity in the schema is off. */
export function severitiesOfProfile(
  { properties = {} }: JsonSchema,
  profile: "default" | Profile,
): Readonly<Record<string, Severity | "off">> {
  const rules = Object.entries(properties["rules"]?.properties ?? {});
  return Object.fromEntries(
    rules.flatMap(([id, { default: usual }]) => (usual === "off" ? [[id, profile === "strict" ? "warning" : "off"]] : [])),
  );
}
