/**
 * The configurations in `docs/editors.md` work in their editors exactly as they are written. `scripts/install-editors.sh` installs
 * newer versions than the system's.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/editors.md"), "utf8");
const files = {
  "kernel.cl": "kernel void k(global int *g) { local int *l = (local int *)g; }\n",
  "kernel.cu": "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s) {}\n",
} as const;
const wrongCast = "casting '__global int *' to '__local int *' changes the address space";
const nonConst = "'__grid_constant__' parameter 's' is not const";

/** The first block of code below a heading, with the server that was built here. */
function snippet(heading: string): string {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [, code] = /```\w+\n(.*?)\n```/s.exec(section) ?? [];
  if (code === undefined) throw new Error(`no code below ${heading}`);
  return code.replaceAll("/path/to/dist", join(root, "dist"));
}

/** The path of an installed program: the one installed for the tests takes precedence over the system's. */
function program(name: string, isRight: (version: string) => boolean): string | undefined {
  return [join(root, ".cache/editors/bin", name), name].find((path) => {
    if (path.startsWith("/") && !existsSync(path)) return false;
    const { status, stdout } = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 20_000 });
    return status === 0 && isRight(stdout);
  });
}

const neovim = program("nvim", (version) => {
  const [, major = 0, minor = 0] = (/v(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major > 0 || minor >= 11;
});
const helix = program("hx", (version) => version.includes("helix"));
// Helix needs a terminal; `script` of util-linux provides one.
const hasTerminal = spawnSync("script", ["-qfec", "true", "/dev/null"], { stdio: "ignore" }).status === 0;
const emacs = spawnSync("emacs", ["--batch", "--eval", "(progn (package-initialize) (require 'eglot))"], { stdio: "ignore" }).status === 0;

let folder: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const home = join(folder, "home");
  const own = { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), XDG_STATE_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home };
  env = { ...process.env, ...own, TERM: "xterm-256color", PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

describe.skipIf(neovim === undefined)(`Neovim${neovim === undefined ? " (skipped: there is no Neovim of 0.11 or newer)" : ""}`, () => {
  it.each([
    ["kernel.cl", "opencl", wrongCast],
    ["kernel.cu", "cuda", nonConst],
  ])("shows the findings in %s", (name, filetype, message) => {
    const driver = `
      vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 50)
      for _, found in ipairs(vim.diagnostic.get(0)) do io.stdout:write(vim.bo.filetype .. ': ' .. found.message .. '\\n') end
      vim.cmd('qa!')`;
    const args = ["--headless", "-u", write("init.lua", snippet("Neovim")), name, "-c", `luafile ${write("drive.lua", driver)}`];
    const { stdout, stderr } = spawnSync(neovim ?? "", args, { cwd: folder, env, encoding: "utf8", timeout: 90_000 });
    expect(stdout, stderr).toBe(`${filetype}: ${message}\n`);
  });
});

/** A file, its mode in Emacs, and the finding in it. */
const inEmacs = [
  ["kernel.cl", "opencl-c-mode", wrongCast],
  ["kernel.cu", "cuda-mode", nonConst],
] as const;

function runEmacs(driver: string) {
  const options = { cwd: folder, env, encoding: "utf8", timeout: 120_000 } as const;
  return spawnSync("emacs", ["--batch", "-l", write("drive.el", driver)], options);
}

describe.skipIf(!emacs)(`Emacs${emacs ? "" : " (skipped: there is no Emacs with eglot)"}`, () => {
  it.each(inEmacs)("shows the findings in %s", (name, mode, message) => {
    const driver = `
      (package-initialize)
      (define-derived-mode ${mode} c-mode "GPU")
      (load "${write("init.el", snippet("Emacs"))}")
      (setq auto-mode-alist '(("\\\\.c[lu]\\\\'" . ${mode})))
      (require 'eglot)
      (setq eglot-sync-connect 60)
      (find-file "${join(folder, name)}")
      (call-interactively #'eglot)
      (let ((end (+ (float-time) 60)))
        (while (and (null (flymake-diagnostics)) (< (float-time) end)) (flymake-start) (accept-process-output nil 0.05)))
      (dolist (found (flymake-diagnostics)) (princ (format "%s: %s\\n" major-mode (flymake-diagnostic-text found))))
      (kill-emacs 0)`;
    const { stdout, stderr } = runEmacs(driver);
    expect(stdout, stderr).toContain(`${mode}: `);
    expect(stdout).toContain(message);
  });
});

const lspMode =
  spawnSync("emacs", ["--batch", "--eval", "(progn (package-initialize) (require 'lsp-mode))"], { stdio: "ignore" }).status === 0;
describe.skipIf(!lspMode)(`Emacs with lsp-mode${lspMode ? "" : " (skipped: there is no Emacs with lsp-mode)"}`, () => {
  it.each(inEmacs)("shows the findings in %s, with the package in integrations/", (name, mode, message) => {
    const driver = `
      (package-initialize)
      (define-derived-mode ${mode} prog-mode "GPU")
      (require 'lsp-mode)
      (require 'lsp-diagnostics)
      (load "${join(root, "integrations/emacs/gpu-qualifiers.el")}")
      (setq gpu-qualifiers-command '("node" "${join(root, "dist/server-node.js")}" "--stdio")
            lsp-diagnostics-provider :flymake lsp-enable-snippet nil lsp-completion-provider :none lsp-enable-file-watchers nil
            lsp-session-file "${join(folder, "lsp-session")}")
      (lsp-workspace-folders-add "${folder}")
      (find-file "${join(folder, name)}")
      (${mode})
      (lsp)
      (let ((end (+ (float-time) 60)))
        (while (and (= 0 (hash-table-count (lsp-diagnostics t))) (< (float-time) end)) (accept-process-output nil 0.05)))
      (maphash (lambda (path all) (dolist (each all) (princ (format "%s: %s\\n" path (lsp:diagnostic-message each))))) (lsp-diagnostics t))
      (kill-emacs 0)`;
    const { stdout, stderr } = runEmacs(driver);
    expect(stdout, stderr).toContain(`${name}: ${message}`);
  });
});

const withoutHelix = helix === undefined ? " (skipped: there is no Helix)" : hasTerminal ? "" : " (skipped: there is no 'script')";
describe.skipIf(withoutHelix !== "")(`Helix${withoutHelix}`, () => {
  let editor: ChildProcess | undefined;

  afterEach(() => {
    if (editor?.pid !== undefined && editor.exitCode === null) process.kill(-editor.pid, "SIGKILL");
  });

  it("shows a finding, and applies its fix", async () => {
    write("home/.config/helix/languages.toml", snippet("Helix"));
    const command = `stty rows 40 cols 140; exec ${helix} kernel.cu`;
    const started = spawn("script", ["-qfec", command, "/dev/null"], { cwd: folder, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    editor = started;
    let screen = "";
    started.stdout.on("data", (data: Buffer) => {
      screen += stripVTControlCharacters(data.toString());
    });
    const shows = (text: string) =>
      expect.poll(() => screen.replaceAll(/\s/g, ""), { timeout: 60_000 }).toContain(text.replaceAll(/\s/g, ""));
    // The number of errors is in the status line.
    await expect.poll(() => screen, { timeout: 60_000 }).toMatch(/●\s*1/);
    started.stdin.write("2gg");
    await shows(nonConst);
    // Selects everything, and so also the mistake.
    started.stdin.write("% a");
    await shows("Add 'const'");
    started.stdin.write("\r");
    // The file contains the edit only after it has arrived.
    const written = () => {
      started.stdin.write(":w\r");
      return readFileSync(join(folder, "kernel.cu"), "utf8");
    };
    await expect.poll(written, { timeout: 60_000, interval: 500 }).toContain("const __grid_constant__ S s");
  });

  it("shows findings in OpenCL", async () => {
    write("home/.config/helix/languages.toml", snippet("Helix"));
    const command = `stty rows 40 cols 140; exec ${helix} kernel.cl`;
    const started = spawn("script", ["-qfec", command, "/dev/null"], { cwd: folder, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    editor = started;
    let screen = "";
    started.stdout.on("data", (data: Buffer) => {
      screen += stripVTControlCharacters(data.toString());
    });
    await expect.poll(() => screen.replaceAll(/\s/g, ""), { timeout: 60_000 }).toContain("changestheaddressspace");
  });
});
