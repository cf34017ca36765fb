/**
 * The checking process of the precision harness: checks the requested files with one Service per kind of settings, and answers
 * with plain data. It is a separate process so that the harness can end it when a file takes too long.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ReadFile } from "../../server/src/diagnostics/analyzed-files.ts";
import { noCoverage } from "../../server/src/diagnostics/coverage.ts";
import { type CompileSettings, noSettings } from "../../server/src/dialect.ts";
import type { Diagnostic } from "../../server/src/finding.ts";
import { createNodeFiles } from "../../server/src/node/node-files.ts";
import { nameOfPath, pathOfName } from "../../server/src/node/node-names.ts";
import { codeAt } from "../../server/src/preprocess/unit-row.ts";
import { lineIndex } from "../../server/src/project/lines.ts";
import { openProject } from "../../server/src/project/project.ts";
import type { FunctionDeclaration } from "../../server/src/semantics/types/symbols.ts";
import { containsUndeclared } from "../../server/src/semantics/types/types.ts";
import { createService } from "../../server/src/service.ts";
import { readFlags } from "../../server/src/settings/compiler-flags.ts";
import type { Location } from "../../server/src/source.ts";
import { loadParser } from "../../server/src/syntax/parser.ts";
import type { FoundPlace, Outcome, Request, Task } from "./messages.ts";

const folder = process.argv[2] ?? ".";
const root = nameOfPath(folder);
const grammars = join(import.meta.dirname, "../../grammars/tree-sitter-gpu.wasm");
const parser = await loadParser(
  readFileSync(createRequire(import.meta.url).resolve("web-tree-sitter/web-tree-sitter.wasm")),
  readFileSync(grammars),
);
const files = createNodeFiles({ root });

const settings = new Map<string, CompileSettings>();
const configured = createService({
  files,
  parser,
  settingsOf(uri) {
    const found = settings.get(uri) ?? noSettings;
    for (const folder of found.includePaths) files.allow(folder);
    return found;
  },
});
const project = openProject({ root, files, parser, allow: (folder) => files.allow(folder) });

process.on("message", (request: Request) => process.send?.(request === "link" ? link() : check(request)));
process.send?.("ready");

function check(task: Task): Outcome {
  const uri = nameOfPath(task.path);
  if (task.flags !== undefined)
    settings.set(uri, { ...noSettings, ...readFlags(task.flags, { resolve: (path) => nameOfPath(join(folder, path)) }).settings });
  const start = performance.now();
  try {
    const service = task.flags === undefined ? project.service() : configured;
    const report = service.check(uri);
    const milliseconds = performance.now() - start;
    const kernels = service
      .parts(uri)
      .flatMap(({ file, locate }) => kernelsOf(file, report.dialects).map((kernel) => ({ kernel, locate })));
    const unclear = kernels.filter(({ kernel: { parameters } }) => parameters.some(({ symbol }) => containsUndeclared(symbol.type)));
    return {
      id: task.id,
      milliseconds,
      findings: report.diagnostics.map(placeOf),
      parseErrors: report.understanding.parseErrors.map((location) => ({ line: lineOf(location).line + 1, text: sourceAt(location) })),
      expressions: report.understanding.expressions,
      unknownExpressions: report.understanding.unknownExpressions,
      kernels: kernels.length,
      unclearKernels: unclear.map(({ kernel, locate }) => {
        const location = locate(codeAt(kernel.namePlace));
        return { line: lineOf(location).line + 1, text: sourceAt(location), types: unclearTypes(kernel) };
      }),
      notes: report.notes.map(({ message }) => message),
      coverage: report.coverage,
    };
  } catch (error) {
    const crash = error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 4).join(" | ") : String(error);
    return {
      id: task.id,
      milliseconds: performance.now() - start,
      crash,
      findings: [],
      parseErrors: [],
      expressions: 0,
      unknownExpressions: 0,
      kernels: 0,
      unclearKernels: [],
      notes: [],
      coverage: noCoverage,
    };
  }
}

/** The kernels that the file itself defines, under the first of the standards that judge it. */
function kernelsOf({ uri, readings }: ReadFile, dialects: readonly { readonly label: string }[]): readonly FunctionDeclaration[] {
  const reading = readings.find(({ dialect }) => dialects.some(({ label }) => label === dialect.label)) ?? readings[0];
  const declarations = (reading?.facts.functions ?? []).flatMap((owner) => owner.declarations);
  const own = declarations.filter(({ execution, isDefinition, namePlace }) => {
    return execution.kernel && isDefinition && codeAt(namePlace).uri === uri;
  });
  return [...new Set(own)];
}

/** The names of the types of parameters that could not be seen. */
function unclearTypes({ parameters, declarator }: FunctionDeclaration): readonly string[] {
  const names = parameters.flatMap(({ symbol }) => {
    const type = declarator.parameters[symbol.index ?? 0]?.specifiers.type;
    if (!containsUndeclared(symbol.type)) return [];
    return type?.kind === "named" ? [type.name.parts.map(({ text }) => text).join("::")] : ["(no name)"];
  });
  return [...new Set(names)];
}

function link(): readonly FoundPlace[] {
  return [...configured.link().values(), ...project.service().link().values()].flat().map(placeOf);
}

function placeOf({ location, severity, rule, message }: Diagnostic): FoundPlace {
  const { line, column } = lineOf(location);
  return {
    path: pathOfName(location.uri) ?? location.uri,
    line: line + 1,
    column: column + 1,
    severity,
    rule,
    message,
    source: sourceAt(location),
  };
}

function lineOf({ uri, span }: Location): { readonly line: number; readonly column: number } {
  return lineIndex(files.read(uri)).placeOf(span.start);
}

function sourceAt(location: Location): string {
  const text = lineIndex(files.read(location.uri));
  return text.textOf(text.placeOf(location.span.start).line).trim().slice(0, 160);
}
