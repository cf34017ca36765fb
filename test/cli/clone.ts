/** Clones of this repository, for tests of what starts from one. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderWith } from "./run.ts";

const root = join(import.meta.dirname, "../..");

/** Runs git in a folder, as an author of its own. */
export const git = (folder: string, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });

/** A clone without ignored files; returns its folder and its commit. */
export function cloned(): { readonly clone: string; readonly commit: string } {
  const clone = join(folderWith({}), "clone");
  git(root, "clone", "--quiet", root, clone);
  const changed = [
    ...git(root, "diff", "HEAD", "--name-only", "-z").split("\0"),
    ...git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0"),
  ];
  for (const path of new Set(changed)) {
    if (path === "") continue;
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    if (existsSync(join(root, path))) cpSync(join(root, path), join(clone, path));
    else git(clone, "rm", "--quiet", path);
  }
  git(clone, "add", "--all");
  git(clone, "commit", "--quiet", "--allow-empty", "--message", "as it is");
  return { clone, commit: git(clone, "rev-parse", "HEAD").trim() };
}
