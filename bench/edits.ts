/**
 * The kinds of edit that are measured. Each edit is in another place and produces a text that has not existed before, so that no
 * cache of whole texts can answer. If an edit breaks code, the code is repaired before the next edit, and the repair is not
 * measured.
 */
import { type Language, makeFunctions } from "./generate.ts";

/** A replacement in a text; offsets are UTF-16. */
export interface Change {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

export interface Step {
  readonly change: Change;
  /** Whether the time until its diagnostics is measured. */
  readonly isMeasured: boolean;
}

/** Changes of one place, each based on the text that the previous one left. */
export type EditKind = (place: EditPlace) => Generator<Step, void>;

export interface EditPlace {
  readonly text: string;
  readonly language: Language;
  readonly random: () => number;
  /** The number of the place within the session. */
  readonly index: number;
}

export const editKinds = {
  body: {
    what: "a digit in a body",
    *edit({ text, random }) {
      yield measured(insertion(anyMatch(text, /^ {2,}.*\d\.\d+(?=f)/gm, random), digit(random)));
    },
  },
  statement: {
    what: "a statement typed in a body, each key",
    *edit({ text, random, index }) {
      const start = anyMatch(text, /^ {2}.*;\n(?= {2}\S)/gm, random);
      yield* typed(start, `  const float fresh${index} = sum * ${index}.5f;\n`);
    },
  },
  comment: {
    what: "a comment typed, each key",
    *edit({ text, random, index }) {
      const start = anyMatch(text, /^ {2}.*;\n(?= {2}\S)/gm, random);
      yield* typed(start, `  // Note ${index}: it doesn't (yet) hold for { all } of them\n`);
    },
  },
  parameter: {
    what: "a parameter added",
    *edit({ text, random, index }) {
      const start = anyMatch(text, /\bstep_\w+\((?=const|\/\*)/g, random);
      const added = `float added${index}, `;
      yield measured(insertion(start, added));
      yield unmeasured({ offset: start, length: added.length, text: `/* ${index} */ ` });
    },
  },
  member: {
    what: "a member of a struct added",
    *edit({ text, random, index }) {
      const start = anyMatch(text, /^ {2}int rounds;\n/gm, random);
      const added = `  float added${index};\n`;
      yield measured(insertion(start, added));
      yield unmeasured({ offset: start, length: added.length, text: `  // ${index}\n` });
    },
  },
  define: {
    what: "a '#define' changed",
    *edit({ text, random }) {
      yield measured(insertion(anyMatch(text, /^#define LIMIT_\w+ [\d.]+(?=f)/gm, random), digit(random)));
    },
  },
  begun: {
    what: "a function begun and unfinished, each key",
    *edit({ text, language, random, index }) {
      const start = anyMatch(text, /^}\n\n/gm, random);
      const head =
        language === "cuda"
          ? `__global__ void begun${index}(const float *in, float *out, int n) {\n  out[threadIdx.x] = in[n];\n`
          : `kernel void begun${index}(global const float *in, global float *out, int n) {\n  out[get_global_id(0)] = in[n];\n`;
      yield* typed(start, head);
      yield unmeasured(insertion(start + head.length, "}\n\n"));
    },
  },
  paste: {
    what: "500 lines pasted",
    *edit({ text, language, random, index }) {
      const start = anyMatch(text, /^}\n\n/gm, random);
      const pasted = `${makeFunctions(language, 500, 20, `pasted${index}_`, index)}\n`;
      yield measured(insertion(start, pasted));
      yield unmeasured({ offset: start, length: pasted.length, text: `// ${index}\n` });
    },
  },
} satisfies Record<string, { readonly what: string; readonly edit: EditKind }>;

export type EditName = keyof typeof editKinds;

/** One key at a time. */
function* typed(start: number, text: string): Generator<Step, void> {
  for (let index = 0; index < text.length; index++) yield measured(insertion(start + index, text.charAt(index)));
}

function insertion(offset: number, text: string): Change {
  return { offset, length: 0, text };
}

function measured(change: Change): Step {
  return { change, isMeasured: true };
}

function unmeasured(change: Change): Step {
  return { change, isMeasured: false };
}

function digit(random: () => number): string {
  return String(1 + Math.floor(random() * 9));
}

/** The end of some match. The search starts at a random place, so that a large file is not searched as a whole. */
function anyMatch(text: string, pattern: RegExp, random: () => number): number {
  pattern.lastIndex = text.indexOf("\n", Math.floor(random() * text.length)) + 1;
  for (let round = 0; round < 2; round++) {
    const match = pattern.exec(text);
    if (match !== null) return match.index + match[0].length;
  }
  throw new Error(`the text has no place for ${String(pattern)}`);
}
