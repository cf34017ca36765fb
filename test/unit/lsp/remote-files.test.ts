/** Files that only the client can read, as in a browser's worker. */
import { describe, expect, it } from "vitest";
import type { Connection } from "vscode-languageserver";
import { openProjectIn } from "../../../server/src/lsp/projects/open-project.ts";
import { createRemoteFiles } from "../../../server/src/lsp/projects/remote-files.ts";
import { createTaskQueue } from "../../../server/src/lsp/scheduling/task-queue.ts";
import { testParser } from "../../service.ts";

const root = "vscode-vfs://github/o/r";

/** A client with these files that counts its requests. */
function clientWith(files: Map<string, string>) {
  const asked: string[] = [];
  const errors: string[] = [];
  const connection = {
    console: { error: (message: string) => void errors.push(message) },
    async sendRequest(method: string, { uri }: { uri: string }) {
      asked.push(`${method.replace("gpu-qualifiers/", "")} ${uri}`);
      if (method.endsWith("listFiles")) return { uris: [...files.keys()] };
      return { text: files.get(uri) };
    },
  } as unknown as Connection;
  return { asked, errors, connection };
}

describe("remote files", () => {
  it("are unread until they have been fetched, and absent if they are not in the list", async () => {
    const { asked, connection } = clientWith(new Map([[`${root}/a%20b.cl`, "kernel"]]));
    const files = createRemoteFiles(connection, root, () => false);
    expect(files.read(`${root}/a b.cl`)).toBe("unread");
    await files.fetch([`${root}/a b.cl`, `${root}/gpu-qualifiers.json`]);
    expect(files.read(`${root}/a b.cl`)).toBe("kernel");
    expect(files.read(`${root}/gpu-qualifiers.json`)).toBe("absent");
    // A file that is not in the list is not requested.
    expect(asked).toEqual([`listFiles ${root}`, `readFile ${root}/a%20b.cl`]);
    expect(files.read("vscode-vfs://github/other/x.cl")).toBe("absent");
  });

  it("are listed without ignored and excluded files", async () => {
    const names = [".gitignore", "a.cl", "out/b.cl", "node_modules/c.cl", "third_party/d.cl", "readme.md"];
    const { connection } = clientWith(new Map(names.map((name) => [`${root}/${name}`, name === ".gitignore" ? "out/\n" : ""])));
    const files = createRemoteFiles(connection, root, (name) => name.includes("/third_party/"));
    await files.fetch([]);
    expect(files.list()).toEqual([`${root}/a.cl`]);
  });

  it("keep their list as long as no file is added or removed", async () => {
    const names = ["a.cl", "b.cl"].map((name) => `${root}/${name}`);
    const texts = new Map(names.map((name) => [name, ""]));
    const { connection } = clientWith(texts);
    const files = createRemoteFiles(connection, root, () => false);
    await files.fetch([`${root}/a.cl`]);
    const listed = files.list();
    expect(listed).toEqual(names);
    expect(files.list()).toBe(listed);
    files.changed([`${root}/c.cl`]);
    expect(files.list()).toEqual([...names, `${root}/c.cl`]);
  });

  it("are listed again when a folder is moved in, and forgotten with their folder", async () => {
    const texts = new Map([[`${root}/a.cl`, ""]]);
    const { connection } = clientWith(texts);
    const files = createRemoteFiles(connection, root, () => false);
    await files.fetch([`${root}/a.cl`]);
    texts.set(`${root}/sub/h.h`, "typedef int t;");
    expect(files.changedFolders([`${root}/sub`]).folders).toEqual(new Set([`${root}/sub`]));
    await files.fetch([`${root}/sub/h.h`]);
    expect(files.list()).toEqual([`${root}/a.cl`, `${root}/sub/h.h`]);
    expect(files.read(`${root}/sub/h.h`)).toBe("typedef int t;");
    texts.delete(`${root}/sub/h.h`);
    expect(files.changedFolders([`${root}/sub`]).files).toEqual([`${root}/sub/h.h`]);
    await files.fetch([]);
    expect(files.list()).toEqual([`${root}/a.cl`]);
    expect(files.read(`${root}/sub/h.h`)).toBe("absent");
    // A new file is not a folder.
    expect(files.changedFolders([`${root}/image.png`])).toEqual({ folders: new Set(), files: [] });
  });

  it("name those that have not arrived yet", async () => {
    const names = ["a.cl", "b.h", "readme.md"].map((name) => `${root}/${name}`);
    const { connection } = clientWith(new Map(names.map((name) => [name, ""])));
    const files = createRemoteFiles(connection, root, () => false);
    // Nothing is known before the list arrives.
    expect(files.unread?.()).toBeUndefined();
    await files.fetch([`${root}/a.cl`]);
    expect(files.unread?.()).toEqual([`${root}/b.h`]);
    files.changed([`${root}/a.cl`]);
    expect(files.unread?.()).toEqual([`${root}/a.cl`, `${root}/b.h`]);
  });

  it("follow changed, new and deleted files", async () => {
    const stored = new Map([[`${root}/a.cl`, "old"]]);
    const { connection } = clientWith(stored);
    const files = createRemoteFiles(connection, root, () => false);
    await files.fetch([`${root}/a.cl`]);
    stored.set(`${root}/a.cl`, "new").set(`${root}/b.cl`, "b");
    files.changed([`${root}/a.cl`, `${root}/b.cl`]);
    expect(files.read(`${root}/a.cl`)).toBe("unread");
    await files.fetch([`${root}/a.cl`, `${root}/b.cl`]);
    expect([files.read(`${root}/a.cl`), files.read(`${root}/b.cl`)]).toEqual(["new", "b"]);
    stored.delete(`${root}/b.cl`);
    files.changed([`${root}/b.cl`]);
    await files.fetch([`${root}/b.cl`]);
    expect(files.read(`${root}/b.cl`)).toBe("absent");
    expect(files.list()).toEqual([`${root}/a.cl`]);
  });

  it("of a client that fails are absent, and the failure is logged", async () => {
    const errors: string[] = [];
    const connection = {
      console: { error: (message: string) => void errors.push(message) },
      sendRequest: () => Promise.reject(new Error("no")),
    } as unknown as Connection;
    const files = createRemoteFiles(connection, root, () => false);
    await files.fetch([`${root}/a.cl`]);
    expect(files.read(`${root}/a.cl`)).toBe("absent");
    expect(errors).toHaveLength(1);
  });
});

