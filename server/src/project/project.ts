/**
 * A folder with everything that is needed to check its files: the files as the host reads them, the settings and the core's
 * service. Hosts differ in how they read files and present reports, not in this.
 */
import { type CompileSettings, type Language, languageOfName, type OtherBuild } from "../dialect.ts";
import type { Profile, Severity } from "../finding.ts";
import { memoByPair } from "../memo.ts";
import { folderOf, relativeName } from "../names.ts";
import { rules } from "../rules/index.ts";
import { createService, type Service } from "../service.ts";
import { createBuildMacros } from "../settings/build-macros.ts";
import { createDeviceSources, type DeviceSource } from "../settings/builds/device-sources.ts";
import { createFindCuda } from "../settings/builds/find-cuda.ts";
import { createForcedHeaders, type ForcedHeader } from "../settings/builds/forced-headers.ts";
import { createHipInference } from "../settings/builds/hipified.ts";
import { createHostCompilerInference } from "../settings/builds/host-compiler.ts";
import { createJoinedLiterals } from "../settings/builds/joined-literals.ts";
import type { FlagSettings } from "../settings/compiler-flags.ts";
import { createMacroInference, type InferredMacro } from "../settings/inferred-macros.ts";
import { createStandardInference } from "../settings/inferred-standard.ts";
import { languageOfText } from "../settings/languages.ts";
import { createRelaxedConstexprInference } from "../settings/relaxed-constexpr.ts";
import { createRelocatableInference } from "../settings/relocatable-code.ts";
import { createSettings, isSettingsFile, type Settings } from "../settings/settings.ts";
import { settingsSchema } from "../settings/settings-schema.ts";
import { type Files, type Location, textOf } from "../source.ts";
import type { SyntaxParser } from "../syntax/parser.ts";
import { isScript, isSource } from "./interest.ts";
import { type LineIndex, lineIndex } from "./lines.ts";

/** A folder with its settings and its service. */
export interface Project {
  readonly root: string;
  readonly settings: Settings;
  service(): Service;
  /**
   * Reports that these files were edited, created, deleted or fetched. Returns the checked files whose answers may differ now, or
   * "everything" if the change affects all settings or what is inferred.
   */
  changed(names: readonly string[]): readonly string[] | "everything";
  /** Replaces the host's settings. */
  setHostSettings(settings: HostSettings): void;
  dispose(): void;
}

/** The host's settings, which are applied after the settings files. */
export interface HostSettings {
  /** False when the user reviews code of others: then the project's own files cannot cause reads outside of it. */
  readonly isTrusted?: boolean;
  readonly flags?: FlagSettings;
  readonly profile?: Profile;
  readonly rules?: Readonly<Record<string, Severity | "off">>;
}

/** The inputs that a host gives a project. */
export interface ProjectOptions extends HostSettings {
  readonly root: string;
  readonly files: Files & {
    /** Why a file is absent although the path exists. */
    whyAbsent?(name: string): string | undefined;
  };
  readonly parser: SyntaxParser;
  readonly flagsOrigin?: string;
  /** Replaces every `gpu-qualifiers.json`; paths in it count from the root. */
  readonly settingsFile?: { readonly name: string; readonly text: string };
  /** A compilation database that takes precedence over those that are found. */
  readonly database?: { readonly name: string; readonly text: string };
  /** What the host knows about a file's language beyond its name, such as an editor's language mode. */
  languageOf?(name: string): Language | undefined;
  /** True for files that are open in an editor; their results are kept ready. */
  isOpen?(name: string): boolean;
  /** As in the service's options. */
  programsOf?(name: string): readonly string[] | undefined;
  /** Called with every configured include path and the folder of every configured `-include`, because it may be outside of the root. */
  allow?(folder: string): void;
}

