/** Generates the extension's settings and the options of other editors from their definition in the server. */
import { home } from "../../server/src/cli/home.ts";
import { editorSettings } from "../../server/src/lsp/projects/editor-settings.ts";
import { rules } from "../../server/src/rules/index.ts";

/** The part of `package.json` that is generated here. */
export interface Manifest {
  readonly repository?: unknown;
  readonly homepage?: string;
  readonly bugs?: unknown;
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly semanticTokenModifiers: readonly { readonly id: string; readonly description: string }[];
  };
}

const prefix = "gpuQualifiers.";

/** The manifest with the server's settings. The settings that only the client reads stay. */
export function withSettings(manifest: Manifest): Manifest {
  const own = editorSettings(rules);
  const isClients = (key: string) => key === `${prefix}trace.server`;
  const { contributes } = manifest;
  const { configuration } = contributes;
  const made = Object.entries(own).map(
    ([name, { description, ...setting }]) => [prefix + name, { ...setting, markdownDescription: description }] as const,
  );
  const kept = Object.entries(configuration.properties).filter(([key]) => isClients(key));
  return {
    ...manifest,
    contributes: { ...contributes, configuration: { ...configuration, properties: Object.fromEntries([...made, ...kept]) } },
  };
}

/** The manifest with the project's addresses, or without any until they are configured. */
export function withHome({ repository: _, homepage: __, bugs: ___, ...manifest }: Manifest): Manifest {
  const { repository } = home;
  if (repository === undefined) return manifest;
  return {
    ...manifest,
    repository: { type: "git", url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  };
}

/** One row per option. */
export function optionsTable(): string {
  const rows = Object.entries(editorSettings(rules)).map(([name, { description, default: usual, enum: values }]) => {
    const choices = values === undefined ? "" : ` ${values.map((value) => `\`"${value}"\``).join(", ")}.`;
    return `| \`${name}\` | \`${JSON.stringify(usual)}\` | ${description}${choices} |`;
  });
  return ["| option | default | effect |", "|---|---|---|", ...rows].join("\n");
}
