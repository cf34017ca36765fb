/**
 * The settings on the pages are valid in their format, and those for editors that tests cannot start agree with the files in
 * `integrations/`. Other tests run the commands and the remaining snippets of the pages.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParseError, parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const pages = ["README.md", ...readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))];

/** The blocks of code on a page in one language. */
function blocksOf(page: string, language: string): readonly string[] {
  return [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text = ""]) => text);
}

function json(text: string): unknown {
  const problems: ParseError[] = [];
  // Single members are shown without the object around them.
  const value: unknown = parseJson(text.startsWith('"') ? `{${text}}` : text, problems);
  expect(problems, text).toEqual([]);
  return value;
}

describe("settings on a page", () => {
  it.each(pages)("are valid: %s", (page) => {
    for (const language of ["json", "jsonc"]) blocksOf(page, language).map(json);
    for (const text of blocksOf(page, "toml")) expect(() => parseToml(text), text).not.toThrow();
    for (const text of blocksOf(page, "yaml")) expect(parseDocument(text).errors, text).toEqual([]);
  });
});

const server = ["node", "/path/to/dist/server-node.js", "--stdio"];
const editors = "docs/editors.md";
/** The text below a heading. */
const section = (title: string) => new RegExp(`^## ${title}\\n(.*?)(?=^## )`, "ms").exec(read(editors))?.[1] ?? "";
const settingsBelow = (title: string) => json(/```jsonc\n(.*?)```/s.exec(section(title))?.[1] ?? "");

describe("the page about editors", () => {
  it("has the settings for Sublime Text that are in integrations/", () => {
    const { clients } = settingsBelow("Sublime Text") as { clients: Record<string, { command: unknown; selector: unknown }> };
    const file = json(read("integrations/sublime/LSP.sublime-settings")) as typeof settings;
    const settings = { clients };
    expect(clients["gpu-qualifiers"]?.command).toEqual(server);
    expect(clients["gpu-qualifiers"]?.selector).toBe(file.clients["gpu-qualifiers"]?.selector);
  });

  it("starts the server in Kate for OpenCL, and for C++ as Kate's own settings name it", () => {
    expect(settingsBelow("Kate")).toEqual({
      servers: { opencl: { command: server, highlightingModeRegex: "^OpenCL$" }, cpp: { use: "opencl" } },
    });
  });

  it("names the language server and a language of Zed's extension", () => {
    const { languages, lsp } = settingsBelow("Zed") as { languages: Record<string, { language_servers: string[] }>; lsp: object };
    const extension = parseToml(read("integrations/zed/extension.toml")) as Record<string, Record<string, { languages: string[] }>>;
    const registered = extension.language_servers?.["gpu-qualifiers"];
    expect(Object.keys(lsp)).toEqual(["gpu-qualifiers"]);
    for (const [language, { language_servers: servers }] of Object.entries(languages)) {
      expect(registered?.languages).toContain(language);
      expect(servers).toContain("gpu-qualifiers");
    }
  });

  it("maps files to languages in JetBrains IDEs as the template does", () => {
    const text = section("JetBrains IDEs");
    const { fileTypeMappings: mappings } = json(read("integrations/lsp4ij/template.json")) as {
      fileTypeMappings: { fileType: { patterns: string[] }; languageId: string }[];
    };
    expect(text).toContain(`\`${server.join(" ")}\``);
    for (const { fileType, languageId } of mappings)
      expect(text).toMatch(
        new RegExp(`\`${fileType.patterns.join(";").replaceAll(/[*.]/g, "\\$&")}\` has( the language id)? \`${languageId}\``),
      );
  });
});

/** Every extension of OpenCL C and C++ for OpenCL that the VS Code extension knows. */
const extensions: readonly string[] = JSON.parse(read("package.json")).contributes.languages[0].extensions;

it("every editor's files and snippets name all extensions of OpenCL", () => {
  // The grammar is of OpenCL C, so files of C++ for OpenCL are C++ in Zed.
  const inZed = parseToml(read("integrations/zed/languages/opencl/config.toml"))["path_suffixes"] as string[];
  const { file_types: types } = settingsBelow("Zed") as { file_types: { "C++": string[] } };
  const places = {
    zed: [...inZed, ...types["C++"].filter((name) => name !== "hip")].map((name) => `.${name}`),
    vim: [...section("Vim").matchAll(/\*(\.(?:cl|ocl|opencl)\w*)/g)].map(([, name]) => name),
    neovim: [...section("Neovim").matchAll(/(\w+) = 'opencl'/g)].map(([, name]) => `.${name}`),
  };
  for (const [place, named] of Object.entries(places)) expect([...named].sort(), place).toEqual([...extensions].sort());
});

it("the module for Bazel has the name, the flag and the rule that the page uses", () => {
  const [snippet = ""] = blocksOf("docs/command-line.md", "python");
  const [, name = "", version = ""] = /bazel_dep\(name = "(\w+)", version = "([\d.]+)"\)/.exec(snippet) ?? [];
  expect(snippet).toContain(`local_path_override(module_name = "${name}", path = "node_modules/gpu-qualifiers")`);
  expect(read("MODULE.bazel")).toMatch(new RegExp(`module\\(\\s*name = "${name}",\\s*version = "${version}"`));
  const [, file = "", rule = ""] = new RegExp(`load\\("@${name}//([^"]+)", "(\\w+)"\\)`).exec(snippet) ?? [];
  expect(read(file.replace(":", "/"))).toMatch(new RegExp(`^${rule} = rule\\(|^def ${rule}\\(`, "m"));
  const [, flag = ""] = new RegExp(`--@${name}//:(\\w+)=`).exec(read("docs/command-line.md")) ?? [];
  expect(read("BUILD.bazel")).toContain(`name = "${flag}"`);
});

it("the README counts the editors whose first finding was timed, and has the least and the longest time", () => {
  const table = /how \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(read("docs/editors.md"))?.[1] ?? "";
  const timed = [...table.matchAll(/^\|[^|]+\| (?:(\d+) to )?(\d+) s \|/gm)];
  const seconds = timed.flatMap(([, from, to]) => [Number(from ?? to), Number(to)]);
  const count = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"][timed.length];
  expect(timed.length).toBeGreaterThan(3);
  expect(read("README.md")).toContain(`| ${Math.min(...seconds)} s to ${Math.max(...seconds)} s ([${count} editors](docs/editors.md`);
});
