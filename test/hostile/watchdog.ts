/**
 * Ends a process that hangs. A thread with endless work cannot report it, so another thread watches its progress, stores the input in
 * `found/` and kills the process.
 */
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** Must be called before each input is tried. */
export interface Watchdog {
  /** A new input is tried; the name of its file gets this extension. */
  begin(extension: string, content: string): void;
  stop(): void;
}

/** Seconds of processor time that no input takes. Each try to find a smaller case is an input of its own. */
const patience = 300;

const watching = `
const { copyFileSync, readFileSync, writeSync } = require("node:fs");
const { workerData: { progress, folder, file } } = require("node:worker_threads");
let [seen, since] = [-1, 0];
setInterval(() => {
  const now = Atomics.load(progress, 0);
  const { user } = process.cpuUsage();
  if (now !== seen) [seen, since] = [now, user];
  if (user - since < ${patience} * 1e6) return;
  const [extension] = readFileSync(file + ".name", "utf8").split("\\n");
  copyFileSync(file, folder + "/hang-" + process.pid + "." + extension);
  writeSync(2, "no progress: hang-" + process.pid + "." + extension + " has the input\\n");
  process.kill(process.pid, "SIGKILL");
}, 5_000);
`;

/** A thread that watches this process. */
export function startWatchdog(): Watchdog {
  const folder = join(import.meta.dirname, "found");
  const temporary = join(import.meta.dirname, "../../node_modules/.cache/gpu-qualifiers-fuzz");
  mkdirSync(folder, { recursive: true });
  mkdirSync(temporary, { recursive: true });
  const file = join(temporary, `${process.pid}`);
  const [content, name] = [openSync(file, "w"), openSync(`${file}.name`, "w")];
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(watching, { eval: true, workerData: { progress, folder, file } });
  const put = (to: number, text: string): void => {
    ftruncateSync(to);
    writeSync(to, text, 0);
  };
  return {
    begin: (extension, text) => {
      put(name, `${extension}\n`);
      put(content, text);
      Atomics.add(progress, 0, 1);
    },
    stop: () => {
      void worker.terminate();
      closeSync(content);
      closeSync(name);
      for (const path of [file, `${file}.name`]) rmSync(path, { force: true });
    },
  };
}
