// Is loaded into the server by the soak alone: on a signal it collects all garbage and writes what is left to a file, in bytes.
const { writeFileSync } = require("node:fs");

process.on("SIGUSR2", () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  writeFileSync(process.env.SOAK_MEMORY, `${heapUsed + external} ${rss}\n`);
});
