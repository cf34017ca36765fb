/** Generates what editors need to color qualifiers: the extension's semantic token modifiers and its words of CUDA. */
import { tokenModifiers } from "../../server/src/editor/semantic-tokens.ts";
import { qualifiers, type Role } from "../../server/src/qualifiers.ts";
import type { Manifest } from "./editor-settings.ts";

const ofProtocol: ReadonlySet<string> = new Set(["declaration", "readonly"]);

/** The manifest with the server's modifiers. Descriptions that it has already stay. */
export function withModifiers(manifest: Manifest): Manifest {
  const { contributes } = manifest;
  const present = new Map(contributes.semanticTokenModifiers.map((each) => [each.id, each]));
  const ids = tokenModifiers.filter((id) => !ofProtocol.has(id));
  const semanticTokenModifiers = ids.map((id) => present.get(id) ?? { id, description: `in CUDA's ${id} memory` });
  return { ...manifest, contributes: { ...contributes, semanticTokenModifiers } };
}

/** A TextMate grammar that adds CUDA's words to grammars of C++. */
export function cudaWordsGrammar(): string {
  const pattern = (name: string, words: readonly string[]) => ({ match: `\\b(?:${words.join("|")})\\b`, name });
  const memory = wordsOf("memory-space", "annotation");
  const patterns = [
    pattern("storage.modifier.memory-space.cuda", memory),
    pattern(
      "storage.modifier.execution-space.cuda",
      wordsOf("execution-space").filter((word) => !memory.includes(word)),
    ),
    pattern("storage.modifier.attribute.cuda", wordsOf("attribute")),
    pattern("storage.modifier.cuda", [...wordsOf("function"), "__restrict__"]),
    pattern("variable.language.cuda", ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"]),
  ];
  const injectionSelector = "L:source.cuda-cpp -comment -string, L:source.cpp -comment -string";
  return `${JSON.stringify({ scopeName: "cuda-words.gpu-qualifiers.injection", injectionSelector, patterns }, undefined, 2)}\n`;
}

/** CUDA's own words with one of these roles, in all spellings. */
function wordsOf(...roles: readonly Role[]): readonly string[] {
  return qualifiers
    .filter((each) => each.languages.join() === "cuda" && each.roles.some((role) => roles.includes(role)))
    .flatMap(({ word, spellings = [] }) => [word, ...spellings]);
}
