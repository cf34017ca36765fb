/**
 * The files for editors' registries in `integrations/`: each is read by the program that reads it in the end, or by a parser of its
 * format, and names programs, languages and files that exist. The queries for Zed are tested beside the grammar.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ParseError, parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { languageOfName } from "../../../server/src/dialect.ts";
import { unless } from "../../skips.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "integrations");
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const { version, license, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
};
const has = (program: string) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
const start = ["gpu-qualifiers-server", "--stdio"];

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("lists every folder on its page, and starts a program of the package", () => {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) expect(read("README.md")).toContain(`\`${name}\``);
  expect(Object.keys(bin)).toContain(start[0]);
});

it.skipIf(!has("nvim"))(`has a configuration that Neovim evaluates${unless(has("nvim"), "Neovim is not installed")}`, () => {
  const script = `lua io.stdout:write(vim.fn.json_encode(dofile('${join(folder, "neovim/lsp/gpu_qualifiers.lua")}')))`;
  const { stdout, stderr } = spawnSync("nvim", ["--headless", "--clean", "-c", script, "-c", "qa!"], { encoding: "utf8" });
  expect(JSON.parse(stdout), stderr).toEqual({
    cmd: start,
    filetypes: ["cuda", "opencl"],
    root_markers: ["gpu-qualifiers.json", "compile_commands.json", ".git"],
  });
});

const yaml = "{ extends: default, rules: { line-length: disable, braces: { max-spaces-inside: 1 } } }";
const packageLint = [
  "--batch",
  "--eval",
  "(progn (package-initialize) (require 'package-lint) (setq package-lint-batch-fail-on-warnings nil))",
];
const findPackageLint = ["--batch", "--eval", '(progn (package-initialize) (or (locate-library "package-lint") (kill-emacs 1)))'];
const linters: readonly (readonly [string, string, readonly string[], boolean])[] = [
  ["the configuration of Neovim", "luacheck", ["--globals", "vim", "--no-color", "neovim"], has("luacheck")],
  ["the package of mason", "yamllint", ["--strict", "-d", yaml, "mason/package.yaml"], has("yamllint")],
  [
    "the package of Emacs",
    "emacs",
    [...packageLint, "-f", "package-lint-batch-and-exit", "emacs/gpu-qualifiers.el"],
    has("emacs") && spawnSync("emacs", findPackageLint, { stdio: "ignore" }).status === 0,
  ],
];

describe("linters of the registries", () => {
  for (const [what, linter, args, isThere] of linters) {
    it.skipIf(!isThere)(`accept ${what}${unless(isThere, `the linter of ${what} is not installed`)}`, () => {
      const { status, stdout, stderr } = spawnSync(linter, args, { cwd: folder, encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    });
  }
});

it("has a package of mason's registry, with this version, license and these programs", () => {
  expect(parseYaml(read("mason/package.yaml"))).toMatchObject({
    name: "gpu-qualifiers",
    licenses: [license],
    categories: ["LSP", "Linter"],
    source: { id: `pkg:npm/gpu-qualifiers@${version}` },
    bin: Object.fromEntries(Object.keys(bin).map((name) => [name, `npm:${name}`])),
    neovim: { lspconfig: "gpu_qualifiers" },
  });
});

it("has a template of LSP4IJ that maps every extension to its language", () => {
  const template = JSON.parse(read("lsp4ij/template.json")) as {
    readonly programArgs: Readonly<Record<string, string>>;
    readonly fileTypeMappings: readonly { readonly fileType: { readonly patterns: readonly string[] }; readonly languageId: string }[];
  };
  expect(template.programArgs["default"]).toBe(start.join(" "));
  for (const { fileType, languageId } of template.fileTypeMappings) {
    for (const pattern of fileType.patterns)
      expect(languageOfName(`file:///${pattern.replace("*", "k")}`)).toBe(languageId === "opencl" ? "opencl" : "cuda");
  }
});

it("has settings for Sublime's LSP", () => {
  const problems: ParseError[] = [];
  const { clients } = parseJson(read("sublime/LSP.sublime-settings"), problems, { allowTrailingComma: true });
  expect(problems).toEqual([]);
  expect(clients["gpu-qualifiers"]).toMatchObject({ enabled: true, command: start });
});

it("has Helix's languages with their server and the grammar's folder", () => {
  const { grammar, language, "language-server": servers } = parseToml(read("helix/languages.toml")) as Record<string, unknown>;
  expect(servers).toEqual({ "gpu-qualifiers": { command: start[0], args: [start[1]] } });
  expect(language).toMatchObject([{ name: "cpp" }, { name: "opencl", "language-servers": ["clangd", "gpu-qualifiers"] }]);
  expect(grammar).toMatchObject([{ name: "opencl", source: { subpath: "grammars/opencl" } }]);
  expect(readdirSync(join(root, "grammars/opencl/src"))).toContain("parser.c");
});

describe("Zed's extension", () => {
  it("has manifests that agree with each other and with the grammar", () => {
    const extension = parseToml(read("zed/extension.toml"));
    expect(extension).toMatchObject({ version, schema_version: 1, grammars: { opencl: { path: "grammars/opencl" } } });
    expect(extension["language_servers"]).toMatchObject({ "gpu-qualifiers": { languages: ["OpenCL", "C++", "C"] } });
    expect(parseToml(read("zed/Cargo.toml"))).toMatchObject({ package: { version, license }, lib: { "crate-type": ["cdylib"] } });
    const language = parseToml(read("zed/languages/opencl/config.toml"));
    expect(language).toMatchObject({ name: "OpenCL", grammar: "opencl" });
    const { grammars } = JSON.parse(readFileSync(join(root, "grammars/opencl/tree-sitter.json"), "utf8"));
    expect(language["path_suffixes"]).toEqual(grammars[0]["file-types"]);
    for (const name of ["highlights.scm", "injections.scm"])
      expect(read(`zed/languages/opencl/${name}`)).toBe(readFileSync(join(root, "grammars/opencl/queries", name), "utf8"));
  });

  it.skipIf(!has("rustc"))(
    `is compiled against the part of Zed's interface that it uses${unless(has("rustc"), "rustc is not installed")}`,
    () => {
      writeFileSync(join(scratch, "api.rs"), interfaceOfZed);
      copyFileSync(join(folder, "zed/src/lib.rs"), join(scratch, "lib.rs"));
      const compile = (...args: readonly string[]) =>
        spawnSync("rustc", ["--edition", "2021", "--emit", "metadata", "--out-dir", scratch, ...args], { cwd: scratch, encoding: "utf8" });
      const api = compile("--crate-type", "lib", "--crate-name", "zed_extension_api", "api.rs");
      expect(api.stderr).toBe("");
      const extension = compile(
        "--crate-type",
        "lib",
        "--crate-name",
        "extension",
        "-L",
        scratch,
        "--extern",
        "zed_extension_api",
        "lib.rs",
      );
      expect([extension.status, extension.stderr]).toEqual([0, ""]);
    },
  );
});

describe.skipIf(!has("emacs"))(`the clients of Emacs${unless(has("emacs"), "Emacs with eglot is not installed")}`, () => {
  const emacs = (...expressions: readonly string[]) =>
    spawnSync("emacs", ["--batch", "-L", scratch, ...expressions.flatMap((text) => ["--eval", text])], { encoding: "utf8" });

  it("are compiled without a warning", () => {
    copyFileSync(join(folder, "emacs/gpu-qualifiers.el"), join(scratch, "gpu-qualifiers.el"));
    const file = join(scratch, "gpu-qualifiers.el");
    const { status, stderr } = emacs(`(setq byte-compile-error-on-warn t)`, `(unless (byte-compile-file "${file}") (kill-emacs 1))`);
    expect(status, stderr).toBe(0);
  });

  it("are registered with eglot, and with lsp-mode by its functions", () => {
    const { stdout, stderr } = emacs(
      "(setq eglot-server-programs nil lsp-language-id-configuration nil)",
      "(defun lsp-stdio-connection (command) (funcall command))",
      "(defun make-lsp-client (&rest all) all)",
      '(defun lsp-register-client (client) (princ (format "%S\\n" (plist-get client :new-connection))))',
      "(provide 'eglot)",
      "(provide 'lsp-mode)",
      "(require 'gpu-qualifiers)",
      '(princ (format "%S\\n" (funcall (cdar eglot-server-programs) nil)))',
      '(princ (format "%S\\n" (caar eglot-server-programs)))',
    );
    const command = '("gpu-qualifiers-server" "--stdio")';
    expect(stdout.trimEnd().split("\n"), stderr).toEqual([
      command,
      command,
      '((cuda-mode :language-id "cuda-cpp") (opencl-c-mode :language-id "opencl"))',
    ]);
  });
});

/** Signatures as in the crate `zed_extension_api` 0.7, which needs a registry. */
const interfaceOfZed = `
pub struct LanguageServerId;
pub struct Worktree;
pub type EnvVars = Vec<(String, String)>;
pub type Result<T, E = String> = core::result::Result<T, E>;
pub struct Command { pub command: String, pub args: Vec<String>, pub env: EnvVars }
impl Worktree {
    pub fn which(&self, _name: &str) -> Option<String> { None }
    pub fn shell_env(&self) -> EnvVars { Vec::new() }
    pub fn root_path(&self) -> String { String::new() }
    pub fn read_text_file(&self, _path: &str) -> Result<String> { Ok(String::new()) }
}
pub fn node_binary_path() -> Result<String> { Ok(String::new()) }
pub trait Extension {
    fn new() -> Self where Self: Sized;
    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command>;
}
#[macro_export]
macro_rules! register_extension { ($t:ty) => { pub fn init() -> impl $crate::Extension { <$t as $crate::Extension>::new() } }; }
`;
