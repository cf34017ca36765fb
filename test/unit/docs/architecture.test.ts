/** ARCHITECTURE.md and SECURITY.md name only files and folders that exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
const folders = ["server", "test", "scripts", "bench", "client", "grammars", "docs"];
const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `/${folder}/${path.replaceAll("\\", "/")}`),
);

/** What a page names as code. */
function codeIn(page: string): readonly string[] {
  const prose = readFileSync(join(root, page), "utf8").replace(/^```.*?^```/gms, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);
}

it("ARCHITECTURE.md names only files and folders that exist", () => {
  const named = codeIn("server/ARCHITECTURE.md").filter((name) => /^[\w./*-]+(?:\/|\.(?:ts|mts|mjs|cjs|js|md|json|wasm))$/.test(name));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

it("SECURITY.md names only code and tests that exist", () => {
  const named = codeIn("SECURITY.md").filter((name) => /^(?:(?:server|client|test|grammars)\/[\w./-]*|[\w.-]+\.test\.ts)$/.test(name));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

/** True if a path ends with the name, in which `*` stands for a part of a name. */
function isThere(name: string): boolean {
  const parts = name.replace(/\/$/, "").split("*");
  const end = new RegExp(`/${parts.map((part) => part.replaceAll(".", "\\.")).join("[^/]*")}$`);
  return existsSync(join(root, name)) || paths.some((path) => end.test(path));
}
