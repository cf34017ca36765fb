/** The view *GPU Memory*: the server's tree of kernels and their memory. It asks again after each check of a document. */
import { type Disposable, EventEmitter, l10n, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState, window } from "vscode";
import { type BaseLanguageClient, ExecuteCommandRequest, type Location } from "vscode-languageclient";
import type { MemoryNode } from "../../server/src/editor/memory/tree.ts";
import type { MemoryAnswer } from "../../server/src/lsp/session/memory-view.ts";

type Node = MemoryNode<Location>;

const icons: Readonly<Record<Node["kind"], string>> = {
  kernel: "symbol-function",
  memory: "database",
  object: "symbol-variable",
  copy: "copy",
  instance: "symbol-class",
  launch: "run",
};

/** How long the view waits for further checks before it asks again, in milliseconds. */
const pause = 300;

/** Shows the view as long as the client lives; `onDidCheck` reports that a document has been checked. */
export function showMemory(client: BaseLanguageClient, onDidCheck: (listener: () => void) => Disposable): Disposable {
  const changed = new EventEmitter<void>();
  const provider: TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => itemOf(node, client),
    async getChildren(node) {
      if (node !== undefined) return [...node.children];
      const answer: MemoryAnswer | null = await client.sendRequest(ExecuteCommandRequest.type, { command: "gpu-qualifiers.memory" });
      view.message = answer?.isCut === true ? l10n.t("The folder has more files than are shown.") : "";
      return [...(answer?.kernels ?? [])];
    },
  };
  const view = window.createTreeView("gpuQualifiers.memory", { treeDataProvider: provider, showCollapseAll: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refreshSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => changed.fire(), pause);
  };
  const listeners = [
    view,
    changed,
    // A view that is not visible asks for nothing; it asks when it becomes visible.
    onDidCheck(refreshSoon),
    view.onDidChangeVisibility(({ visible }) => (visible ? refreshSoon() : undefined)),
  ];
  return {
    dispose() {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    },
  };
}

function itemOf({ kind, label, description, location, children }: Node, client: BaseLanguageClient): TreeItem {
  const item = new TreeItem(label, children.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.description = description;
  item.tooltip = `${label}: ${description}`;
  item.iconPath = new ThemeIcon(icons[kind]);
  item.contextValue = kind;
  if (location !== undefined) {
    const { uri, range } = client.protocol2CodeConverter.asLocation(location);
    item.command = { title: l10n.t("Open"), command: "vscode.open", arguments: [uri, { selection: range }] };
  }
  return item;
}
