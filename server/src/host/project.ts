/**
 * A folder with everything that is needed to check its files: the files as the host sees them, the settings in force and
 * the core's service. Hosts differ in how they read files and in what they do with the reports, not in this.
 */
import { rules } from "../rules/index.ts";
import { type Service, createService } from "../service.ts";
import type { Files } from "../source.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import type { FlagSettings } from "../workspace/compiler-flags.ts";
import { type Settings, createSettings, isSettingsFile } from "../workspace/settings.ts";
import { settingsSchema } from "../workspace/settings-schema.ts";

export interface Project {
  readonly root: string;
  readonly settings: Settings;
  service(): Service;
  /**
   * These files changed, came or went. Returns the checked files whose answers may differ now, or "everything" when a
   * settings file is among them.
   */
  changed(names: readonly string[]): readonly string[] | "everything";
  /** Other flags from the host, instead of those given at the start. */
  setFlags(flags: FlagSettings | undefined): void;
  dispose(): void;
}

export interface ProjectOptions {
  readonly root: string;
  readonly files: Files;
  readonly parser: SyntaxParser;
  /** What the host says on top of the settings files. */
  readonly flags?: FlagSettings;
  readonly flagsOrigin?: string;
  /** Called with every include path that is configured, because it may lie outside of the root. */
  allow?(folder: string): void;
}

export function openProject(options: ProjectOptions): Project {
  const { root, files, parser } = options;
  const schema = settingsSchema(rules);
  let flags = options.flags;
  const newSettings = () =>
    createSettings({ root, files, schema, ...(flags === undefined ? {} : { flags }), flagsOrigin: options.flagsOrigin ?? "command line" });
  let settings = newSettings();
  let service: Service | undefined;

  const forgetService = () => {
    service?.dispose();
    service = undefined;
  };

  return {
    root,
    settings: {
      of: (name) => settings.of(name),
      severities: () => settings.severities(),
      isExcluded: (name) => settings.isExcluded(name),
      problemsOf: (name) => settings.problemsOf(name),
      problems: () => settings.problems(),
      unread: () => settings.unread(),
      changed: () => settings.changed(),
    },
    service() {
      service ??= createService({
        files,
        parser,
        settingsOf(name) {
          const own = settings.of(name);
          for (const folder of own.includePaths) options.allow?.(folder);
          return own;
        },
        rules: { severities: settings.severities() },
      });
      return service;
    },
    changed(names) {
      if (names.some(isSettingsFile)) {
        settings.changed();
        forgetService();
        return "everything";
      }
      return service?.changed(names) ?? [];
    },
    setFlags(changed) {
      flags = changed;
      settings = newSettings();
      forgetService();
    },
    dispose: forgetService,
  };
}
