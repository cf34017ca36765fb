/** The generated files match the rules: `npm run docs` would change nothing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generatedFiles, root, strayPages } from "../../../scripts/docs/generated-files.ts";
import { testParser } from "../../service.ts";

const files = generatedFiles(await testParser());

describe("generated files are fresh (npm run docs)", () => {
  for (const [path, text] of files) it(path, () => expect(readFileSync(join(root, path), "utf8")).toBe(text));

  it("every page belongs to an existing rule", () => expect(strayPages()).toEqual([]));
});
