/**
 * Hints, colors, lenses, hovers and declarations of an open file, which come from its pieces, are those of the file read as one: on
 * every third fixture of one file, or on all in thorough tests, with hovers and declarations at each word. A service that does not know what
 * is open reads whole files.
 */
import { expect, it } from "vitest";
import { inlayHints } from "../../../server/src/editor/inlay-hints.ts";
import { lenses } from "../../../server/src/editor/lenses.ts";
import { semanticTokens } from "../../../server/src/editor/semantic-tokens.ts";
import { createService, type Service } from "../../../server/src/service.ts";
import { isThorough } from "../../effort.ts";
import { loadFixtures } from "../../load-fixtures.ts";
import { memoryFiles, settingsFor, testParser } from "../../service.ts";

const parser = await testParser();
const fixtures = loadFixtures()
  .filter(({ files }) => files.length === 1)
  .filter((_, index) => isThorough || index % 3 === 0);

/** All that editors show of a file. */
function shown(service: Service, uri: string, text: string) {
  const words = [...text.matchAll(/[A-Za-z_]\w*/g)].map(({ index }) => index);
  return {
    hints: service.judgedParts(uri).map(({ file }) => inlayHints(file)),
    tokens: service.judgedParts(uri).map(({ file }) => semanticTokens(file)),
    lenses: service.judgedParts(uri).map(({ file }) => lenses(file)),
    hovers: words.map((offset) => service.hover(uri, offset)),
    declarations: words.map((offset) => service.declarations(uri, offset)),
  };
}

it("are the same by pieces and as a whole", { timeout: 240_000 }, () => {
  for (const fixture of fixtures) {
    const [{ name = "", text = "" } = {}] = fixture.files;
    const uri = `file:///fixture/${name}`;
    const settings = settingsFor(fixture, fixture.standards[0]);
    const files = memoryFiles(new Map([[uri, text]]));
    const [whole, pieces] = [undefined, () => true].map((isOpen) => {
      const service = createService({ files, parser, settingsOf: () => settings, ...(isOpen === undefined ? {} : { isOpen }) });
      service.check(uri);
      const all = shown(service, uri, text);
      service.dispose();
      return all;
    });
    expect(pieces, fixture.name).toEqual(whole);
  }
});
