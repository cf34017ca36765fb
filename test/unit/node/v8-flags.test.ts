/** The flags for V8 have the effect that their functions promise, in whichever version of Node runs the tests. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const flags = join(import.meta.dirname, "../../../server/src/node/v8-flags.ts");

/** Sets the flags, runs a loop of wasm until V8 would compile it a second time, and prints whether its code is still the first. */
const program = (isSet: boolean) => `
import { setFlagsFromString } from "node:v8";
import { compileParserOnce } from ${JSON.stringify(flags)};
setFlagsFromString("--allow-natives-syntax");
if (${isSet}) compileParserOnce();
// (func (export "count") (param i32) (result i32)
//   (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) (local.get 0))
const module = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 7, 9, 1, 5, 99, 111, 117, 110, 116, 0, 0,
  10, 18, 1, 16, 0, 3, 64, 32, 0, 65, 1, 107, 34, 0, 13, 0, 11, 32, 0, 11,
];
const { instance } = await WebAssembly.instantiate(Uint8Array.from(module));
const { count } = instance.exports;
const isFirst = new Function("compiled", "return %IsLiftoffFunction(compiled)");
for (let i = 0; i < 10; i++) count(3_000_000);
// The optimizing compiler works on another thread, and its code is used from the next call on.
for (let i = 0; i < 30 && isFirst(count); i++) await new Promise((resolve) => setTimeout(resolve, 10));
console.log(isFirst(count));
`;

async function isStillFirst(isSet: boolean): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program(isSet)]);
  return stdout.trim();
}

test("the parser is compiled once, although it runs for long", async () => {
  expect(await isStillFirst(true)).toBe("true");
  expect(await isStillFirst(false)).toBe("false");
});
