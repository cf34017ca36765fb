/**
 * Keeps the editor's configuration, for the whole window and for each folder. It is requested from clients that support that, or
 * else taken from their notifications. Mistakes in it are reported once, and settings that have not changed are not applied again.
 */
import { type Connection, MessageType, ShowMessageNotification } from "vscode-languageserver";
import { resolveName } from "../../names.ts";
import type { HostSettings } from "../../project/project.ts";
import { rules } from "../../rules/index.ts";
import { readFlags } from "../../settings/compiler-flags.ts";
import { type EditorSettings, readEditorSettings } from "../projects/editor-settings.ts";
import type { InitializationOptions } from "../projects/platform.ts";
import { nameOfFolder } from "../protocol/uris.ts";

/** What is known about the client when its configuration is read. */
export interface ConfigurationContext {
  readonly folders: readonly string[];
  readonly initialization: InitializationOptions;
  /** The client answers configuration requests. */
  readonly canAsk: boolean;
  /** Receives the settings. */
  readonly target: ConfigurationTarget | undefined;
}

/** Receives the editor's configuration. */
export interface ConfigurationTarget {
  setFeatures(settings: InitializationOptions): void;
  setHostSettings(settingsOf: (root: string) => HostSettings): void;
}

/** Reads and applies the editor's configuration. */
export interface Configuration {
  /** The client's settings without the invalid ones, which are reported to the user. */
  read(value: unknown): EditorSettings;
  /** Updates the settings. `pushed` is the value that a client without configuration requests has sent. */
  apply(context: ConfigurationContext, pushed: unknown): Promise<void>;
}

const section = "gpuQualifiers";

/** Creates the configuration of one client. */
export function createConfiguration(connection: Connection): Configuration {
  const warned = new Set<string>();
  let inForce = "";

  const warn = (problems: readonly string[]): void => {
    for (const problem of problems) {
      if (warned.has(problem)) continue;
      warned.add(problem);
      void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Warning, message: `gpu-qualifiers: ${problem}` });
    }
  };
  const read = (value: unknown): EditorSettings => {
    const { settings, problems } = readEditorSettings(value, rules);
    warn(problems);
    return settings;
  };
  const ask = async ({ folders, canAsk }: ConfigurationContext, pushed: unknown): Promise<readonly EditorSettings[]> => {
    if (!canAsk) return [read(memberOf(pushed, section))];
    const answers: unknown = await connection.workspace.getConfiguration([
      { section },
      ...folders.map((scopeUri) => ({ scopeUri, section })),
    ]);
    return Array.isArray(answers) ? answers.map(read) : [];
  };
  return {
    read,
    async apply(context, pushed) {
      const { folders, initialization, target } = context;
      const [asked = {}, ...rest] = await ask(context, pushed);
      const window = withDefaults(asked, initialization);
      const byRoot = new Map(folders.map((uri, index) => [nameOfFolder(uri), withDefaults(rest[index] ?? asked, initialization)] as const));
      target?.setFeatures({ ...initialization, ...window });
      const isTrusted = initialization.isTrusted !== false;
      const now = JSON.stringify([isTrusted, window, ...byRoot]);
      if (now === inForce) return;
      inForce = now;
      target?.setHostSettings((root) => {
        const { flags = [], rules: severities } = byRoot.get(root) ?? window;
        const { settings, problems } = readFlags(flags, { resolve: (path) => resolveName(root, path) });
        warn(problems.map(({ message }) => `in the setting gpuQualifiers.flags: ${message}`));
        return {
          isTrusted,
          ...(flags.length === 0 ? {} : { flags: settings }),
          ...(severities === undefined ? {} : { rules: severities }),
        };
      });
    },
  };
}

/** The settings, with the client's initial values for those that are not set. Editors send an empty list for a list that is not set. */
function withDefaults(settings: EditorSettings, initial: InitializationOptions): EditorSettings {
  const { flags = [], rules: severities } = settings;
  return {
    ...settings,
    flags: flags.length > 0 ? flags : (initial.flags ?? []),
    rules: { ...initial.rules, ...severities },
  };
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
