/** Which name code blocks have in Markdown, so that the client at hand colors them: clients differ in what they call a language. */

/** VS Code has a name of its own for CUDA, and a client that says `opencl` of a document colors it, too. */
export function fencedFor(languageId: string, markdown: string): string {
  if (languageId === "cuda-cpp") return markdown.replaceAll("```cuda\n", "```cuda-cpp\n");
  return languageId === "opencl" ? markdown.replaceAll("```c\n", "```opencl\n") : markdown;
}
