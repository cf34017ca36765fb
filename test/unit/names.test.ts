/** Names of files, and the names that a client's uris are converted to. */
import { describe, expect, it } from "vitest";
import { nameOfUri, uriOfName } from "../../server/src/lsp/protocol/uris.ts";
import { foldersUpTo, isWithin, relativeName, resolveName } from "../../server/src/names.ts";
import { nameOfPath, pathOfName } from "../../server/src/node/node-names.ts";
import { lineIndex } from "../../server/src/project/lines.ts";
import { unless } from "../skips.ts";

describe("names", () => {
  it.each([
    ["file:///a/b", "c.h", "file:///a/b/c.h"],
    ["file:///a/b", "../c.h", "file:///a/c.h"],
    ["file:///a/b", "./x//../c.h", "file:///a/b/c.h"],
    ["file:///a/b", "/c.h", "file:///c.h"],
    ["file:///a", "../../../c.h", "file:///c.h"],
    ["file:///c:/a", "..\\inc\\c.h", "file:///c:/inc/c.h"],
    ["file:///c:/a", "D:\\inc", "file:///d:/inc"],
    ["vscode-vfs://github/o/r", "/inc", "vscode-vfs://github/inc"],
    ["vscode-test-web://mount", "inc", "vscode-test-web://mount/inc"],
  ])("%s with %s is %s", (folder, path, name) => {
    expect(resolveName(folder, path)).toBe(name);
  });

  it("that lie in a folder are recognized", () => {
    expect(isWithin("file:///a/b", "file:///a")).toBe(true);
    expect(isWithin("file:///ab", "file:///a")).toBe(false);
    expect(relativeName("file:///a/b/c", "file:///a")).toBe("b/c");
    expect(relativeName("file:///x", "file:///a")).toBeUndefined();
    expect(foldersUpTo("file:///a/b/c/d.cl", "file:///a")).toEqual(["file:///a/b/c", "file:///a/b", "file:///a"]);
    expect(foldersUpTo("file:///x/d.cl", "file:///a")).toEqual([]);
  });
});

describe("uris", () => {
  it.each([
    ["file:///a%20b/c%23%281%29.cl", "file:///a b/c#(1).cl"],
    ["file:///C%3A/x.cl", "file:///c:/x.cl"],
    ["file:///c:/x.cl", "file:///c:/x.cl"],
    ["file:///100%/x.cl", "file:///100%/x.cl"],
    ["untitled:Untitled-1", "untitled:Untitled-1"],
  ])("%s names %s", (uri, name) => {
    expect(nameOfUri(uri)).toBe(name);
    expect(nameOfUri(uriOfName(name))).toBe(name);
  });

  it("of a virtual workspace's root have a path", () => {
    expect(uriOfName("vscode-test-web://mount")).toBe("vscode-test-web://mount/");
  });
});

describe("paths", () => {
  it.skipIf(process.platform === "win32")(
    `become names and are converted back${unless(process.platform !== "win32", "the system is Windows")}`,
    () => {
      for (const path of ["/a b/c#%20.cl", "/x"]) expect(pathOfName(nameOfPath(path))).toBe(path);
      expect(nameOfPath("b.cl", "/a")).toBe("file:///a/b.cl");
      expect(pathOfName("untitled:x")).toBeUndefined();
    },
  );
});

describe("lines", () => {
  const index = lineIndex("ab\ncd\r\n\re\u{1f600}f");

  it.each([
    [0, 0, 0],
    [2, 0, 2],
    [3, 1, 0],
    [5, 1, 2],
    [7, 2, 0],
    [8, 3, 0],
    [11, 3, 3],
    [99, 3, 4],
    [-1, 0, 0],
  ])("offset %i is in line %i, column %i", (offset, line, column) => {
    expect(index.placeOf(offset)).toEqual({ line, column });
  });

  it("have texts without their ends", () => {
    expect([0, 1, 2, 3, 4].map((line) => index.textOf(line))).toEqual(["ab", "cd", "", "e\u{1f600}f", ""]);
  });
});
