/** The package as published: small, self-contained, and usable as a command and as a library. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it } from "vitest";
import { packForNpm } from "../../scripts/pack.ts";
import { home } from "../../server/src/cli/home.ts";
import { rules } from "../../server/src/rules/index.ts";
import { clean, folderWith, wrongCast } from "./run.ts";

const root = join(import.meta.dirname, "../..");
const npm = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];

let packed = "";
let paths: readonly string[] = [];
let folder = "";
beforeAll(() => {
  ({ path: packed, files: paths } = packForNpm(folderWith({})));
  folder = folderWith({
    "package.json": '{ "private": true, "type": "module" }',
    "src/a.cl": wrongCast,
    "kernels/b.cl": clean,
    "kernels/a.cl": wrongCast,
  });
  execFileSync("npm", ["install", ...npm, packed], { cwd: folder });
});

function node(script: string): readonly string[] {
  return execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: folder, encoding: "utf8" }).trimEnd().split("\n");
}

/** The examples of the page, which contain no syntax of TypeScript. */
const examples = [...readFileSync(join(root, "docs/api.md"), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code);

it("is under two megabytes, and has nothing that only editors in browsers or VS Code need", () => {
  expect(statSync(packed).size).toBeLessThan(2_000_000);
  expect(paths.filter((path) => /^client\/|server-browser|client-|\.map$|\.png$|nls|^dist\/docs\/.*\.md$/.test(path))).toEqual([]);
  expect(paths).toContain("dist/docs/address-space-cast.html");
});

it("is installed for all projects without a warning, and checks", () => {
  const prefix = folderWith({});
  const options = ["--offline", "--no-audit", "--no-fund", "--global", "--prefix", prefix];
  const { status, stdout, stderr } = spawnSync("npm", ["install", ...options, packed], { cwd: folder, encoding: "utf8" });
  expect([status, stdout.trim(), stderr]).toEqual([0, expect.stringMatching(/^added 1 package in \S+$/), ""]);
  const checked = spawnSync(join(prefix, "bin/gpu-qualifiers"), ["check", "src"], { cwd: folder, encoding: "utf8" });
  expect([checked.status, checked.stdout.split("\n")[0]]).toEqual([1, expect.stringContaining("[address-space-cast]")]);
  expect(checked.stderr).toBe("gpu-qualifiers: 1 error in 1 file: 1 kernel checked\n");
});

it("has one core, which the programs and the library share", () => {
  const dist = join(folder, "node_modules/gpu-qualifiers/dist");
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  const idOf = (id: string) => scripts.filter((name) => readFileSync(join(dist, name), "utf8").includes(`id:"${id}"`));
  const holders = rules.map(({ id }) => idOf(id));
  expect(holders.filter((names) => names.length !== 1)).toEqual([]);
  expect(new Set(holders.flat()).size).toBe(1);
});

it("loads the libraries for '.clangd' only where there is one", () => {
  const bundle = join(folder, "node_modules/gpu-qualifiers/dist/clangd-file.cjs");
  const check = (name: string) =>
    spawnSync("npx", ["--no-install", "gpu-qualifiers", "check", "--no-cache", name], { cwd: folder, encoding: "utf8" });
  mkdirSync(join(folder, "flagged"));
  writeFileSync(join(folder, "flagged/.clangd"), "If: { PathMatch: .*a[.]cl }\nCompileFlags: { Add: [-DT=int] }\n");
  writeFileSync(join(folder, "flagged/a.cl"), wrongCast.replace("global int *g", "global T *g"));
  expect(check("flagged").stdout).toContain("[address-space-cast]");
  renameSync(bundle, `${bundle}.away`);
  try {
    expect(check("src")).toMatchObject({ status: 1, stdout: expect.stringContaining("[address-space-cast]") });
    expect(check("flagged").stderr).toContain("clangd-file.cjs");
  } finally {
    renameSync(`${bundle}.away`, bundle);
  }
});

// The first is that of the oldest VS Code.
describe("with each supported Node", { timeout: 600_000 }, () => {
  it.for(["20.9.0", "22", "24"])("%s", (version, context) => {
    const there = folderWith({ "package.json": '{ "private": true }' });
    const name = `node-${process.platform}-${process.arch}`;
    const options = ["--ignore-scripts", "--no-audit", "--prefer-offline", "--fetch-retries=0"];
    const { status, stderr } = spawnSync("npm", ["install", ...options, `${name}@${version}`], { cwd: there, encoding: "utf8" });
    context.skip(status !== 0, `npm has no ${name}: ${stderr.slice(0, 200)}`);
    const program = join(there, "node_modules", name, "bin/node");
    const cli = join(folder, "node_modules/gpu-qualifiers/dist/cli.js");
    const checked = spawnSync(program, [cli, "check", "--no-cache", "--jobs", "2", "src", "kernels"], { cwd: folder, encoding: "utf8" });
    expect([checked.status, checked.stdout]).toEqual([1, expect.stringContaining("[address-space-cast]")]);
    // V8 prints an error for flags that it does not know.
    expect(checked.stderr.split("\n")).toEqual([expect.stringMatching(/^gpu-qualifiers: \d+ errors? in \d+ files: .* checked$/), ""]);
    const used = spawnSync(program, ["--input-type=module", "-e", examples[1] ?? ""], { cwd: folder, encoding: "utf8" });
    expect(used.stdout.trim().split("\n")).toEqual(["address-space-cast 46", "true"]);
  });
});

it("names its repository only if the owner has set it", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/gpu-qualifiers/package.json"), "utf8"));
  expect(manifest.private).toBeUndefined();
  expect([manifest.repository?.url, manifest.homepage?.split("#")[0]]).toEqual(
    home.repository === undefined ? [undefined, undefined] : [`git+${home.repository}.git`, home.repository],
  );
  expect(Object.keys(manifest.dependencies ?? {})).toEqual([]);
});

