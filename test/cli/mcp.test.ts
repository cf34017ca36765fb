/** `mcp`: a client of the protocol's own library uses every tool of the real program. What the page says is in `package.test.ts`. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";
import { clean, folderWith, nonConst, wrongCast } from "./run.ts";

const program = join(import.meta.dirname, "../../dist/cli.js");
const open: Client[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function clientIn(cwd: string, ...args: readonly string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  open.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, "mcp", ...args], cwd, stderr: "pipe" }));
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
  const text = content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");
  return { text, data: structuredContent, isError: isError === true };
}

describe("mcp", () => {
  it("describes its tools, and says which one writes", async () => {
    const client = await clientIn(folderWith({}));
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["check", true],
      ["fix", false],
      ["explain", true],
      ["memory", true],
    ]);
    expect(client.getInstructions()).toContain("literals");
    const page = readFileSync(join(import.meta.dirname, "../../docs/assistants.md"), "utf8");
    for (const { name, inputSchema } of tools) {
      const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
      expect(row.split("|")[2]?.trim()).toBe(
        Object.keys(inputSchema.properties ?? {})
          .map((argument) => `\`${argument}\``)
          .join(", "),
      );
    }
  });

  it("checks the folder that it was started for, and files as they are now", async () => {
    const folder = folderWith({ "src/a.cl": wrongCast, "src/b.cl": clean });
    const client = await clientIn(folderWith({}), folder);
    const all = await call(client, "check");
    expect(all.text.split("\n")[0]).toBe(
      "src/a.cl:1:47: error: casting '__global int *' to '__local int *' changes the address space [address-space-cast]",
    );
    expect(all.data).toMatchObject({
      total: 1,
      findings: [{ file: "src/a.cl", line: 1, column: 47, severity: "error", rule: "address-space-cast", isFixable: true }],
      notes: [expect.stringContaining("2 kernels checked")],
      isComplete: true,
    });
    expect((await call(client, "check", { paths: ["src/b.cl"] })).data).toMatchObject({ total: 0, isComplete: true });
    const text = await call(client, "check", { paths: ["src/b.cl"], text: wrongCast });
    expect(text.data).toMatchObject({ findings: [{ file: "src/b.cl", rule: "address-space-cast" }] });
    expect((await call(client, "check", { paths: ["new/c.cl"], text: wrongCast })).data).toMatchObject({ total: 1 });
  });

  it("passes flags, and the level", async () => {
    const client = await clientIn(
      folderWith({ "a.cl": "#ifdef WRONG\nkernel void k(global int *g) { local int *l = (local int *)g; }\n#endif\n" }),
    );
    // Without the flag, the branch is judged as that of another build.
    expect((await call(client, "check", { flags: ["-UWRONG"] })).data).toMatchObject({ total: 0 });
    expect((await call(client, "check", { flags: ["-DWRONG"] })).data).toMatchObject({ total: 1 });
    expect((await call(client, "check", { flags: ["-DWRONG"], level: "error" })).data).toMatchObject({ total: 1 });
    expect(await call(client, "check", { flags: ["-arch=sm_999"] })).toMatchObject({
      isError: true,
      text: expect.stringContaining("sm_999"),
    });
  });

  it("fixes only the files that are named", async () => {
    const folder = folderWith({ "a.cu": nonConst, "b.cu": nonConst });
    const client = await clientIn(folder);
    const before = await call(client, "check", { paths: ["a.cu"] });
    expect(before.data).toMatchObject({
      findings: [{ isFixable: true, fixes: [{ title: expect.stringContaining("const"), isPreferred: true }] }],
    });
    expect((await call(client, "fix", { paths: [] })).isError).toBe(true);
    const fixed = await call(client, "fix", { paths: ["a.cu"] });
    expect(fixed.data).toMatchObject({ total: 0, notes: expect.arrayContaining(["fixed 1 finding in 1 file"]) });
    expect(readFileSync(join(folder, "a.cu"), "utf8")).toContain("const __grid_constant__ S s");
    expect(readFileSync(join(folder, "b.cu"), "utf8")).toBe(nonConst);
  });

  it("explains rules, families and mistakes", async () => {
    const client = await clientIn(folderWith({}));
    expect((await call(client, "explain", { rule: "const-write" })).text).toMatch(/^const-write \(error/);
    expect((await call(client, "explain", { rule: "grid-constant" })).text).toContain("grid-constant-mismatch");
    expect((await call(client, "explain")).text).toContain("address-space-cast");
    expect(await call(client, "explain", { rule: "const-writ" })).toEqual({
      text: "no such rule: 'const-writ'; did you mean 'const-write'?",
      data: undefined,
      isError: true,
    });
  });

  it("lists the memory of kernels", async () => {
    const client = await clientIn(folderWith({ "a.cu": "__global__ void k(int *p) { __shared__ int t[32]; p[0] = t[0]; }\n" }));
    expect((await call(client, "memory")).text).toContain("shared        128 of 49,152 bytes: t 128");
    expect((await call(client, "memory", { paths: ["missing.cu"] })).isError).toBe(true);
  });

  it("leaves files outside of its folder alone, through links, too", async () => {
    const outside = folderWith({ "a.cu": nonConst });
    const folder = folderWith({ "b.cl": clean });
    mkdirSync(join(folder, "src"));
    symlinkSync(outside, join(folder, "src/link"));
    const client = await clientIn(folder);
    for (const path of [join(outside, "a.cu"), "../x.cl", "src/link/a.cu", "src/link/new.cu"]) {
      for (const [tool, given] of [
        ["check", {}],
        ["check", { text: clean }],
        ["fix", {}],
        ["memory", {}],
      ] as const)
        expect(await call(client, tool, { ...given, paths: [path] })).toMatchObject({
          isError: true,
          text: expect.stringContaining("outside"),
        });
    }
    expect(readFileSync(join(outside, "a.cu"), "utf8")).toBe(nonConst);
  });

  it("shows at most a hundred findings, and does not mix up calls at the same time", async () => {
    const folder = folderWith({ "a.cl": wrongCast, "many.cl": manyCasts(130) });
    const client = await clientIn(folder);
    const [many, one] = await Promise.all([call(client, "check", { paths: ["many.cl"] }), call(client, "check", { paths: ["a.cl"] })]);
    expect((many.data as { findings: unknown[] }).findings).toHaveLength(100);
    expect(many.text).toContain("and 30 more findings");
    expect(one.data).toMatchObject({ total: 1, findings: [{ file: "a.cl" }] });
  });

  it("says that a folder is missing", async () => {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp", "missing"],
      cwd: folderWith({}),
      stderr: "pipe",
    });
    let said = "";
    transport.stderr?.on("data", (part) => {
      said += String(part);
    });
    await expect(client.connect(transport)).rejects.toThrow();
    expect(said).toBe("gpu-qualifiers: 'missing' is not a folder that can be read\n");
  });
});

function manyCasts(count: number): string {
  const one = (i: number) => `kernel void k${i}(global int *g) { local int *l = (local int *)g; }\n`;
  return Array.from({ length: count }, (_, i) => one(i)).join("");
}
