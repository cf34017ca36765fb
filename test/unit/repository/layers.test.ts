/** The layer rule and the limits of CONTRIBUTING.md: what may import what, and how long a file may be. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const core = join(root, "server/src");

/**
 * From the bottom up; a file may import from its own line and from those before it. Rooms on the same line may call each other,
 * and `the only rooms` below says which of them do.
 */
const layers = [
  "base",
  "embedded",
  "preprocess",
  "syntax",
  "semantics/builtins",
  "semantics/types",
  "semantics/symbols",
  "semantics/constants",
  "semantics/facts",
  "semantics/declarations|semantics/expressions|semantics/templates",
  "semantics/units",
  "analyses",
  "summary",
  "rules/rule.ts|rules/predicates.ts",
  "rules/fixes",
  "rules/findings",
  "rules/opencl|rules/cuda|rules/common",
  "rules/index.ts",
  "diagnostics",
  "editor",
  "settings",
  "service",
  "project",
  "node",
  "lsp|cli",
  "entries",
];
const baseFiles = [
  "source.ts",
  "names.ts",
  "dialect.ts",
  "tracked-dialect.ts",
  "finding.ts",
  "qualifiers.ts",
  "steps.ts",
  "lists.ts",
  "spans.ts",
  "words.ts",
  "text-change.ts",
  "memo.ts",
  "budget.ts",
  "printable.ts",
  "forms.ts",
  "encoding.ts",
];

function layerOf(path: string): number {
  const local = relative(core, path).replaceAll("\\", "/");
  const name = baseFiles.includes(local) ? "base" : local === "service.ts" ? "service" : local;
  return layers.findIndex((layer) => layer.split("|").some((room) => name === room || name.startsWith(`${room}/`)));
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}

interface Import {
  readonly from: string;
  readonly what: string;
}

function importsOf(path: string): readonly Import[] {
  const text = readFileSync(path, "utf8");
  const statements = [...text.matchAll(/^(?:import|export)\b[^;"]*?\bfrom\s*"(?<what>[^"]+)"/gm)];
  const inline = [...text.matchAll(/\bimport\(\s*"(?<what>[^"]+)"\s*\)/g), ...text.matchAll(/^import\s*"(?<what>[^"]+)"/gm)];
  return [...statements, ...inline].map(({ groups }) => ({ from: path, what: groups?.what ?? "" }));
}

const sources = filesBelow(core);
const imports = sources.flatMap(importsOf);
const shown = ({ from, what }: Import) => `${relative(root, from)} imports ${what}`;

describe("the layers of server/src", () => {
  it("are those of the list, and contain every file", () => {
    expect(sources.filter((path) => layerOf(path) < 0)).toEqual([]);
    expect(imports.length).toBeGreaterThan(100);
  });

  it("import from themselves and below, never from above", () => {
    const upward = imports.filter(
      ({ from, what }) => what.startsWith(".") && !what.endsWith(".json") && layerOf(join(dirname(from), what)) > layerOf(from),
    );
    expect(upward.map(shown)).toEqual([]);
  });

  it("keep Node, browsers and the protocol out of the core", () => {
    const host = layers.indexOf("project");
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

describe("the rooms of server/src", () => {
  const local = (path: string) => relative(core, path).replaceAll("\\", "/");
  const edges = imports
    .filter(({ what }) => what.startsWith(".") && what.endsWith(".ts"))
    .map(({ from, what }) => [local(from), local(join(dirname(from), what))] as const);

  it("import each other in a circle only where C++ is recursive", () => {
    // Files beside rooms (`service.ts`, `rules/rule.ts`) are rooms of their own.
    const parents = new Set(sources.map((path) => dirname(dirname(local(path)))));
    const roomOf = (path: string) => (parents.has(dirname(path)) ? path : dirname(path));
    const between = edges.map(([from, to]) => [roomOf(from), roomOf(to)] as const).filter(([from, to]) => from !== to);
    expect(circles(between).map((circle) => [...circle].sort())).toEqual([
      ["semantics/declarations", "semantics/expressions", "semantics/templates"],
    ]);
  });

  it("have no circle of more than 20 files", () => {
    const sizes = circles(edges).map((circle) => circle.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  });

  it("have at most 25 files, those of rules at most 60", () => {
    const counts = new Map<string, number>();
    for (const path of sources) counts.set(dirname(local(path)), (counts.get(dirname(local(path))) ?? 0) + 1);
    const full = [...counts].filter(([room, count]) => count > (/^rules\/(opencl|cuda|common)$/.test(room) ? 60 : 25));
    expect(full).toEqual([]);
  });

  it("have no rule that imports another rule", () => {
    const isRule = (path: string) => /^rules\/(opencl|cuda|common)\//.test(path);
    expect(edges.filter(([from, to]) => isRule(from) && isRule(to))).toEqual([]);
  });
});

/** The strongly connected components with several nodes, found by Tarjan's algorithm. */
function circles(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const open: string[] = [];
  const found: (readonly string[])[] = [];
  const visit = (node: string): number => {
    const own = order.size;
    order.set(node, own);
    open.push(node);
    let low = own;
    for (const to of next.get(node) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (open.includes(to)) low = Math.min(low, order.get(to) ?? low);
    }
    if (low === own) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1) found.push(circle);
    }
    return low;
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return found;
}

describe("the files", () => {
  const all = [...sources, ...["client/src", "test", "bench", "scripts"].flatMap((folder) => filesBelow(join(root, folder)))];

  it("open with a comment that says what they are for", () => {
    const silent = all.filter((path) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(path, "utf8")));
    expect(silent.map((path) => relative(root, path))).toEqual([]);
  });

  it("have no blank line between that comment and the imports", () => {
    const apart = all.filter((path) => /^(#!.*\n)?\/\*\*(?:[^*]|\*(?!\/))*\*\/\n\nimport /.test(readFileSync(path, "utf8")));
    expect(apart.map((path) => relative(root, path))).toEqual([]);
  });

  it("keep what they compute in the memo", () => {
    const memos = sources.filter((path) => readFileSync(path, "utf8").includes("new WeakMap")).map((path) => relative(core, path));
    // Tables beside symbols hold what a declaration says, not what was computed from it.
    expect(memos.filter((path) => !path.startsWith("semantics/")).sort()).toEqual([
      // Its answer is awaited.
      "lsp/session/memory-view.ts",
      "memo.ts",
      // Begins anew when too many names are kept.
      "service/builtins.ts",
      // Frees the parser's own trees.
      "syntax/parser.ts",
    ]);
  });

  it("have a docstring at every export", () => {
    const silent = [...sources, ...filesBelow(join(root, "client/src"))].flatMap((path) => {
      const lines = readFileSync(path, "utf8").split("\n");
      const declared = /^export (?:async )?(?:function\*?|const|let|interface|type|class) (?<name>\w+)/;
      return lines.flatMap((line, index) => {
        const name = declared.exec(line)?.groups?.["name"];
        return name === undefined || lines[index - 1]?.endsWith("*/") === true ? [] : [`${relative(root, path)}: ${name}`];
      });
    });
    expect(silent).toEqual([]);
  });

  it("of the server export no two types of one name", () => {
    const names = sources.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name),
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
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
