/** Generates inputs that no author writes: mutated fixtures, and shapes of all sizes. fast-check combines and shrinks them. */
import fc from "fast-check";
import { loadFixtures } from "../load-fixtures.ts";
import { program } from "./sentences.ts";
import { shapes } from "./shapes.ts";

/** A text, and a name that implies its language. */
export interface Input {
  readonly name: string;
  readonly text: string;
}

/** One change of a text; positions are fractions of its length, so that they fit any text. */
export interface Mutation {
  readonly kind: "remove" | "insert" | "repeat" | "move" | "swap-case" | "end" | "replace-word" | "remove-line" | "repeat-line" | "undo";
  readonly from: number;
  readonly to: number;
  readonly times: number;
  readonly word: string;
}

/** Words that change the meaning of the code around them. */
const words = [
  ...["(", ")", "{", "}", "[", "]", "<", ">", "<<<", ">>>", ";", ",", ":", "::", "*", "&", "&&", "=", "...", "->", "~", "?", "#", "##"],
  ...['"', "'", "/*", "*/", "//", "\\\n", 'R"(', ')"', "\r", "\0", "\uFEFF", "\uD800", "\u2028", "??/"],
  ...["const", "volatile", "__global", "__local", "__constant", "__private", "generic", "__kernel", "__grid_constant__", "__device__"],
  ...["__global__", "__shared__", "__constant__", "__managed__", "__host__", "constexpr", "static", "extern", "typedef", "using", "auto"],
  ...[
    "template <class T>",
    "template <int N>",
    "template <>",
    "typename",
    "operator",
    "friend",
    "virtual",
    "struct S {",
    "};",
    "union",
    "enum",
  ],
  ...[
    "if (",
    "else",
    "for (;;)",
    "switch (",
    "case 0:",
    "return",
    "goto",
    "sizeof",
    "decltype(",
    "__attribute__((",
    "alignas(",
    "[[",
    "asm(",
  ],
  ...[
    "#define M ",
    "#define F(x, ...) ",
    "#undef M\n",
    "#if 1\n",
    "#ifdef X\n",
    "#else\n",
    "#endif\n",
    '#include "a.cu"\n',
    "#pragma unroll\n",
  ],
  ...[
    "M",
    "F(",
    "__VA_ARGS__",
    "__COUNTER__",
    "_Pragma(",
    "defined",
    "int",
    "float4",
    "image2d_t",
    "atomic_int",
    "size_t",
    "0x",
    "1e",
    "'0",
  ],
  ...[
    "// gpu-qualifiers: allow[const-write] x\n",
    "namespace n {",
    'extern "C" {',
    "[=] __device__ {",
    "k<<<1, 1>>>(",
    "(int *)",
    "((",
    "))",
  ],
];

/** Words that change the meaning of the text after them, but not which brackets belong together. */
const gentleWords = [
  ...["", "", " ", "\n", ";", ",", "*", "&", "::", ".", "->", "=", "+", "<", "0", "1", "16", "x", "a", "b", "f(a)", "a[0]", "{}", "()"],
  ...["const", "volatile", "global", "local", "constant", "private", "generic", "kernel", "__grid_constant__", "__device__", "__global__"],
  ...["__shared__", "__constant__", "__managed__", "__host__", "constexpr", "static", "extern", "typedef", "auto", "inline", "restrict"],
  ...[
    "int",
    "float",
    "float4",
    "void",
    "char",
    "T",
    "image2d_t",
    "atomic_int",
    "struct T",
    "union",
    "enum",
    "return",
    "(int *)",
    "M",
    "M(a)",
  ],
  ...["\n#define M const\n", "\n#define M(x) x\n", "\n#undef M\n", "\n#if 0\n", "\n#else\n", "\n#endif\n", '\n#include "a.h"\n'],
  ...["/*", "*/", "//", "\n// gpu-qualifiers: allow[const-write] x\n", "struct T { int a; };", "int M;", "void f(int *a);"],
];

const part = fc.double({ min: 0, max: 1, noNaN: true });

