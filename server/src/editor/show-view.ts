/**
 * Shows the text that the parser reads: the View of a file, with macros expanded and inactive code removed. A comment at the end of
 * a line says where the line came from, if that is not simply the next line of the file.
 */
import type { ReadFile } from "../diagnostics/analyzed-files.ts";
import { unitOf } from "../diagnostics/outline.ts";
import { baseNameOf, embeddedMark } from "../names.ts";
import { fileOf } from "../preprocess/row.ts";
import type { Unit } from "../preprocess/view/view.ts";

/** The View with comments. `lineOf` returns lines of the author's files, counted from one. */
export function showView({ uri, settings, readings }: ReadFile, lineOf: (uri: string, offset: number) => number): string | undefined {
  const reading = readings[0];
  if (reading === undefined) return undefined;
  const { unit, dialect } = reading;
  const others = readings.slice(1).map((other) => other.dialect.label);
  const shown = unitOf(unit, uri) ?? unit;
  const remarks = [...unit.notes, ...(shown.inactiveBranches ?? [])];
  const head = [
    `// ${nameOf(uri)} as ${dialect.label}${others.length === 0 ? "" : `; it is also judged as ${others.join(", ")}`}`,
    `// settings: ${settings.origin}${settings.macros.length === 0 ? "" : `; ${settings.macros.map(({ name, value }) => (value === undefined ? `-U${name}` : `-D${name}=${value}`)).join(" ")}`}`,
    ...(fileOf(unit.uri) === uri ? [] : [`// read where ${nameOf(unit.uri)} includes it`]),
    ...remarks.map(({ message, location }) => `// ${nameOf(location.uri)}:${lineOf(location.uri, location.span.start)}: ${message}`),
  ];
  return [...head, "", ...linesOf(shown, lineOf), ""].join("\n");
}

function linesOf({ view, includes, uri }: Unit, lineOf: (uri: string, offset: number) => number): readonly string[] {
  const result: string[] = [];
  const sites = [...includes].sort((a, b) => a.at - b.at);
  let offset = 0;
  let index = 0;
  let expected = "";
  for (const line of view.text.split("\n")) {
    const end = offset + line.length;
    for (let site = sites[0]; site !== undefined && site.at <= end; site = sites[0]) {
      sites.shift();
      if (site.unit?.uri.startsWith("builtin:") === true) continue;
      result.push(`// #include ${site.name}${site.unit === undefined ? " is missing" : ` is ${nameOf(site.unit.uri)}`}`);
    }
    if (line.trim() !== "") {
      const first = offset + line.search(/\S/);
      const { location } = view.origin({ start: first, end: Math.min(first + 1, end) });
      const number = lineOf(location.uri, location.span.start);
      const macros: string[] = [];
      while (index > 0 && (view.segments.startOf(index) ?? 0) > offset) index -= 1;
      for (; (view.segments.startOf(index) ?? Number.POSITIVE_INFINITY) <= end; index += 1) {
        const segment = view.segments.at(index);
        const isHere = (view.segments.startOf(index + 1) ?? view.text.length) > offset;
        if (isHere && segment?.expansion !== undefined && !macros.includes(segment.expansion.macro)) macros.push(segment.expansion.macro);
      }
      const place = `${location.uri === uri ? "" : nameOf(location.uri)}:${number}`;
      const notes = [
        place === expected ? undefined : place.replace(/^:/, "line "),
        macros.length === 0 ? undefined : `from ${macros.join(", ")}`,
      ].filter((note) => note !== undefined);
      result.push(notes.length === 0 ? line.trimEnd() : `${line.trimEnd()}  // ${notes.join(", ")}`);
      expected = `${location.uri === uri ? "" : nameOf(location.uri)}:${number + 1}`;
    }
    offset = end + 1;
  }
  return result;
}

function nameOf(uri: string): string {
  const [name = "", literal] = baseNameOf(uri).split(embeddedMark);
  return literal === undefined ? name : `string ${Number.parseInt(literal, 10) + 1} of ${name}`;
}
