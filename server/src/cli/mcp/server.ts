/**
 * Serves the tools over the Model Context Protocol. It is the only file that imports the protocol's library, and a bundle of its own,
 * which only `gpu-qualifiers mcp` loads.
 */
import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Commands } from "./commands.ts";
import { type Answer, checkInput, explainInput, findingsSchema, fixInput, memoryInput, toolsOf } from "./tools.ts";

const instructions = `Finds address-space, memory-space and constness mistakes in CUDA C++, HIP, OpenCL C and C++ for OpenCL, also in kernels inside of string
literals, without a compiler or a device. Call 'check' on the folder after kernels, launches or their headers have changed: some
mistakes are in two files. A finding is certain; silence is not proof, and the notes name the code that was not judged.`;

/** Serves over standard input and output until the client closes them. `options` are added to each command. */
export function serveAssistants(commands: Commands, version: string, options: readonly string[]): void {
  const tools = toolsOf(commands, options);
  serveStdio(() => {
    const server = new McpServer({ name: "gpu-qualifiers", title: "GPU Qualifiers", version }, { instructions });
    const reads = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(
      "check",
      {
        title: "Check GPU code",
        description:
          "Find mistakes with address spaces, memory spaces, constness and kernel signatures in CUDA, HIP and OpenCL files, including kernels in string literals.",
        inputSchema: checkInput,
        outputSchema: findingsSchema,
        annotations: reads,
      },
      async (given) => resultOf(await tools.check(given)),
    );
    server.registerTool(
      "fix",
      {
        title: "Fix GPU code",
        description: "Write the preferred fix of every finding that has one into the files, and report the remaining findings.",
        inputSchema: fixInput,
        outputSchema: findingsSchema,
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      },
      async (given) => resultOf(await tools.fix(given)),
    );
    server.registerTool(
      "explain",
      {
        title: "Explain a rule",
        description: "Explain what a rule finds and why, with wrong and right examples and the clause of the standard or vendor's guide.",
        inputSchema: explainInput,
        annotations: reads,
      },
      async (given) => resultOf(await tools.explain(given)),
    );
    server.registerTool(
      "memory",
      {
        title: "Memory of kernels",
        description:
          "List what each kernel takes of parameters, constant, shared and local memory, with the limits, and which launches pass what.",
        inputSchema: memoryInput,
        annotations: reads,
      },
      async (given) => resultOf(await tools.memory(given)),
    );
    return server;
  });
}

function resultOf({ text, data, isError }: Answer): CallToolResult {
  return { content: [{ type: "text", text }], isError, ...(data === undefined ? {} : { structuredContent: { ...data } }) };
}