describe("hosts with kernels in literals", () => {
  const host = 'const char *source = R"CLC(kernel void k(global int *p) { local int n = 0; *p = n; })CLC";\n';
  const files = new Map([
    [`${root}/plain.cpp`, "int main() { return 0; }\n"],
    [`${root}/one.cpp`, host],
    [`${root}/notes.md`, host],
    [`${root}/two.cpp`, host],
  ]);

  async function open(backgroundLimit: number) {
    const parser = await testParser();
    const { asked, connection } = clientWith(files);
    const platform = {
      loadParser: testParser,
      openFiles: () => createRemoteFiles(connection, root, () => false),
      rootOf: () => root,
      backgroundLimit,
      documentation: undefined,
    };
    const context = { platform, parser, queue: createTaskQueue(), documentOf: () => undefined, documentNames: () => [] };
    return { asked, project: openProjectIn(root, context, {}) };
  }

  it("are fetched and checked with their workspace, each once", async () => {
    const { asked, project } = await open(200);
    const hosts = [`${root}/one.cpp`, `${root}/two.cpp`];
    expect(await project.sources()).toEqual(hosts);
    expect(await project.sources()).toEqual(hosts);
    expect(asked.filter((request) => request.startsWith("readFile"))).toHaveLength(3);
    const { diagnostics } = await project.check(`${root}/two.cpp`, "later");
    expect(diagnostics.map(({ rule }) => rule)).toEqual(["local-initializer"]);
    project.close();
  });

  it("are not all fetched in a large workspace", async () => {
    const { project } = await open(2);
    expect(await project.sources()).toEqual([`${root}/one.cpp`]);
    expect(await project.sources()).toEqual([`${root}/one.cpp`]);
    project.close();
  });
});
