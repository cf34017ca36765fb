/** Generates inputs that no author writes: mutations of the fixtures, and shapes of all sizes, for fast-check to combine and to shrink. */
import fc from "fast-check";
import { loadFixtures } from "../load-fixtures.ts";
import { shapes } from "./shapes.ts";

/** A text, and a name that implies its language. */
export interface Input {
  readonly name: string;
  readonly text: string;
}

/** One change of a text; positions are fractions of its length, so that they fit any text. */
export interface Mutation {
  readonly kind: "remove" | "insert" | "repeat" | "move" | "swap-case" | "end";
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
  }
}

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

/** Like `input`, with a few lines. */
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
