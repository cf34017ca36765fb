/** The completion scripts, tested in the real shells where they are installed. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unless } from "../skips.ts";
import { runHere } from "./in-process.ts";
import { folderWith } from "./run.ts";

function has(shell: string): boolean {
  return spawnSync(shell, ["-c", "true"]).status === 0;
}

function lines(program: string, args: readonly string[], folder: string): readonly string[] {
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: 20_000 });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

async function scriptFor(shell: string): Promise<string> {
  const { out, code } = await runHere(["completion", shell], folderWith({}));
  expect(code).toBe(0);
  return out;
}

describe.skipIf(!has("bash"))(`bash${unless(has("bash"), "bash is not installed")}`, () => {
  const complete = async (words: readonly string[]) => {
    const folder = folderWith({ "complete.bash": await scriptFor("bash"), "kernel.cl": "" });
    const quoted = words.map((word) => `'${word}'`).join(" ");
    const ask = `source complete.bash; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _gpu_qualifiers; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines("bash", ["--norc", "-c", ask], folder);
  };

  it.each([
    [
      ["gpu-qualifiers", ""],
      ["check", "baseline", "rules", "explain", "completion"],
    ],
    [["gpu-qualifiers", "check", "--form"], ["--format"]],
    [
      ["gpu-qualifiers", "check", "--format", "g"],
      ["github", "gitlab"],
    ],
    [
      ["gpu-qualifiers", "check", "--format", "=", "j"],
      ["json", "junit"],
    ],
    [["gpu-qualifiers", "check", "k"], ["kernel.cl"]],
    [["gpu-qualifiers", "check", "--baseline", "k"], ["kernel.cl"]],
    [["gpu-qualifiers", "check", "--rule", "const-w"], ["const-write="]],
    [["gpu-qualifiers", "baseline", "up"], ["update"]],
    [["gpu-qualifiers", "baseline", "update", "--bas"], ["--baseline"]],
    [["gpu-qualifiers", "explain", "const-w"], ["const-write"]],
    [
      ["gpu-qualifiers", "completion", ""],
      ["bash", "zsh", "fish"],
    ],
  ])("completes %j", async (words, expected) => {
    expect(await complete(words)).toEqual(expect.arrayContaining(expected));
    if (words.at(-1) !== "") expect(await complete(words)).toHaveLength(expected.length);
  });
});

describe.skipIf(!has("zsh"))(`zsh${unless(has("zsh"), "zsh is not installed")}`, () => {
  it("accepts the script, and calls the functions in it", async () => {
    const script = await scriptFor("zsh");
    const folder = folderWith({ "_gpu-qualifiers": script });
    const check =
      "autoload -Uz compinit; compinit -u -D; source ./_gpu-qualifiers; whence -w _gpu_qualifiers _gpu_qualifiers_check; echo $_comps[gpu-qualifiers]";
    expect(lines("zsh", ["-f", "-c", check], folder)).toEqual([
      "_gpu_qualifiers: function",
      "_gpu_qualifiers_check: function",
      "_gpu_qualifiers",
    ]);
    expect(script).toContain("--format[");
    expect(script).toContain(":value:(text pretty json sarif github gitlab junit rdjson checkstyle azure teamcity)'");
  });
});

describe.skipIf(!has("fish"))(`fish${unless(has("fish"), "fish is not installed")}`, () => {
  it.each([
    ["gpu-qualifiers ", "check"],
    ["gpu-qualifiers check --for", "--format"],
    ["gpu-qualifiers check --format git", "github"],
    ["gpu-qualifiers check --rule const-w", "const-write="],
    ["gpu-qualifiers baseline u", "update"],
    ["gpu-qualifiers explain const-w", "const-write"],
    ["gpu-qualifiers check ker", "kernel.cl"],
  ])("completes '%s'", async (line, expected) => {
    const folder = folderWith({ "complete.fish": await scriptFor("fish"), "kernel.cl": "" });
    const found = lines("fish", ["--no-config", "-c", `source complete.fish; complete -C '${line}'`], folder);
    expect(found.map((one) => one.split("\t")[0])).toContain(expected);
  });

  it("offers the options of a command only after that command", async () => {
    const folder = folderWith({ "complete.fish": await scriptFor("fish") });
    expect(lines("fish", ["--no-config", "-c", "source complete.fish; complete -C 'gpu-qualifiers rules --diff'"], folder)).toEqual([]);
  });
});

it("the page on the command line explains how to install them", async () => {
  const { readFileSync } = await import("node:fs");
  expect(readFileSync(join(import.meta.dirname, "../../docs/command-line.md"), "utf8")).toContain("gpu-qualifiers completion");
});
