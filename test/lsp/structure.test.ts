/** Types of names, growing selections, the hierarchy of calls, and kernels that host code names by strings, over the protocol. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  DefinitionRequest,
  DocumentHighlightKind,
  DocumentHighlightRequest,
  DocumentSymbolRequest,
  RenameRequest,
  SelectionRangeRequest,
  TypeDefinitionRequest,
} from "vscode-languageserver/node";
import { positionOf, startClient, type TestClient, uriOf } from "./client.ts";

const kernels = `typedef struct { int id; float4 at; } Body;
enum Mode { FAST, EXACT };
float weigh(global const Body *b) { return b->at.x; }
float twice(global const Body *b) { return weigh(b) + weigh(b); }
kernel void blur(global Body *bodies, global float *out) {
  out[0] = twice(&bodies[0]);
}
`;
const host = `#include <CL/cl.h>
namespace app {
void run(cl_program program) {
  cl_kernel k = clCreateKernel(program, "blur", 0);
  cl::Kernel other(program, "blur");
  log("blur");
}
}
`;
const script = `import cupy
import pyopencl as cl

class Blur:
    def __init__(self, ctx):
        self.prg = cl.Program(ctx, open("run.cl").read()).build()
        self.kernel = cl.Kernel(self.prg, "blur")
        self.same = getattr(self.prg, "blur")

    def run(self, queue):
        self.prg.blur(queue, (1,), None)
        cl.Program(ctx, source).build(options=["-w"]).blur(queue, (1,), None)
        cupy.RawModule(code=source, name_expressions=["blur"]).get_function("blur")
        other.blur("blur")
        print("blur")
`;
const python = `import pyopencl as cl
source = """
kernel void fill(global int *p) { p[0] = 1; }
"""
def launch(ctx):
    prg = cl.Program(ctx, source).build()
    prg.fill(queue)
    fill = 1
`;

let folder: string;
let client: TestClient;
const uri = () => uriOf(join(folder, "run.cl"));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gpu-qualifiers-"));
  await writeFile(join(folder, "run.cl"), kernels);
  await writeFile(join(folder, "host.cpp"), host);
  await writeFile(join(folder, "script.py"), script);
  client = await startClient({ folder });
  await client.open(uri(), kernels);
  await client.diagnostics(uri());
});
afterEach(async () => {
  expect(await client.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
});

it("follows calls from the host through a kernel to its helpers", async () => {
  const { connection } = client;
  const prepare = async (mark: string) =>
    (await connection.sendRequest(CallHierarchyPrepareRequest.type, {
      textDocument: { uri: uri() },
      position: positionOf(kernels, mark),
    })) ?? [];
  const callers = async (item: CallHierarchyItem) =>
    (await connection.sendRequest(CallHierarchyIncomingCallsRequest.type, { item }))?.map(({ from, fromRanges }) => ({
      item: from,
      shown: `${from.name} ${from.uri.slice(from.uri.lastIndexOf("/") + 1)} ${fromRanges.length}`,
    })) ?? [];
  const [weigh] = await prepare("weigh(b) +");
  if (weigh === undefined) throw new Error("no item");
  const first = await callers(weigh);
  expect(first.map(({ shown }) => shown)).toEqual(["twice run.cl 2"]);
  const second = first[0] === undefined ? [] : await callers(first[0].item);
  expect(second.map(({ shown }) => shown)).toEqual(["blur run.cl 1"]);
  const third = second[0] === undefined ? [] : await callers(second[0].item);
  expect(third.map(({ shown }) => shown).sort()).toEqual(["__init__ script.py 2", "run host.cpp 2", "run script.py 4"]);
  const [blur] = await prepare("blur(");
  const called = blur === undefined ? [] : await connection.sendRequest(CallHierarchyOutgoingCallsRequest.type, { item: blur });
  expect(called?.map(({ to, fromRanges }) => `${to.name} ${fromRanges.length}`)).toEqual(["twice 1"]);
  expect(await prepare("bodies[0]")).toEqual([]);
});

it("renames a kernel with the strings by which the host names it", async () => {
  const request = { textDocument: { uri: uri() }, position: positionOf(kernels, "blur("), newName: "smooth" };
  const edit = await client.connection.sendRequest(RenameRequest.type, request);
  const counts = Object.entries(edit?.changes ?? {}).map(([file, edits]) => `${file.slice(file.lastIndexOf("/") + 1)} ${edits.length}`);
  // The script is not open.
  expect(counts.sort()).toEqual(["host.cpp 2", "run.cl 1", "script.py 6"]);
  await client.open(uriOf(join(folder, "other.cl")), "kernel void blur(global int *p) {}\n");
  await expect(client.connection.sendRequest(RenameRequest.type, request)).rejects.toThrow("'blur' is also a kernel in other.cl");
});

it("follows and renames a kernel in a Python program", async () => {
  const file = uriOf(join(folder, "host.py"));
  await client.open(file, python, "python");
  const request = { textDocument: { uri: file }, position: positionOf(python, "fill(global"), newName: "clear" };
  const edit = await client.connection.sendRequest(RenameRequest.type, request);
  expect(Object.entries(edit?.changes ?? {}).map(([, edits]) => edits.map(({ range }) => range.start.line))).toEqual([[2, 6]]);
  const [item] = (await client.connection.sendRequest(CallHierarchyPrepareRequest.type, request)) ?? [];
  const callers = item === undefined ? [] : await client.connection.sendRequest(CallHierarchyIncomingCallsRequest.type, { item });
  expect(callers?.map(({ from }) => from.name)).toEqual(["launch"]);
});

it("leads to types, and lists members", async () => {
  const types = async (mark: string) =>
    await client.connection.sendRequest(TypeDefinitionRequest.type, { textDocument: { uri: uri() }, position: positionOf(kernels, mark) });
  expect(await types("bodies[0]")).toMatchObject([{ uri: uri(), range: { start: positionOf(kernels, "Body;") } }]);
  expect(await types("at; }")).toMatchObject([{ uri: expect.stringMatching(/opencl-builtins\.clh$/) }]);
  const outline = (await client.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri: uri() } })) ?? [];
  expect(outline.map((entry) => [entry.name, "children" in entry ? entry.children?.map(({ name }) => name) : undefined])).toEqual([
    ["Body", ["id", "at"]],
    ["Mode", ["FAST", "EXACT"]],
    ["weigh", undefined],
    ["twice", undefined],
    ["blur", undefined],
  ]);
});

it("leads to a file from which the host may build the same program", async () => {
  const near = uriOf(join(folder, "near.cl"));
  await client.open(near, "#define LIMIT 4\nfloat helper(float x) { return x; }\n");
  const file = uriOf(join(folder, "lone.cl"));
  const text =
    "kernel void lone(global float *p) { p[LIMIT] = helper(p[0]) + nowhere + own[0]; }\nconstant ODD const odd_t own[2] = {1, 2};\n";
  await client.open(file, text);
  const definition = async (mark: string) =>
    await client.connection.sendRequest(DefinitionRequest.type, { textDocument: { uri: file }, position: positionOf(text, mark) });
  expect(await definition("LIMIT")).toMatchObject([{ uri: near, range: { start: { line: 0, character: 8 } } }]);
  expect(await definition("helper")).toMatchObject([{ uri: near, range: { start: { line: 1, character: 6 } } }]);
  expect(await definition("nowhere")).toEqual([]);
  expect(await definition("own[0]")).toMatchObject([{ uri: file, range: { start: { line: 1 } } }]);
});

it("tells the changes of a variable from its uses", async () => {
  const file = uriOf(join(folder, "sum.cl"));
  const text = "void f(int n, global int *p) { int x = 1; x += n; x++; p[x] = x; p = 0; }\n";
  await client.open(file, text);
  const kinds = async (mark: string) =>
    (
      await client.connection.sendRequest(DocumentHighlightRequest.type, { textDocument: { uri: file }, position: positionOf(text, mark) })
    )?.map(({ kind }) => (kind === DocumentHighlightKind.Write ? "write" : "read"));
  expect(await kinds("x = 1")).toEqual(["write", "write", "write", "read", "read"]);
  expect(await kinds("p[x]")).toEqual(["write", "read", "write"]);
});

it("grows a selection from the word to the function", async () => {
  const [found] =
    (await client.connection.sendRequest(SelectionRangeRequest.type, {
      textDocument: { uri: uri() },
      positions: [positionOf(kernels, "bodies[0]")],
    })) ?? [];
  const lines = kernels.split("\n");
  const texts: (string | undefined)[] = [];
  for (let each = found; each !== undefined; each = each.parent) {
    const { start, end } = each.range;
    texts.push(start.line === end.line ? lines[start.line]?.slice(start.character, end.character) : `${end.line - start.line + 1} lines`);
  }
  expect(texts).toEqual(["bodies", "&bodies[0]", "(&bodies[0])", "out[0] = twice(&bodies[0]);", "3 lines", "3 lines", "8 lines"]);
});
