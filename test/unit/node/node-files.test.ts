/** No file outside of the root and the configured include paths is read, however an include spells its path. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createNodeFiles } from "../../../server/src/node/node-files.ts";
import { nameOfPath } from "../../../server/src/node/node-names.ts";
import { createService } from "../../../server/src/service.ts";
import { testParser } from "../../service.ts";

const parser = await testParser();
const folder = mkdtempSync(join(tmpdir(), "gpu-qualifiers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const root = join(folder, "root");
mkdirSync(join(root, "inner"), { recursive: true });
mkdirSync(join(folder, "root-twin"));
writeFileSync(join(folder, "secret.h"), "#define SECRET_SPACE __local\n");
writeFileSync(join(folder, "root-twin", "secret.h"), "#define SECRET_SPACE __local\n");
writeFileSync(join(root, "inner", "own.h"), "#define OWN_SPACE __local\n");

describe("files outside of the root", () => {
  it("are absent, even if their path starts with the name of the root or leads through it", () => {
    const files = createNodeFiles({ root: nameOfPath(root) });
    const names = [join(folder, "secret.h"), join(folder, "root-twin", "secret.h")].map((path) => nameOfPath(path));
    expect(
      [...names, `${nameOfPath(root)}/../secret.h`, `${nameOfPath(root)}/inner/../../secret.h`].map((name) => files.read(name)),
    ).toEqual(["absent", "absent", "absent", "absent"]);
    expect(files.read(nameOfPath(join(root, "inner", "own.h")))).toContain("_SPACE");
  });

  it("are read if they are in a configured include path", () => {
    const files = createNodeFiles({ root: nameOfPath(root) });
    const name = nameOfPath(join(folder, "root-twin", "secret.h"));
    expect(files.read(name)).toBe("absent");
    files.allow(nameOfPath(join(folder, "root-twin")));
    expect(files.read(name)).toContain("_SPACE");
  });

  it.each([
    ["are not", '"../secret.h"', "SECRET_SPACE"],
    ["are not", '"inner/../../secret.h"', "SECRET_SPACE"],
    ["are not", `"${join(folder, "secret.h").replaceAll("\\", "/")}"`, "SECRET_SPACE"],
    ["unlike those inside are", '"inner/../inner/own.h"', "OWN_SPACE"],
  ])("%s reached by #include %s", (how, spelling, space) => {
    const source = join(root, "a.cl");
    writeFileSync(source, `#include ${spelling}\nkernel void f(global int *in) { ${space} int *p = in; }\n`);
    const service = createService({ files: createNodeFiles({ root: nameOfPath(root) }), parser, settingsOf: () => noSettings });
    expect(service.check(nameOfPath(source)).diagnostics.length > 0).toBe(how !== "are not");
    service.dispose();
  });
});