/** Opens a project. Nothing is read before the first request. `changed` also announces files that have been fetched. */
export function openProject(options: ProjectOptions): Project {
  const { root, files, parser } = options;
  const schema = settingsSchema(rules);
  const newSettings = ({ flags, profile, rules: severities, isTrusted = true }: HostSettings) =>
    createSettings({
      root,
      files,
      schema,
      isTrusted,
      ...(flags === undefined ? {} : { flags }),
      flagsOrigin: options.flagsOrigin ?? "command line",
      ...(options.settingsFile === undefined ? {} : { settingsFile: options.settingsFile }),
      ...(options.database === undefined ? {} : { database: options.database }),
      ...(profile === undefined ? {} : { profile }),
      ...(severities === undefined ? {} : { rules: severities }),
    });
  let settings = newSettings(options);
  let service: Service | undefined;
  const inference = createStandardInference(root, files);
  const relocatable = createRelocatableInference(root, files);
  const hostCompiler = createHostCompilerInference(root, files);
  const forced = createForcedHeaders(root, files);
  const joined = createJoinedLiterals(files);
  const relaxed = createRelaxedConstexprInference(files);
  const hipified = createHipInference(files);
  const deviceSources = createDeviceSources(root, files);
  const findCuda = createFindCuda(files);
  const macroInference = createMacroInference(files);
  const buildMacros = createBuildMacros(files);
  // Build scripts are listed because they contain settings; they are not checked.
  let listed: { readonly all: readonly string[]; readonly sources: readonly string[] } | undefined;
  const sources: Files = {
    read: (name) => files.read(name),
    list: () => {
      const all = files.list();
      if (listed?.all !== all) listed = { all, sources: all.filter(isSource) };
      return listed.sources;
    },
    scripts: () => files.list().filter(isScript),
  };

  /** Stands for the texts and the settings as they are now; what changes one of them replaces it. */
  let version = {};
  const settingsOf = (name: string): CompileSettings => settingsNow(version, name);
  const settingsNow = memoByPair((_: object, name: string): CompileSettings => {
    const own = settings.of(name);
    const given = own.language ?? languageOfName(name) ?? options.languageOf?.(name);
    const device = given === undefined ? deviceSources.of(name) : undefined;
    if (device !== undefined) return asCuda(name, asDeviceSource(own, device));
    const known = given === undefined || given === own.language || languageOfName(name) !== undefined ? own : { ...own, language: given };
    // A source with a neutral name, such as `kernels.cpp`, is built like one that is named after its language.
    const language = given ?? languageOfText(name, textOf(files, name));
    if (language === undefined) return known;
    if (language === "cuda") return asCuda(name, known);
    const built = withBuild(name, known, language);
    const inferred = withInferredStandard(name, withMacros(built, macroInference.macros(), "one of the values that are tested"));
    const others = [...buildMacros.optional(name), ...joined.values(name)].filter(({ name: macro }) =>
      inferred.macros.every((set) => set.name !== macro),
    );
    return withOtherBuilds(
      inferred,
      others.map((macro) => buildWith(macro, macro)),
    );
  });
  const withBuild = (name: string, own: CompileSettings, language: Language): CompileSettings => {
    const headers = [...joined.of(name, language), ...forced.of(name, language)];
    const set = [...own.macros, ...(language === "opencl" ? macroInference.macros() : [])];
    const macros = buildMacros.of(name, language, set);
    const found = withHeaders(withMacros(own, macros, "in the build"), headers);
    return withOtherBuilds(
      found,
      macros.flatMap((macro) => (macro.others ?? []).map((other) => buildWith(other, macro))),
    );
  };
  const asCuda = (name: string, own: CompileSettings): CompileSettings => ({
    ...withMacros(withBuild(name, own, "cuda"), findCuda.of(name), "by FindCUDA"),
    ...(own.relocatableDeviceCode === undefined && relocatable.of(name) ? { relocatableDeviceCode: true } : {}),
    ...(own.hostCompiler === undefined && hostCompiler.isMicrosoft(name) ? { hostCompiler: "msvc in some build" } : {}),
    ...(own.hip === undefined && hipified.isHip(name) ? { hip: true } : {}),
    ...(own.relaxesConstexpr === undefined && relaxed.isRelaxed() ? { relaxesConstexpr: true } : {}),
  });
  const asDeviceSource = (own: CompileSettings, { isHip, location, macros }: DeviceSource): CompileSettings => {
    const origin = originWith(own, isHip ? "compiled as HIP" : "compiled as CUDA", location);
    const known: CompileSettings = { ...own, language: "cuda", origin, ...(isHip && own.hip === undefined ? { hip: true } : {}) };
    // Settings with macros describe the author's build.
    return own.macros.length > 0 ? known : withMacros(known, macros, "for its specifiers");
  };
  const withInferredStandard = (name: string, own: CompileSettings): CompileSettings => {
    // C++ for OpenCL has an extension of its own.
    if (own.openclStandard !== undefined || /\.(clcpp|clpp)$/i.test(name)) return own;
    const inferred = inference.of(name);
    if (inferred === undefined) return own;
    const { standard, location, isDefault, fallback, others = [] } = inferred;
    const option = isDefault === true ? "a build without -cl-std" : `-cl-std=${standard}`;
    const found = { ...own, openclStandard: standard, standardFrom: location, origin: originWith(own, option, location) };
    const builds = others.map(
      (each): OtherBuild => ({
        openclStandard: each.standard,
        label: `with -cl-std=${each.standard}`,
        location: each.location,
      }),
    );
    if (fallback !== undefined) builds.push({ openclStandard: "CL1.2", label: "without -cl-std", location: fallback });
    return withOtherBuilds(found, builds);
  };
  const withHeaders = (own: CompileSettings, found: readonly ForcedHeader[]): CompileSettings => {
    const inferred = found.filter(({ uri }) => own.forcedIncludes.every((set) => set.uri !== uri));
    let { origin } = own;
    for (const { name, location } of inferred) origin = originWith({ origin }, `-include ${name} (in the build)`, location);
    return inferred.length === 0
      ? own
      : { ...own, forcedIncludes: [...own.forcedIncludes, ...inferred.map(({ name, uri }) => ({ name, uri }))], origin };
  };
  const withMacros = (own: CompileSettings, found: readonly InferredMacro[], why: string): CompileSettings => {
    const inferred = found.filter(({ name }) => own.macros.every((set) => set.name !== name));
    if (inferred.length === 0) return own;
    let { origin } = own;
    for (const { name, value, location } of inferred) origin = originWith({ origin }, `-D${name}=${value} (${why})`, location);
    const macros = [...own.macros, ...inferred.map(({ name, value }) => ({ name, value }))];
    return { ...own, macros, macrosFrom: [...(own.macrosFrom ?? []), ...inferred.map(({ location }) => location)], origin };
  };
  const lines = new Map<string, { readonly text: string; readonly index: LineIndex }>();
  const linesOf = (uri: string): LineIndex => {
    const text = textOf(files, uri);
    const known = lines.get(uri);
    if (known?.text === text) return known.index;
    const index = lineIndex(text);
    lines.set(uri, { text, index });
    return index;
  };
  const originWith = ({ origin }: Pick<CompileSettings, "origin">, option: string, { uri, span }: Location): string => {
    const line = linesOf(uri).placeOf(span.start).line + 1;
    const place = `${option} in ${relativeName(uri, root) ?? uri}:${line}`;
    return origin === "defaults" ? place : `${origin}, ${place}`;
  };

  const forgetService = () => {
    service?.dispose();
    service = undefined;
  };

  return {
    root,
    settings: {
      of: settingsOf,
      severitiesOf: (name) => settings.severitiesOf(name),
      placeOfSeverity: (name, rule) => settings.placeOfSeverity(name, rule),
      isExcluded: (name) => settings.isExcluded(name),
      problems: () => settings.problems(),
      hasRead: (name) => settings.hasRead(name),
      unread: () => settings.unread(),
      changed: () => {
        version = {};
        settings.changed();
      },
    },
    service() {
      service ??= createService({
        files: sources,
        parser,
        ...(options.isOpen === undefined ? {} : { isOpen: (name: string) => options.isOpen?.(name) === true }),
        settingsOf(name) {
          const own = settingsOf(name);
          for (const folder of own.includePaths) options.allow?.(folder);
          // Such a header may include others beside it.
          for (const { uri } of own.forcedIncludes) options.allow?.(folderOf(uri));
          return own;
        },
        rules: { severitiesOf: (name) => settings.severitiesOf(name) },
        programsOf: (name) => options.programsOf?.(name),
      });
      return service;
    },
    changed(names) {
      version = {};
      const awaited = settings.unread();
      if (names.some((name) => isSettingsFile(name) || settings.hasRead(name) || awaited.includes(name))) {
        settings.changed();
        forgetService();
        return "everything";
      }
      if (
        [inference, relocatable, relaxed, hipified, deviceSources, findCuda, hostCompiler, forced, joined, macroInference, buildMacros]
          .map((each) => each.changed(names))
          .some((isOther) => isOther)
      ) {
        forgetService();
        return "everything";
      }
      return service?.changed(names) ?? [];
    },
    setHostSettings(changed) {
      version = {};
      settings = newSettings(changed);
      forgetService();
    },
    dispose: forgetService,
  };
}

function withOtherBuilds(own: CompileSettings, builds: readonly OtherBuild[]): CompileSettings {
  return builds.length === 0 ? own : { ...own, otherBuilds: [...(own.otherBuilds ?? []), ...builds] };
}

/** The build that defines one macro in place of another, or gives the other this value. */
function buildWith({ name, value }: { readonly name: string; readonly value: string }, other: InferredMacro): OtherBuild {
  const without = name === other.name ? [] : [{ name: other.name, value: undefined }];
  return { macros: [...without, { name, value }], label: `with ${flagOf({ name, value })}`, location: other.location };
}

function flagOf({ name, value }: { readonly name: string; readonly value: string }): string {
  return value === "1" ? `-D${name}` : `-D${name}=${value}`;
}
