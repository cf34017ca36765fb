/**
 * Measures the parts of a check without a server, for files of one size: `npx tsx bench/in-process.ts 2000`. Each edit of the last
 * task differs, so that no text has been read before.
 */
import { Bench } from "tinybench";
import { noSettings } from "../server/src/dialect.ts";
import { createCutter, fileStart } from "../server/src/preprocess/lexing/cut.ts";
import { createInterner } from "../server/src/preprocess/lexing/interner.ts";
import { tokenize } from "../server/src/preprocess/lexing/lexer.ts";
import { createService, type Service } from "../server/src/service.ts";
import { memoryFiles, testParser } from "../test/service.ts";
import { editKinds } from "./edits.ts";
import { type Language, makeSource, randomNumbers } from "./generate.ts";

const lines = Number(process.argv[2] ?? 2_000);
const parser = await testParser();
const bench = new Bench({ time: 2_000, warmupTime: 500 });
const services: Service[] = [];

for (const language of ["cuda", "opencl"] as const) addTasks(language);
await bench.run();
console.log(`${lines} lines, milliseconds`);
console.table(
  bench.tasks.map(({ name, result }) =>
    result.state === "completed"
      ? { name, p50: result.latency.p50.toFixed(2), p99: result.latency.p99.toFixed(2), runs: result.latency.samplesCount }
      : { name, p50: result.state },
  ),
);
for (const service of services) service.dispose();

function addTasks(language: Language): void {
  const text = makeSource({ language, lines, functionLines: 20 });
  const isCplusplus = language === "cuda";
  const uri = isCplusplus ? "file:///a.cu" : "file:///a.cl";
  const interner = createInterner();
  const cutter = createCutter(interner);
  const tokens = tokenize(text, interner, isCplusplus);
  bench.add(`${language}: tokens`, () => void tokenize(text, interner, isCplusplus));
  bench.add(`${language}: cut`, () => void cutter.cut(tokens, fileStart, false, false));
  bench.add(`${language}: parse and lower`, () => parser.parse(text).dispose());
  bench.add(`${language}: first check`, () => {
    const service = createService({ files: memoryFiles(new Map([[uri, text]])), parser, settingsOf: () => noSettings });
    service.check(uri);
    service.dispose();
  });
  const edited = new Map([[uri, text]]);
  const service = createService({ files: memoryFiles(edited), parser, settingsOf: () => noSettings, isOpen: () => true });
  services.push(service);
  const random = randomNumbers(1);
  let index = 0;
  bench.add(
    `${language}: check after an edit in a body`,
    () => {
      service.changed([uri]);
      service.check(uri);
    },
    {
      beforeEach() {
        const before = edited.get(uri) ?? text;
        for (const { change } of editKinds.body.edit({ text: before, language, random, index: index++ }))
          edited.set(uri, before.slice(0, change.offset) + change.text + before.slice(change.offset));
      },
    },
  );
}
