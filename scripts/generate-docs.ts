/** `npm run docs`: writes the rules' pages and the README's table, and removes pages of former rules. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testParser } from "../test/service.ts";
import { generatedFiles, root, strayPages } from "./docs/generated-files.ts";

const files = generatedFiles(await testParser());
for (const [path, text] of files) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
const strays = strayPages();
for (const path of strays) rmSync(join(root, path));
console.log(`${files.size} files written, ${strays.length} removed`);
