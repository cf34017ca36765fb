/** The extension's settings and the options of other editors, as their one source in the server has them. */
import { editorSettings } from "../../server/src/lsp/editor-settings.ts";
import { rules } from "../../server/src/rules/index.ts";

/** As much of `package.json` as is made here. */
export interface Manifest {
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, unknown>> } };
}

const prefix = "gpuQualifiers.";

/** The manifest with the settings that the server takes; others, which the client reads by itself, stay. */
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

/** A row for each option. */
export function optionsTable(): string {
  const rows = Object.entries(editorSettings(rules)).map(([name, { description, default: usual, enum: values }]) => {
    const choices = values === undefined ? "" : ` ${values.map((value) => `\`"${value}"\``).join(", ")}.`;
    return `| \`${name}\` | \`${JSON.stringify(usual)}\` | ${description}${choices} |`;
  });
  return ["| option | default | what |", "|---|---|---|", ...rows].join("\n");
}
