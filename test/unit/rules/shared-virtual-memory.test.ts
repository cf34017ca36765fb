/** Pointers in buffers are valid on both sides if the host allocates shared memory. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { serviceOf, testParser } from "../../service.ts";

const parser = await testParser();

const source = `R"CLC(
struct Node { global struct Node *next; uint number; };
kernel void walk(global struct Node *head) { while (head) head = head->next; }
)CLC"`;

it.each([
  ["int *p = (int *)malloc(4);", 1],
  ["void *p = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);", 0],
  ["void *p = clSharedMemAllocINTEL(context, device, 0, 64, 0, &error);", 0],
  ["void *p = clDeviceMemAllocINTEL(context, device, 0, 64, 0, &error);", 0],
])("a host with %s has %i findings", (host, count) => {
  const service = serviceOf(parser, [{ name: "main.cpp", text: `const char *text = ${source};\nvoid run() { ${host} }\n` }], noSettings);
  try {
    const found = service.check("file:///fixture/main.cpp").diagnostics.filter(({ rule }) => rule === "pointer-size-assumption");
    expect(found).toHaveLength(count);
  } finally {
    service.dispose();
  }
});
