/** Names the languages of code blocks in Markdown as the client does, so that the client colors them. */

/**
 * The Markdown with the client's language names. VS Code calls CUDA `cuda-cpp`; a client whose documents have the language `opencl`
 * can color such blocks.
 */
export function fencedFor(languageId: string, markdown: string): string {
  if (languageId === "cuda-cpp") return markdown.replaceAll("```cuda\n", "```cuda-cpp\n");
  return languageId === "opencl" ? markdown.replaceAll("```c\n", "```opencl\n") : markdown;
}
