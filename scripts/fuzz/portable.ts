/** The fuzzer in a folder that `npm run fuzz -- --portable FOLDER` has written. */
import { join } from "node:path";
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2), async () => join(import.meta.dirname, "../../process.mjs"));
