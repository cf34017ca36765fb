/**
 * Connects the fixtures to a Service: loads the grammar once, passes files from memory to it, and converts its findings to lines and
 * columns. It also parses the flags of fixtures, so that a fixture needs no host.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type CompileSettings, fullProfile, type Limits, noSettings, type OpenCLStandard } from "../server/src/dialect.ts";
import type { Diagnostic } from "../server/src/finding.ts";
import { createService, type Service } from "../server/src/service.ts";
import { readFlags } from "../server/src/settings/compiler-flags.ts";
import type { Files } from "../server/src/source.ts";
import { loadParser, type SyntaxParser } from "../server/src/syntax/parser.ts";
import { type Fixture, type FixtureFile, isSourceName, optionalFeatures, type SeenFinding } from "./fixtures.ts";

let loading: Promise<SyntaxParser> | undefined;

/** The parser, loaded once per process. */
export function testParser(): Promise<SyntaxParser> {
  loading ??= newParser();
  return loading;
}

/** A parser of its own, which reads only so many tokens of a text. */
export function newParser(mostTokens?: number): Promise<SyntaxParser> {
  return loadParser(
    readFileSync(createRequire(import.meta.url).resolve("web-tree-sitter/web-tree-sitter.wasm")),
    readFileSync(join(import.meta.dirname, "../grammars/tree-sitter-gpu.wasm")),
    mostTokens,
  );
}

/** Files that exist only in memory; all others are absent. */
export function memoryFiles(files: ReadonlyMap<string, string>): Files {
  return { read: (uri) => files.get(uri) ?? "absent", list: () => [...files.keys()] };
}

const scheme = "file:///fixture/";

/** A service over some texts, named by their paths. */
export function serviceOf(parser: SyntaxParser, files: readonly FixtureFile[], settings: CompileSettings): Service {
  const texts = new Map(files.map(({ name, text }) => [scheme + name, text]));
  return createService({ files: memoryFiles(texts), parser, settingsOf: () => settings });
}

/** Every finding in the fixture's files under one standard (`undefined`: all at once, as without a configured standard), links included. */
export function check(parser: SyntaxParser, fixture: Fixture, standard: string | undefined): readonly SeenFinding[] {
  const service = serviceOf(parser, fixture.files, settingsFor(fixture, standard));
  try {
    return seenBy(service, fixture);
  } finally {
    service.dispose();
  }
}

/** Every finding of the service in the fixture's files, links included. */
export function seenBy(service: Service, { files }: Fixture): readonly SeenFinding[] {
  const uris = files.map(({ name }) => scheme + name).filter((uri) => files.length > 1 || isSourceName(uri));
  const found = uris.flatMap((uri) => service.check(uri).diagnostics);
  const linked = [...service.link().values()].flat();
  return [...found, ...linked].map((diagnostic) => seen(files, diagnostic)).filter((finding) => finding !== undefined);
}

function seen(files: readonly FixtureFile[], { rule, severity, message, location }: Diagnostic): SeenFinding | undefined {
  const file = files.find(({ name }) => scheme + name === location.uri);
  if (file === undefined) return undefined;
  const before = file.text.slice(0, location.span.start);
  const line = before.split("\n").length;
  const start = before.length - (before.lastIndexOf("\n") + 1);
  return { file: file.name, line, columns: { start, end: start + location.span.end - location.span.start }, rule, severity, message };
}

/** The settings of a fixture's flags and one standard. */
export function settingsFor(fixture: Pick<Fixture, "language" | "flags" | "limits">, standard: string | undefined): CompileSettings {
  const limits: Limits = { ...fullProfile, ...fixture.limits, areConfigured: Object.keys(fixture.limits).length > 0 };
  const { settings: flags, ignored, problems } = readFlags(fixture.flags, { resolve: (path) => scheme + path });
  const [unread] = [...ignored, ...problems.map(({ message }) => message)];
  if (unread !== undefined) throw new Error(`a fixture cannot have the flag '${unread}'`);
  const settings: CompileSettings = { ...noSettings, ...flags, limits, origin: "command line" };
  if (fixture.language === "cuda" || standard === undefined) return settings;
  if (standard !== "CL3.0min") return { ...settings, openclStandard: standard as OpenCLStandard };
  const off = new Map([...(flags.openclExtensions ?? []), ...optionalFeatures.map((name) => [name, false] as const)]);
  return { ...settings, openclStandard: "CL3.0", openclExtensions: off };
}
