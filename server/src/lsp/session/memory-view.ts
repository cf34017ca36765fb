/**
 * Answers `gpu-qualifiers.memory`: the memory of all kernels of the workspace, as a tree. A file is read again only when its report
 * is another one, so that the answer after an edit costs what the edit affects.
 */
import type { CancellationToken, Location } from "vscode-languageserver";
import { type FileMemory, memoryOf, merged } from "../../editor/memory/report.ts";
import { type MemoryNode, memoryTree, withPlaces } from "../../editor/memory/tree.ts";
import { baseNameOf } from "../../names.ts";
import { printable } from "../../printable.ts";
import type { FileReport } from "../../service.ts";
import type { Steps } from "../../steps.ts";
import type { OpenProject } from "../projects/open-project.ts";
import type { Workspace } from "../projects/workspace.ts";
import type { Positions } from "../protocol/positions.ts";

/** The dependencies of the view. */
export interface MemoryContext {
  readonly workspace: Workspace;
  readonly positions: Positions;
  readonly token: CancellationToken;
  uriOf(name: string): string;
  isOpen(name: string): boolean;
  log(name: string, error: unknown): void;
}

/** The answer to `gpu-qualifiers.memory`. */
export interface MemoryAnswer {
  readonly kernels: readonly MemoryNode<Location>[];
  /** The workspace has more files than the view reads. */
  readonly isCut: boolean;
}

/** The greatest number of files that are read for the view. */
const most = 2_000;

/** What each report's file contributes; a report that is no longer valid is forgotten. */
const known = new WeakMap<FileReport, FileMemory>();

/** The kernels of the workspace in the order of their files. */
export async function memoryAnswer(context: MemoryContext): Promise<MemoryAnswer> {
  const { workspace, positions, token, uriOf } = context;
  const kernels: MemoryNode<Location>[] = [];
  let isCut = false;
  for (const project of workspace.projects()) {
    const names = await project.sources();
    isCut ||= names.length > most;
    const files: FileMemory[] = [];
    for (const name of names.slice(0, most)) {
      if (token.isCancellationRequested) break;
      const memory = await memoryOfFile(name, project, context);
      if (memory !== undefined) files.push(memory);
    }
    const lineOf = (name: string, span: { readonly start: number; readonly end: number }) => positions.rangeOf(name, span)?.start.line ?? 0;
    for (const kernel of merged(files)) {
      const tree = memoryTree(kernel, ({ uri, span }) => `${baseNameOf(uri)}:${lineOf(uri, span) + 1}`);
      kernels.push(
        printed(
          withPlaces(tree, ({ uri, span }) => {
            const range = positions.rangeOf(uri, span);
            return range === undefined ? undefined : { uri: uriOf(uri), range };
          }),
        ),
      );
    }
  }
  return { kernels, isCut };
}

async function memoryOfFile(name: string, project: OpenProject, { isOpen, token, log }: MemoryContext): Promise<FileMemory | undefined> {
  try {
    const report = await project.read(name, "later", token);
    if (report.dialects.length === 0) return undefined;
    const before = known.get(report);
    if (before !== undefined) return before;
    const memory = isOpen(name)
      ? memoryOf((await project.judge(name, token)).partFacts(name))
      : await project.inSteps(function* (service): Steps<FileMemory> {
          return memoryOf(yield* service.partsInSteps(name));
        }, token);
    known.set(report, memory);
    return memory;
  } catch (error) {
    log(name, error);
    return undefined;
  }
}

/** The tree with texts that are safe to show. */
function printed(node: MemoryNode<Location>): MemoryNode<Location> {
  return { ...node, label: printable(node.label), description: printable(node.description), children: node.children.map(printed) };
}
