/** The extension's manifest agrees with the server: settings, colors, commands. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { tokenModifiers } from "../../../server/src/editor/semantic-tokens.ts";
import { editorSettings } from "../../../server/src/lsp/projects/editor-settings.ts";
import { serverCommands } from "../../../server/src/lsp/session/commands.ts";
import { isChecked } from "../../../server/src/project/interest.ts";
import { rules } from "../../../server/src/rules/index.ts";

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly semanticTokenModifiers: readonly { readonly id: string }[];
  };
}

const root = join(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { contributes, capabilities } = JSON.parse(read("package.json")) as Manifest;

describe("the extension", () => {
  it("declares every setting that the server accepts", () => {
    expect(Object.keys(contributes.configuration.properties)).toEqual(
      [...Object.keys(editorSettings(rules)), "trace.server"].map((name) => `gpuQualifiers.${name}`),
    );
  });

  it("declares the token modifiers that the protocol does not define", () => {
    expect(contributes.semanticTokenModifiers.map(({ id }) => id).sort()).toEqual(
      tokenModifiers.filter((name) => name !== "declaration" && name !== "readonly").sort(),
    );
  });

  it("is activated by every file name that is checked, and watches these files", () => {
    const places = [
      read("package.json").match(/workspaceContains:\*\*\/\*\.\{(.*?)\}/)?.[1],
      read("client/src/activation.ts").match(/\*\*\/\*\.\{(.*?)\}/)?.[1],
      read("server/src/lsp/server.ts").match(/\*\*\/\*\.\{(.*?)\}/)?.[1],
    ];
    for (const place of places) {
      const extensions = place?.split(",") ?? [];
      expect(extensions).toEqual(expect.arrayContaining(["cu", "cl"]));
      const known = ["cu", "cuh", "hip", "cl", "clh", "clcpp", "clpp", "opencl", "ocl"];
      expect(known.filter((extension) => isChecked(`file:///a.${extension}`))).toEqual(known);
      expect(known.filter((extension) => !extensions.includes(extension))).toEqual([]);
    }
  });

  it("registers the commands that it declares", () => {
    const client = ["client/src/commands.ts"].map(read).join("\n");
    for (const { command } of contributes.commands) expect(client).toContain(`"${command}"`);
  });

  it("ignores flags from untrusted workspaces", () => {
    const { untrustedWorkspaces } = capabilities;
    expect(untrustedWorkspaces.supported).toBe("limited");
    expect(untrustedWorkspaces.restrictedConfigurations).toEqual(["gpuQualifiers.flags"]);
    for (const name of untrustedWorkspaces.restrictedConfigurations)
      expect(Object.keys(contributes.configuration.properties)).toContain(name);
    const client = read("client/src/extension.ts");
    expect(client).toContain("isTrusted: workspace.isTrusted");
    expect(client).toMatch(/onDidGrantWorkspaceTrust\(.*gpu-qualifiers\/trusted/);
  });

  it("documents the requests that other editors may send", () => {
    const page = read("docs/editors.md");
    for (const command of serverCommands) expect(page).toContain(command);
  });

  it("documents settings of other editors that can be parsed", () => {
    const snippets = [...read("docs/editors.md").matchAll(/^```(jsonc|toml)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
      language,
      text,
    }));
    expect(snippets.map(({ language }) => language)).toEqual(expect.arrayContaining(["jsonc", "toml"]));
    for (const { language, text } of snippets) {
      const problems: ParseError[] = [];
      if (language === "jsonc") parse(text.trimStart().startsWith("{") ? text : `{${text}}`, problems, { allowTrailingComma: true });
      const misread =
        language === "toml"
          ? text.split("\n").filter((line) => !/^(#.*|\[[\w.-]+\]|\[\[[\w.-]+\]\])?$/.test(line) && !isTomlPair(line))
          : [];
      expect([...problems, ...misread], text).toEqual([]);
    }
  });
});

/** True for a pair of TOML whose value is also a value of JSON. */
function isTomlPair(line: string): boolean {
  const value = /^[\w-]+ = (.+)$/.exec(line)?.[1];
  const problems: ParseError[] = [];
  if (value !== undefined) parse(value, problems);
  return value !== undefined && problems.length === 0;
}
