/**
 * Functions and kernels are typed key by key among finished ones, with pauses, with and without an editor that closes brackets. No
 * finding in the finished ones appears or disappears, and none is shown at the word that is being typed. Unless the tests are
 * thorough, each program is typed in one of both ways, some of its lines key by key and the lines between them pasted.
 */
import { describe, expect, it } from "vitest";
import { noSettings } from "../server/src/dialect.ts";
import type { Diagnostic } from "../server/src/finding.ts";
import { wordAt } from "../server/src/lsp/session/half-typed.ts";
import { createStabilizer } from "../server/src/lsp/session/stabilizer.ts";
import { createService } from "../server/src/service.ts";
import { isThorough, sample } from "./effort.ts";
import { keysOf, type Program, programs, type Surroundings, type Typed } from "./half-typed.ts";
import { memoryFiles, testParser } from "./service.ts";

const parser = await testParser();
// One standard is enough here; more would only repeat the work.
const settings = { ...noSettings, openclStandard: "CL1.2" as const };
const beat = 150;
const thinking = 2_000;

interface Shown {
  /** Findings outside of the typed function: their messages, and their distance from the start or the end of the text. */
  readonly around: readonly string[];
  /** Findings that contain the word at the cursor. */
  readonly atCursor: readonly string[];
}

function editorOn({ extension }: Program, { above, below }: Surroundings) {
  const uri = `file:///a.${extension}`;
  const texts = new Map([[uri, above + below]]);
  const service = createService({ files: memoryFiles(texts), parser, settingsOf: () => settings, isOpen: () => true });
  let time = 0;
  const stabilizer = createStabilizer(() => time);
  const show = (text: string): readonly Diagnostic[] => {
    texts.set(uri, text);
    service.changed([uri]);
    const report = service.check(uri);
    return stabilizer.show(uri, text, { report, diagnostics: report.diagnostics });
  };
  return {
    dispose: () => service.dispose(),
    wait(milliseconds: number): void {
      time += milliseconds;
    },
    type(left: string, right: string): Shown {
      const isEmpty = left + right === "";
      const text = `${above}${left}${right}${isEmpty ? "" : "\n"}${below}`;
      const shown = show(text);
      const cursor = above.length + left.length;
      const end = text.length - below.length;
      const word = wordAt(text, cursor);
      return {
        around: shown
          .filter(({ location: { span } }) => span.start < above.length || span.start >= end)
          .map(({ rule, message, location: { span } }) => {
            const place = span.start < above.length ? span.start : span.start - text.length;
            return `${place} ${rule}: ${message}`;
          }),
        atCursor: shown
          .filter(({ location: { span } }) => word !== undefined && span.start < word.end && word.start < span.end)
          .filter(({ location: { span } }) => span.start >= above.length && span.end <= end)
          .map(({ message, location: { span } }) => `${text.slice(span.start, span.end)}: ${message}`),
      };
    },
  };
}

/** Types the functions of every program in the language. */
export function testTyping(extension: Program["extension"]): void {
  describe.each(programs.filter((program) => program.extension === extension))("in a .$extension file", (program) => {
    const names = Object.keys(program.typed);
    it.each(
      names.flatMap((name, index) =>
        sample(
          [
            { name, closes: false, place: program.surroundings[(index + 3) % program.surroundings.length] },
            { name, closes: true, place: program.surroundings[index % program.surroundings.length] },
          ],
          2,
          index % 2,
        ),
      ),
    )("$name may be typed $place.name, brackets closed by the editor: $closes", ({ name, closes, place }) => {
      if (place === undefined) throw new Error("there is such a place");
      const editor = editorOn(program, place);
      try {
        const { around } = editor.type("", "");
        expect(around.length).toBeGreaterThan(1);
        let keys = 0;
        const all = [...keysOf(program.typed[name] ?? "", closes)];
        for (const { left, right, isPasted } of linesToType(all, names.indexOf(name) + (closes ? 3 : 0))) {
          keys += 1;
          editor.wait(isPasted || keys % 40 === 0 ? thinking : beat);
          const shown = editor.type(left, right);
          expect(shown.around, `after ${JSON.stringify(left.slice(-60))}`).toEqual(around);
          if (!isPasted) expect(shown.atCursor, `after ${JSON.stringify(left.slice(-60))}`).toEqual([]);
        }
        expect(keys).toBeGreaterThan(0);
      } finally {
        editor.dispose();
      }
    });
  });
}

interface Key extends Typed {
  /** True for the lines before the next typed one, which appear all at once. */
  readonly isPasted: boolean;
}

/** One line out of this many is typed key by key; in a shorter text, one line of all. Thorough tests type every line. */
const linesPerTyped = 40;

/** The keys, or only those of some lines, with the text between them pasted. `offset` decides which lines are typed. */
function linesToType(keys: readonly Typed[], offset: number): readonly Key[] {
  const lineOf = ({ left }: Typed): number => left.slice(0, -1).split("\n").length;
  const lines = Math.min(linesPerTyped, ...keys.slice(-1).map(lineOf));
  const isTyped = (key: Typed) => isThorough || lineOf(key) % lines === offset % lines;
  return keys.flatMap((key, at): readonly Key[] => {
    const next = keys[at + 1];
    if (isTyped(key)) return [{ ...key, isPasted: false }];
    return next === undefined || isTyped(next) ? [{ ...key, isPasted: true }] : [];
  });
}