/** Any mutation. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("remove", "insert", "insert", "insert", "repeat", "move", "swap-case", "end"),
  from: part,
  to: fc.oneof(part, fc.constant(-1)),
  times: fc.integer({ min: 1, max: 40 }),
  word: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  ),
});

/** Longer texts are cut: the search is for small and slow ones, not large ones. */
const longest = 90_000;

/** The text after a mutation. */
export function mutated(text: string, { kind, from, to, times, word }: Mutation): string {
  const a = Math.floor(from * text.length);
  const b = to < 0 ? Math.min(text.length, a + times) : Math.floor(to * text.length);
  const [start, end] = a < b ? [a, b] : [b, a];
  const [before, middle, behind] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  switch (kind) {
    case "remove":
      return before + behind;
    case "insert":
      return `${before}${word.repeat(to < 0 ? times : 1)}${middle}${behind}`.slice(0, longest);
    case "repeat":
      return `${before}${middle.slice(0, 2_000).repeat(times)}${behind}`.slice(0, longest);
    case "move":
      return behind + middle + before;
    case "swap-case":
      return before + middle.replace(/[a-z]/g, (letter) => letter.toUpperCase()) + behind;
    case "end":
      return before;
    case "replace-word": {
      const from = wordStart(text, start);
      return text.slice(0, from) + word + text.slice(wordEnd(text, start));
    }
    case "remove-line":
      return text.slice(0, lineStart(text, start)) + text.slice(lineEnd(text, start));
    case "repeat-line": {
      const line = text.slice(lineStart(text, start), lineEnd(text, start));
      return (text.slice(0, lineStart(text, end)) + line + text.slice(lineStart(text, end))).slice(0, longest);
    }
    case "undo":
      return text;
  }
}

function wordStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && /\w/.test(text.charAt(at - 1))) at -= 1;
  return at;
}

function wordEnd(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && /\w/.test(text.charAt(at))) at += 1;
  return Math.max(at, Math.min(offset + 1, text.length));
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

/**
 * Small changes that mostly leave the brackets in pairs, like those of a user who types. After a few of the other changes a text
 * has only errors; after these it still has findings, which change from one to the next.
 */
export const gentleMutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("replace-word", "replace-word", "replace-word", "insert", "remove", "remove-line", "repeat-line", "undo", "undo"),
  from: part,
  to: fc.oneof({ weight: 3, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: part }),
  times: fc.constantFrom(1, 1, 1, 2, 3),
  word: fc.constantFrom(...gentleWords),
});

const fixtures: readonly Input[] = loadFixtures()
  .flatMap(({ files }) => files)
  .filter(({ name }) => /\.(cl|cu|clcpp)$/.test(name))
  .map(({ name, text }) => ({ name: `x${name.slice(name.lastIndexOf("."))}`, text }));

/** An unchanged fixture. */
export const fixture: fc.Arbitrary<Input> = fc.constantFrom(...fixtures);

/** A shape with a limited number of repetitions. */
export const shape = (most: number): fc.Arbitrary<Input> =>
  fc.tuple(fc.constantFrom(...shapes), fc.integer({ min: 0, max: most })).map(([{ language, of }, count]) => ({
    name: `x.${language}`,
    text: of(count).slice(0, longest),
  }));

const mutations = fc.array(mutation, { minLength: 1, maxLength: 6 });

/** A mutated text. */
export const input: fc.Arbitrary<Input> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fixture, mutations).map(([{ name, text }, all]) => ({ name, text: all.reduce(mutated, text) })) },
  { weight: 2, arbitrary: fc.tuple(shape(300), mutations).map(([{ name, text }, all]) => ({ name, text: all.reduce(mutated, text) })) },
  { weight: 1, arbitrary: shape(1_500) },
  {
    weight: 1,
    arbitrary: fc.tuple(fixture, fixture, part).map(([one, other, at]) => {
      const offset = Math.floor(at * one.text.length);
      return { name: one.name, text: one.text.slice(0, offset) + other.text + one.text.slice(offset) };
    }),
  },
);

