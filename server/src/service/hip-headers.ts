/**
 * Finds out whether a CUDA source is HIP because a header of its project includes HIP. Headers that no rule of the preprocessor would
 * reach count as well, because the project's build may define what leads to them.
 */
import { memo } from "../memo.ts";
import type { Preprocessor } from "../preprocess/preprocessor.ts";
import { type HipSigns, hipSignsOfHeader } from "../settings/hip.ts";
import type { Tools } from "./options.ts";

/** How many headers are searched. A header that includes HIP is near the sources that need it. */
const mostHeaders = 64;

/** What the headers of each service say: kept because many sources include the same ones. */
const signsIn = memo((_: Preprocessor) => new Map<string, { readonly text: string; readonly signs: HipSigns }>());

/**
 * True if headers of a source include HIP and none of them CUDA. `signs` are what the source itself says.
 */
export function isHipByHeaders(tools: Tools, source: string, signs: HipSigns, includePaths: readonly string[]): boolean {
  if (signs.kind === "cuda") return false;
  let isHip = false;
  const found = new Set<string>([source]);
  const add = (includer: string, names: readonly string[]) => {
    for (const name of names) {
      if (found.size > mostHeaders) return;
      const question = { name, isQuoted: true, isNext: false };
      tools.notebook.include(includer, question, includePaths);
      const header = tools.preprocessor.resolve({ ...question, includer, includePaths });
      if (header !== undefined) found.add(header.uri);
    }
  };
  add(source, signs.headers);
  // The set grows while it is walked.
  for (const uri of found) {
    if (uri === source) continue;
    const { kind, headers } = signsOf(tools, uri);
    if (kind === "cuda") return false;
    isHip ||= kind === "hip";
    add(uri, headers);
  }
  return isHip;
}

function signsOf({ options, preprocessor }: Tools, uri: string): HipSigns {
  const own = signsIn(preprocessor);
  const text = options.files.read(uri);
  const earlier = own.get(uri);
  if (earlier?.text === text) return earlier.signs;
  const signs = hipSignsOfHeader(text);
  own.set(uri, { text, signs });
  return signs;
}
