/** The command `gpu-qualifiers.memory`: the kernels of the workspace as a tree, current after edits of open documents and of files. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { ExecuteCommandRequest, type Location } from "vscode-languageserver/node";
import type { MemoryNode } from "../../server/src/editor/memory/tree.ts";
import type { MemoryAnswer } from "../../server/src/lsp/session/memory-view.ts";
import { positionOf, startClient, type TestClient, uriOf } from "./client.ts";

const kernels = `template <class T, int N> __global__ void reduce(T *out) {
  __shared__ T tile[N];
  tile[threadIdx.x] = out[0];
  __syncthreads();
  out[1] = tile[threadIdx.x ^ 1];
}
__global__ void copy(const float *from, float *to) {
  __shared__ float row[32];
  row[threadIdx.x] = from[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = row[threadIdx.x ^ 1];
}
void host(float *out) {
  reduce<float, 128><<<4, 128>>>(out);
}
`;
const blur = "kernel void blur(global float *image) { local float tile[64]; image[0] = tile[0]; }\n";

let folder: string;
let client: TestClient;

async function start(files: Readonly<Record<string, string>>): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  client = await startClient({ folder });
}
afterEach(async () => {
  expect(client.log.filter((line) => line.includes("while working on"))).toEqual([]);
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

const file = (name: string) => uriOf(join(folder, name));

async function memory(): Promise<MemoryAnswer> {
  return (await client.connection.sendRequest(ExecuteCommandRequest.type, { command: "gpu-qualifiers.memory" })) as MemoryAnswer;
}

/** The lines of a tree, indented, each with its description. */
function lines({ label, description, children }: MemoryNode<Location>): readonly string[] {
  return [`${label}: ${description}`, ...children.flatMap((child) => lines(child).map((line) => `  ${line}`))];
}

it("lists kernels of all files, open or not, with the place of each line", async () => {
  await start({ "a.cu": kernels, "b.cl": blur });
  await client.open(file("a.cu"), kernels);
  const answer = await memory();
  const parameters = "of 4,096 bytes (32,764 from compute capability 7.0 and CUDA 12.1 on)";
  expect(answer.isCut).toBe(false);
  expect(answer.kernels.flatMap(lines)).toEqual([
    "reduce: template, a.cu:1",
    `  parameters: 8 ${parameters}`,
    "  constant: 0 of 65,536 bytes",
    "  shared: unknown of 49,152 bytes",
    "    tile: unknown",
    "  instances: 1",
    "    reduce<float, 128>: 512 bytes of shared memory, 8 bytes of parameters, a.cu:14",
    "  launched: once",
    "    a.cu:14: in host, grid 4 x 1 x 1, block 128 x 1 x 1, dynamic shared memory 0 bytes",
    "copy: a.cu:7",
    `  parameters: 16 ${parameters}`,
    "  constant: 0 of 65,536 bytes",
    "  shared: 128 of 49,152 bytes",
    "    row: 128 bytes",
    "  launched: nowhere in these files",
    "blur: b.cl:1",
    "  parameters: 8 of 1,024 bytes",
    "  constant: 0 of 65,536 bytes",
    "  local: 256 of 32,768 bytes",
    "    tile: 256 bytes",
  ]);
  const [reduce] = answer.kernels;
  expect(reduce?.location).toEqual({
    uri: file("a.cu"),
    range: { start: positionOf(kernels, "reduce(T"), end: positionOf(kernels, "(T *out)") },
  });
  expect(reduce?.children.at(-1)?.children[0]?.location?.range.start).toEqual(positionOf(kernels, "reduce<float"));
});

it("follows edits of a document, and files on disk", async () => {
  await start({ "a.cu": kernels, "b.cl": blur });
  await client.open(file("a.cu"), kernels);
  const sharedOf = async (name: string) =>
    (await memory()).kernels.find(({ label }) => label === name)?.children.find(({ label }) => label === "shared" || label === "local")
      ?.description;
  expect(await sharedOf("copy")).toBe("128 of 49,152 bytes");
  await client.replace(file("a.cu"), "row[32]", "row[64]");
  expect(await sharedOf("copy")).toBe("256 of 49,152 bytes");
  await writeFile(join(folder, "b.cl"), blur.replace("tile[64]", "tile[128]"));
  await client.changedOnDisk(join(folder, "b.cl"));
  expect(await sharedOf("blur")).toBe("512 of 32,768 bytes");
});