/** A few lines of a fixture, at any position: small enough to check thousands of them in the time of one file. */
export const snippet: fc.Arbitrary<Input> = fc.tuple(fixture, part, fc.integer({ min: 3, max: 16 })).map(([{ name, text }, at, count]) => {
  const lines = text.split("\n");
  const from = Math.floor(at * lines.length);
  return { name, text: `${lines.slice(from, from + count).join("\n")}\n` };
});

/** The items of the fixtures. An item begins in the first column and ends before the next line that does. */
const items: readonly Input[] = fixtures.flatMap(({ name, text }) =>
  text
    .split(/\n(?=[\w#])/)
    .map((item) => ({ name, text: `${item}\n` }))
    .filter((item) => item.text.length > 12 && item.text.length < 600),
);

/** An item of a fixture or a program of a few lines, unchanged or slightly changed. It is checked in about a millisecond. */
export const tinyInput: fc.Arbitrary<Input> = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...items) }, { weight: 4, arbitrary: program }),
    fc.array(fc.oneof({ weight: 5, arbitrary: gentleMutation }, { weight: 1, arbitrary: mutation }), { maxLength: 4 }),
  )
  .map(([{ name, text }, all]) => ({ name, text: all.reduce(mutated, text).slice(0, 1_500) }));

/** Inputs like `input`, of a few lines. */
export const smallInput: fc.Arbitrary<Input> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(snippet, mutations).map(([{ name, text }, all]) => ({ name, text: all.reduce(mutated, text).slice(0, 4_000) })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(shape(8), mutations).map(([{ name, text }, all]) => ({ name, text: all.reduce(mutated, text).slice(0, 4_000) })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(snippet, snippet, part).map(([one, other, at]) => {
      const offset = Math.floor(at * one.text.length);
      return { name: one.name, text: one.text.slice(0, offset) + other.text + one.text.slice(offset) };
    }),
  },
);

/** A text, the edits of it, and the limit on its length. */
export interface Session {
  readonly input: Input;
  readonly edits: readonly Mutation[];
  readonly longest: number;
}

/** A fixture with edits. */
export const session: fc.Arbitrary<Session> = fc.record({
  input: fixture,
  edits: fc.array(mutation, { minLength: 1, maxLength: 25 }),
  longest: fc.constant(longest),
});

/** A few lines and many edits. */
export const smallSession: fc.Arbitrary<Session> = fc.record({
  input: snippet,
  edits: fc.array(mutation, { minLength: 12, maxLength: 48 }),
  longest: fc.constant(1_500),
});

const programs: fc.Arbitrary<Input> = fc
  .tuple(fc.array(program, { minLength: 1, maxLength: 4 }), fc.constantFrom("x.cu", "x.cl"))
  .map(([all, name]) => ({ name, text: all.map(({ text }) => text).join("") }));

/** A few lines or a fixture, and many small edits. One edit in twelve may change much, and may be taken back. */
export const gentleSession: fc.Arbitrary<Session> = fc.record({
  input: fc.oneof(
    { weight: 3, arbitrary: snippet },
    { weight: 3, arbitrary: programs },
    { weight: 1, arbitrary: fixture.filter(({ text }) => text.length < 1_500) },
  ),
  edits: fc.array(fc.oneof({ weight: 11, arbitrary: gentleMutation }, { weight: 1, arbitrary: mutation }), {
    minLength: 40,
    maxLength: 160,
    size: "max",
  }),
  longest: fc.constant(1_500),
});

/** The text after each edit. An undo goes back to an earlier text. */
export function* textsOf({ input, edits, longest }: Session): Generator<string> {
  const texts = [input.text];
  for (const edit of edits) {
    const last = texts.at(-1) ?? "";
    const earlier = texts[Math.max(0, texts.length - 1 - edit.times * 2)] ?? last;
    const text = edit.kind === "undo" ? earlier : mutated(last, edit).slice(0, longest);
    if (text === last) continue;
    texts.push(text);
    if (texts.length > mostRemembered) texts.shift();
    yield text;
  }
}

/** Texts that an edit may go back to. */
const mostRemembered = 16;
