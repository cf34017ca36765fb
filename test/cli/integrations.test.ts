/** The pre-commit hooks, the GitHub action and the job of GitLab, tested without these systems as far as possible. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { languageOfName } from "../../server/src/dialect.ts";
import { unless } from "../skips.ts";
import { clean, folderWith, nonConst, wrongCast } from "./run.ts";

const root = join(import.meta.dirname, "../..");
const program = join(root, "dist/cli.js");

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly files: string;
  readonly language: string;
}

/** A folder with the command `gpu-qualifiers`, as after an installation. */
function installed(): string {
  const folder = folderWith({});
  symlinkSync(program, join(folder, "gpu-qualifiers"));
  return folder;
}

describe("the hooks of pre-commit", () => {
  const hooks = parse(readFileSync(join(root, ".pre-commit-hooks.yaml"), "utf8")) as readonly Hook[];

  it("apply to the same file names as the check of a folder", () => {
    for (const { files } of hooks) {
      for (const extension of ["cu", "cuh", "hip", "cl", "clh", "clcpp", "clpp", "opencl", "ocl"]) {
        expect(languageOfName(`file:///a.${extension}`)).toBeDefined();
        expect(`src/a.${extension}`).toMatch(new RegExp(files));
      }
      expect("src/a.clang").not.toMatch(new RegExp(files));
    }
  });

  it.each(hooks.map(({ id, entry }) => [id, entry] as const))("%s runs in the way of pre-commit", (id, entry) => {
    const folder = folderWith({ "a.cl": wrongCast, "b.cl": clean, "c.cu": nonConst });
    // pre-commit splits the entry like a shell, and appends the names of the committed files.
    const [command = "", ...args] = entry.split(" ");
    const env = { ...process.env, PATH: `${installed()}:${process.env.PATH}` };
    const { status, stdout } = spawnSync(command, [...args, "a.cl", "b.cl", "c.cu"], { cwd: folder, env, encoding: "utf8" });
    const isFix = id.endsWith("-fix");
    expect([status, stdout.includes("c.cu:2")]).toEqual(isFix ? [0, false] : [1, true]);
    // A hook that changes files fails because pre-commit sees the change.
    expect(readFileSync(join(folder, "c.cu"), "utf8") === nonConst).toBe(!isFix);
  });

  const hasPreCommit = spawnSync("pre-commit", ["--version"]).status === 0;
  it.skipIf(!hasPreCommit)(`are valid for pre-commit itself${unless(hasPreCommit, "pre-commit is not installed")}`, () => {
    const { status, stdout, stderr } = spawnSync("pre-commit", ["validate-manifest", ".pre-commit-hooks.yaml"], {
      cwd: root,
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });
});

interface Step {
  readonly shell: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

describe("the action of GitHub", () => {
  const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as {
    readonly inputs: Readonly<Record<string, { readonly default: string }>>;
    readonly runs: { readonly using: string; readonly steps: readonly Step[] };
  };

  /** Runs the steps like a runner: with expressions replaced, in a bash that exits at the first error. */
  const runAction = (folder: string, inputs: Readonly<Record<string, string>>, baseRef = "") => {
    let out = "";
    let error = "";
    const evaluate = (text: string) =>
      text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
        if (name === "github.base_ref") return baseRef;
        const input = name.replace(/^inputs\./, "");
        expect(Object.keys(action.inputs)).toContain(input);
        return inputs[input] ?? action.inputs[input]?.default ?? "";
      });
    for (const { shell, run, env = {} } of action.runs.steps) {
      expect(shell).toBe("bash");
      // Text that others can choose must not be part of a script.
      expect(run).not.toContain("${{");
      const own = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, evaluate(value)]));
      const done = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env.PATH ?? "", GITHUB_ACTION_PATH: root, ...own },
      });
      out += done.stdout;
      error += done.stderr;
      if (done.status !== 0) return { code: done.status, out, error };
    }
    return { code: 0, out, error };
  };

  it("annotates lines with findings, and fails", () => {
    const { code, out } = runAction(folderWith({ "src/a.cl": wrongCast, "b.cl": clean }), {});
    expect([code, out]).toEqual([1, expect.stringMatching(/^::error file=src\/a\.cl,line=1,/)]);
    expect(runAction(folderWith({ "b.cl": clean }), {})).toMatchObject({ code: 0, out: "" });
  });

  it("passes paths, options and flags on, whatever they contain", () => {
    const folder = folderWith({ "my kernels/a.cl": wrongCast.replace("global int *g", "global T *g"), "b.cl": wrongCast });
    const paths = "my kernels\n$(touch ran)\n";
    const { code, out, error } = runAction(folder, {
      paths,
      options: "--rule=address-space-cast=warning\n--fail-on=warning",
      flags: "-DT=int",
    });
    expect([code, out]).toEqual([2, expect.stringMatching(/^::warning file=my kernels\/a\.cl,/)]);
    expect(error).toContain("no such file or folder: '$(touch ran)'");
  });

  it("also writes SARIF, and still fails if there are findings", () => {
    const folder = folderWith({ "a.cl": wrongCast });
    expect(runAction(folder, { sarif: "out.sarif" })).toMatchObject({ code: 1, out: expect.stringContaining("::error ") });
    expect(JSON.parse(readFileSync(join(folder, "out.sarif"), "utf8")).runs[0].results).toHaveLength(1);
    // One check is enough for both.
    expect(action.runs.steps.flatMap(({ run }) => run.match(/cli\.js" check/g) ?? [])).toHaveLength(1);
  });

  it("reports findings on the lines that a pull request changes", () => {
    const folder = folderWith({ "a.cl": wrongCast });
    const git = (...args: string[]) => spawnSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd: folder });
    for (const args of [
      ["init", "-q", "-b", "main"],
      ["add", "-A"],
      ["commit", "-q", "-m", "a"],
      ["update-ref", "refs/remotes/origin/main", "HEAD"],
    ])
      git(...args);
    writeFileSync(join(folder, "a.cl"), `${wrongCast}// more\n`);
    expect(runAction(folder, { "changed-only": "true" }, "main")).toMatchObject({ code: 0, out: "" });
    expect(runAction(folder, { "changed-only": "true" })).toMatchObject({ code: 1 });
  });
});

it("GitLab's job on the page writes the report that it hands over", () => {
  const [, page = ""] = /^## GitLab\n.*?```yaml\n(.*?)```/ms.exec(readFileSync(join(root, "docs/command-line.md"), "utf8")) ?? [];
  const { "gpu-qualifiers": job } = parse(page) as {
    readonly "gpu-qualifiers": {
      readonly script: readonly string[];
      readonly artifacts: { readonly when: string; readonly reports: { readonly codequality: string } };
    };
  };
  const [install, ...rest] = job.script;
  expect(install).toBe("npm ci");
  const folder = folderWith({ "a.cl": wrongCast, "package.json": "{}" });
  // As `npm ci` leaves it.
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  symlinkSync(program, join(folder, "node_modules/.bin/gpu-qualifiers"));
  const { status, stderr } = spawnSync("bash", ["-ec", rest.join("\n")], { cwd: folder, encoding: "utf8" });
  expect(status, stderr).toBe(1);
  // The job fails, so the report has to be handed over in any case.
  expect(job.artifacts.when).toBe("always");
  const report = JSON.parse(readFileSync(join(folder, job.artifacts.reports.codequality), "utf8"));
  expect(report).toMatchObject([{ check_name: "address-space-cast", location: { path: "a.cl" } }]);
});
