/** The layer rule and the limits of CONTRIBUTING.md: what may import what, and how long a file may be. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const core = join(root, "server/src");

/** From the bottom up; a file may import from its own layer and from those before it. */
const layers = [
  "base",
  "embedded",
  "preprocess",
  "syntax",
  "semantics",
  "rules",
  "features",
  "workspace",
  "service",
  "host",
  "lsp|cli",
  "entries",
];
const baseFiles = ["source.ts", "names.ts", "dialect.ts", "finding.ts", "steps.ts"];

function layerOf(path: string): number {
  const local = relative(core, path).replaceAll("\\", "/");
  const name = baseFiles.includes(local) ? "base" : local === "service.ts" ? "service" : (local.split("/")[0] ?? "");
  return layers.findIndex((layer) => layer.split("|").includes(name));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

interface Import {
  readonly from: string;
  readonly what: string;
  readonly isTypeOnly: boolean;
}

function importsOf(path: string): readonly Import[] {
  const text = readFileSync(path, "utf8");
  const statements = [...text.matchAll(/^(?:import|export)\b(?<clause>[^;"]*?)\bfrom\s*"(?<what>[^"]+)"/gm)];
  const inline = [...text.matchAll(/\bimport\(\s*"(?<what>[^"]+)"\s*\)/g), ...text.matchAll(/^import\s*"(?<what>[^"]+)"/gm)];
  return [...statements, ...inline].map(({ groups }) => ({
    from: path,
    what: groups?.what ?? "",
    isTypeOnly: /^\s*type\b/.test(groups?.clause ?? ""),
  }));
}

const sources = filesBelow(core);
const imports = sources.flatMap(importsOf);
const shown = ({ from, what }: Import) => `${relative(root, from)} imports ${what}`;

describe("the layers of server/src", () => {
  it("are those of the list, every file in one", () => {
    expect(sources.filter((path) => layerOf(path) < 0)).toEqual([]);
    expect(imports.length).toBeGreaterThan(100);
  });

  it("import from themselves and below, never from above", () => {
    const upward = imports.filter(
      ({ from, what }) => what.startsWith(".") && !what.endsWith(".json") && layerOf(join(dirname(from), what)) > layerOf(from),
    );
    // A rule's `link` reads summaries: the types of one data file of the workspace, which imports nothing but `source.ts`.
    const allowed = upward.filter(({ what, isTypeOnly }) => isTypeOnly && /^(\.\.\/)+workspace\/summary\.ts$/.test(what));
    expect(upward.filter((one) => !allowed.includes(one)).map(shown)).toEqual([]);
  });

  it("keep Node, browsers and the protocol out of the core", () => {
    const host = layers.indexOf("host");
    const foreign = imports.filter(({ from, what }) => layerOf(from) < host && /^node:|^vscode/.test(what));
    expect(foreign.map(shown)).toEqual([]);
  });

  it("import each package in one layer only, and the protocol in lsp/ and the entries", () => {
    const users = new Map<string, Set<string>>();
    for (const { from, what } of imports) {
      if (what.startsWith(".") || what.startsWith("node:")) continue;
      const name = what.startsWith("@") ? what.split("/").slice(0, 2).join("/") : (what.split("/")[0] ?? "");
      const layer = relative(core, from).split("/")[0] ?? "";
      users.set(name, new Set([...(users.get(name) ?? []), layer]));
    }
    const spread = [...users].filter(([name, own]) =>
      name === "vscode-languageserver" ? [...own].some((layer) => layer !== "lsp" && layer !== "entries") : own.size > 1,
    );
    expect(spread.map(([name, own]) => `${name}: ${[...own].join(", ")}`)).toEqual([]);
    expect(users.has("web-tree-sitter")).toBe(true);
  });

  it("name the extension of what they import", () => {
    expect(imports.filter(({ what }) => what.startsWith(".") && !/\.(ts|json)$/.test(what)).map(shown)).toEqual([]);
  });
});

describe("the files", () => {
  const all = [...sources, ...["client/src", "test", "bench", "scripts"].flatMap((folder) => filesBelow(join(root, folder)))];

  it("open with a comment that says what they are for", () => {
    const silent = all.filter((path) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(path, "utf8")));
    expect(silent.map((path) => relative(root, path))).toEqual([]);
  });

  it("have at most 400 lines, or say in the header why they are longer", () => {
    const long = all.filter((path) => {
      const text = readFileSync(path, "utf8");
      const header = text.slice(0, text.indexOf("*/"));
      return text.split("\n").length > 401 && !/\blonger\b/i.test(header);
    });
    expect(long.map((path) => relative(root, path))).toEqual([]);
  });

  it("of the entries have at most 60 lines", () => {
    const long = sources.filter((path) => path.includes("/entries/") && readFileSync(path, "utf8").split("\n").length > 61);
    expect(long).toEqual([]);
  });
});
