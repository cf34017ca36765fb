/**
 * Decides from the words in front of a place whether the name of a declaration is typed there. Half-typed code has no better structure
 * than its words.
 */
import type { CodeToken, Position } from "../names/tokens.ts";

/**
 * Where a declaration begins to have its name: directly after a word that is the type, or may be; after the `*` of a pointer to a type;
 * after the comma of a declaration in a block. Undefined elsewhere.
 */
export function declaratorAt(
  { before, open, tokens }: Position,
  isType: (word: string) => boolean,
): "after-type" | "after-star" | "after-comma" | undefined {
  if (before === undefined) return undefined;
  if (before.kind === "word") return "after-type";
  if (before.text !== "*" && before.text !== ",") return undefined;
  if (before.text === "*") {
    let at = tokens.length - 1;
    while (/^(?:\*|const|volatile|restrict)$/.test(tokens[at]?.text ?? "")) at -= 1;
    const type = tokens[at];
    return type !== undefined && type.kind === "word" && isType(type.text) ? "after-star" : undefined;
  }
  // In a parameter list, a type follows the comma.
  if (open.at(-1)?.sign !== "{") return undefined;
  return beginsWithType(statementBefore(tokens), isType) ? "after-comma" : undefined;
}

/** The tokens of the statement that the last token belongs to. */
function statementBefore(tokens: readonly CodeToken[]): readonly CodeToken[] {
  let depth = 0;
  let at = tokens.length - 1;
  for (; at >= 0; at -= 1) {
    const { text } = tokens[at] ?? { text: "" };
    if (/^[)\]}]$/.test(text)) depth += 1;
    else if (depth > 0 && /^[([{]$/.test(text)) depth -= 1;
    else if (depth === 0 && /^[;{]$/.test(text)) break;
    // A block that has ended belongs to an earlier statement, unless it is an initializer.
    if (text === "}" && depth === 1 && tokens[at + 1]?.text !== ",") break;
  }
  return tokens.slice(at + 1);
}

function beginsWithType(tokens: readonly CodeToken[], isType: (word: string) => boolean): boolean {
  const first = tokens.find(
    ({ text }) => !/^(?:const|volatile|static|unsigned|signed|struct|union|(?:__)?(?:global|local|constant|private))$/.test(text),
  );
  return first !== undefined && first.kind === "word" && isType(first.text);
}
