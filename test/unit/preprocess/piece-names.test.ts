/** The name of a piece tells its file, whatever the file's own name is. */
import { expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { memoryFiles, testParser } from "../../service.ts";

it.each(
  ["file:///a#piece-1.cl", "file:///dir#piece-2/a.cl"].flatMap((uri) => [
    { uri, isOpen: true },
    { uri, isOpen: false },
  ]),
)("findings and dependencies of $uri name that file (open: $isOpen)", async ({ uri, isOpen }) => {
  const text = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";
  const texts = new Map([[uri, text]]);
  const service = createService({
    files: memoryFiles(texts),
    parser: await testParser(),
    settingsOf: () => noSettings,
    isOpen: () => isOpen,
  });
  try {
    const { diagnostics, dependencies } = service.check(uri);
    expect(diagnostics.map(({ location }) => location.uri)).toEqual([uri]);
    expect(dependencies.filter((name) => !name.startsWith("builtin:"))).toEqual([uri]);
  } finally {
    service.dispose();
  }
});
