/**
 * The checking process of the mutation harness: answers with the errors and warnings of a file with a given text, whose headers
 * are read below the folder. It is a separate process so that the harness can end it when a text takes too long.
 */
import { join } from "node:path";
import type { Found } from "../../server/src/cli/mutate/figures.ts";
import { noSettings } from "../../server/src/dialect.ts";
import { createNodeFiles } from "../../server/src/node/node-files.ts";
import { nameOfPath } from "../../server/src/node/node-names.ts";
import { createService, type Service } from "../../server/src/service.ts";
import { testParser } from "../../test/service.ts";

/** A text to check instead of the file's own. */
export interface MutantRequest {
  /** Relative to the folder. */
  readonly path: string;
  readonly text: string;
}

const folder = process.argv[2] ?? ".";
const parser = await testParser();
const overlay = new Map<string, string>();
const files = createNodeFiles({ root: nameOfPath(folder) });
const overlaid = { ...files, read: (name: string) => overlay.get(name) ?? files.read(name) };
let current: { readonly path: string; readonly service: Service } | undefined;

process.on("message", (request: MutantRequest) => process.send?.(check(request)));
process.send?.("ready");

/** All texts of one path are checked by one service, which keeps its headers. */
function check({ path, text }: MutantRequest): readonly Found[] {
  const uri = nameOfPath(join(folder, path));
  overlay.set(uri, text);
  if (current?.path === path) current.service.changed([uri]);
  else {
    current?.service.dispose();
    current = { path, service: createService({ files: overlaid, parser, settingsOf: () => noSettings }) };
  }
  return current.service
    .check(uri)
    .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
    .map(({ rule, message, location }) => ({
      rule,
      message,
      line: location.uri === uri ? text.slice(0, location.span.start).split("\n").length : 0,
    }));
}
