/** Hovers as the editor shows them: their sentences at given words, at most three each, and words that no hover contains. */
import * as vscode from "vscode";
import { assertEqual, assertIncludes, eventually, placeOf, shown, workspaceFolder } from "./inside.ts";

// A mark whose second character is hovered, a part of the signature, and one of the lines.
const hovers = {
  "hover.cu": [
    ["threadIdx.x", "const uint3 threadIdx;", "Seen by each thread, with its own value"],
    ["local = tile", "float *local;", "Points to shared memory (`tile`)"],
    ["tile[64]", "__shared__ float tile[64];", "Takes 256 of the 49,152 bytes of a block"],
    ["weights[4]", "__constant__ float weights[4];", "the host writes it with `cudaMemcpyToSymbol`"],
    ["params, float", "__grid_constant__ const Params params;", "One read-only object, at the same address for all threads of the grid"],
    ["scale(float x)", "__device__ float scale(float x);", "called here by `run`"],
    ["run(const", "__global__ void run(", "Every thread of a launch runs it"],
    ["cudaMemcpyToSymbol(", "cudaMemcpyToSymbol(const T &", "Takes the variable itself, not its address or its name as a string"],
    ["cudaMemcpyFromSymbol(", "cudaMemcpyFromSymbol(", "Takes the variable itself"],
    ["cudaGetSymbolAddress(", "cudaGetSymbolAddress(", "the variable itself"],
    ["limit = 64", "const int limit = 64;", "Device code may use the value of `limit`"],
    ["__syncthreads()", "__syncthreads()", "All threads of the block"],
    ["what) {", "mystery *what", ""],
  ],
  "hover.cl": [
    ["get_global_id(0)", "size_t get_global_id(uint);", "Each work-item gets its own value"],
    ["get_local_size(0)", "size_t get_local_size(uint);", "The same for all work-items of the kernel"],
    ["barrier(", "barrier(", "All work-items of the work-group must reach it"],
    ["added(local", "float added(__local float *row);", "Runs in the work-item that calls it; called here by `start`"],
    ["tile[64]", "__local float tile[64];", "seen by the work-items of one work-group"],
    ["table[2]", "__constant float table[2]", "Lives as long as the program"],
    ["global float *out", "__global float *out;", "Points to global memory"],
    ["image2d_t img", "", ""],
    ["img)", "read_only image2d_t img;", "An image that the host created"],
    ["start(", "__kernel void start(", "Enqueued by the host"],
    ["what, read_only", "__global mystery *what;", ""],
  ],
} as const;

export async function run(): Promise<void> {
  for (const [name, expected] of Object.entries(hovers)) {
    const document = await shown(vscode.Uri.joinPath(workspaceFolder(), name));
    for (const [mark, signature, line] of expected) await hovered(document, mark, signature, line);
    await everyWord(document);
  }
}

async function hovered(document: vscode.TextDocument, mark: string, signature: string, line: string): Promise<void> {
  const text = await eventually(
    `the hover at '${mark}'`,
    () => hoverAt(document, placeOf(document, mark, 1)),
    (found) => signature === "" || found !== "",
  );
  assertIncludes(text, signature);
  assertIncludes(text, line);
  if (signature === "") return;
  const [fence = ""] = /```\S*/.exec(text) ?? [];
  // The name of the language as this editor knows it, so that the signature is colored.
  assertEqual(fence, document.languageId === "opencl" ? "```opencl" : "```cuda-cpp");
}

/** Every hover has at most three lines and a link, and does not mention unknown values. */
async function everyWord(document: vscode.TextDocument): Promise<void> {
  const text = document.getText();
  for (const word of text.matchAll(/\w+/g)) {
    const found = await hoverAt(document, document.positionAt(word.index + 1));
    if (found === "") continue;
    assertEqual(/<unknown>|more than 0/.test(found), false);
    assertEqual((found.match(/^- /gm) ?? []).length <= 3, true);
    assertIncludes(found, "memory: tables and measurements](");
  }
}

async function hoverAt({ uri }: vscode.TextDocument, place: vscode.Position): Promise<string> {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", uri, place);
  return found.flatMap(({ contents }) => contents.map((each) => (typeof each === "string" ? each : each.value))).join("\n");
}
