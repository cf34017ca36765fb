/** Links of the playground: they are short, contain every file, and say when they are broken. */
import { expect, it } from "vitest";
import { readShared, type Shared, shareLink } from "../../../client/playground/shared.ts";

const kernel = "__global__ void k(const __grid_constant__ int n, float *out) { out[threadIdx.x] = n; }\n";
const shared: Shared = {
  target: "90",
  files: [
    { name: "kernel.cu", text: kernel.repeat(20) },
    { name: "header.cuh", text: "// Ä → 🙂\n" },
  ],
};

it("contain every file, in a fraction of its length", async () => {
  const link = await shareLink("https://code.example/play#old", shared);
  expect(link).toMatch(/^https:\/\/code\.example\/play#[\w-]+$/);
  expect(link.length).toBeLessThan(kernel.length * 4);
  expect(await readShared(new URL(link).hash)).toEqual(shared);
});

it("are not read if anything is missing or changed", async () => {
  const { hash } = new URL(await shareLink("https://code.example/", shared));
  for (const end of [1, 5, 20, hash.length - 1]) expect(await readShared(hash.slice(0, end))).toBeUndefined();
  for (const text of ["#", "#%%%", "#eyJjb2RlIjoi"]) expect(await readShared(text)).toBeUndefined();
});

it.each([
  ["a name with a folder", { target: "", files: [{ name: "../a.cu", text: "" }] }],
  ["another language", { target: "", files: [{ name: "a.html", text: "" }] }],
  ["no file", { target: "", files: [] }],
  [
    "two files of one name",
    {
      target: "",
      files: [
        { name: "a.cu", text: "" },
        { name: "a.cu", text: "" },
      ],
    },
  ],
  ["flags instead of a target", { target: "90 -include x", files: [{ name: "a.cu", text: "" }] }],
  ["a text that expands without end", { target: "", files: [{ name: "a.cu", text: " ".repeat(2 ** 21) }] }],
])("are not read with %s", async (_, wrong) => {
  expect(await readShared(new URL(await shareLink("https://code.example/", wrong)).hash)).toBeUndefined();
});