it("has the licenses of the grammars that the parser was built from, in their versions", () => {
  const notices = readFileSync(join(folder, "node_modules/gpu-qualifiers/dist/third-party-notices.txt"), "utf8");
  const { packages } = JSON.parse(readFileSync(join(root, "grammars/package-lock.json"), "utf8"));
  for (const name of ["tree-sitter-c", "tree-sitter-cpp"])
    expect(notices).toContain(`\n${name} ${packages[`node_modules/${name}`].version} (MIT)\n\nThe MIT License`);
});

describe("in an empty folder", () => {
  it("checks as a command", () => {
    const { status, stdout } = spawnSync("npx", ["--no-install", "gpu-qualifiers", "check", "src"], { cwd: folder, encoding: "utf8" });
    expect([status, stdout.split("\n")[0]]).toEqual([1, expect.stringMatching(/^src\/a\.cl:1:47: error: .*\[address-space-cast\]$/)]);
  });

  const snippets = [...readFileSync(join(root, "docs/assistants.md"), "utf8").matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => json);
  it.each(snippets.map((json) => [json]))("serves assistants with these settings of the page: %s", async (json) => {
    const settings = JSON.parse(json) as Record<string, Record<string, { readonly command: string; readonly args: string[] }>>;
    const { command = "", args = [] } = settings["mcpServers"]?.["gpu-qualifiers"] ?? settings["servers"]?.["gpu-qualifiers"] ?? {};
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command, args, cwd: folder }));
    const { structuredContent } = await client.callTool({ name: "check", arguments: { paths: ["src"] } });
    await client.close();
    expect(structuredContent).toMatchObject({ total: 1, findings: [{ file: "src/a.cl" }] });
  });

  it("explains and completes without a project", () => {
    expect(execFileSync("npx", ["--no-install", "gpu-qualifiers", "rules"], { cwd: folder, encoding: "utf8" })).toContain("const-write");
  });
});

describe("as a library", () => {
  it("behaves as in the first example of its page", () => {
    expect(node(examples[0] ?? "")).toEqual([
      `${join(folder, "kernels/a.cl")}:1:47: error: casting '__global int *' to '__local int *' changes the address space [address-space-cast]`,
    ]);
  });

  it("behaves as in the second example, without any file", () => {
    expect(node(examples[1] ?? "")).toEqual(["address-space-cast 46", "true"]);
  });

  it("follows changes, settings and flags", () => {
    writeFileSync(join(folder, "kernels/c.cl"), "kernel void k(global T *g) { local int *l = (local int *)g; }\n");
    const script = `
      import { openFolder, rules, lineIndex } from "gpu-qualifiers/api";
      import { writeFileSync } from "node:fs";
      const folder = await openFolder("kernels", { flags: ["-DT=int"], rules: { "address-space-cast": "info" } });
      const uri = folder.uriOf("c.cl");
      console.log(folder.service().check(uri).diagnostics.map(({ severity }) => severity).join());
      writeFileSync("kernels/c.cl", "kernel void k(global T *g) { *g = 1; }\\n");
      console.log(folder.changed(["c.cl"]).map((one) => folder.pathOf(one)).join());
      console.log(folder.service().check(uri).diagnostics.length, rules.length, lineIndex("a\\nb").placeOf(2).line);
    `;
    expect(node(script)).toEqual(["info", join(folder, "kernels/c.cl"), `0 ${rules.length} 1`]);
  });

  it.each([
    ["NodeNext", "NodeNext"],
    ["Preserve", "Bundler"],
  ])("has types for modules of the kind %s", (module, moduleResolution) => {
    mkdirSync(join(folder, "typed"), { recursive: true });
    examples.forEach((code, i) => {
      writeFileSync(join(folder, `typed/example${i}.mts`), code);
    });
    writeFileSync(
      join(folder, "typed/wrong.mts"),
      'import { openFolder } from "gpu-qualifiers/api";\n// @ts-expect-error\nconst count: string = (await openFolder(".")).sources().length;\nconsole.log(count);\n',
    );
    const options = {
      module,
      moduleResolution,
      target: "ES2022",
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(folder, "typed/tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.mts"] }));
    const { status, stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "typed"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, ""]);
  });
});
