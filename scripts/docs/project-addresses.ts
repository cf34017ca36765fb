/**
 * The project's address, its version and its last release in pages and in the files for registries. Each has one source: the address
 * is `repository` in `server/src/cli/home.ts`, the version is that of `package.json`, and the last release is the first one with a
 * date in `CHANGELOG.md`. Before there is an address, and a release, OWNER and COMMIT stand for them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { home } from "../../server/src/cli/home.ts";

const root = join(import.meta.dirname, "../..");

/** The files that name one of the three, from the root. */
export const filesWithAddresses: readonly string[] = [
  "MODULE.bazel",
  "docs/command-line.md",
  "docs/editors.md",
  "grammars/opencl/tree-sitter.json",
  "integrations/emacs/gpu-qualifiers.el",
  "integrations/helix/languages.toml",
  "integrations/mason/package.yaml",
  "integrations/zed/Cargo.toml",
  "integrations/zed/extension.toml",
];

/** What pages and registries say about the project. */
export interface Project {
  readonly version: string;
  /** The address of the repository, and the one that the files have so far. */
  readonly repository: string | undefined;
  readonly formerRepository: string | undefined;
  /** The tag of the last release. */
  readonly release: string | undefined;
}

/** The project as its sources describe it. */
export function thisProject(): Project {
  const { version, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly version: string;
    readonly repository?: { readonly url: string };
  };
  return {
    version,
    repository: home.repository,
    formerRepository: repository?.url.replace(/^git\+|\.git$/g, ""),
    release: lastRelease(readFileSync(join(root, "CHANGELOG.md"), "utf8")),
  };
}

/** The tag of the first release with a date in a changelog. */
export function lastRelease(changelog: string): string | undefined {
  const version = /^## (\S+) \(\d{4}-\d{2}-\d{2}\)$/m.exec(changelog)?.[1];
  return version === undefined ? undefined : `v${version}`;
}

const placeholder = "https://github.com/OWNER/gpu-qualifiers";

/** The text of one of these files with the project's address, version and release. */
export function withProject(text: string, { version, repository, formerRepository, release }: Project): string {
  let filled = text
    .replace(/(gpu-qualifiers[-@]|name = "gpu_qualifiers", version = ")\d+\.\d+\.\d+(?=\.tgz|["'\s])/g, `$1${version}`)
    .replace(/^(;; Version: |\s*version = "|\s*"version": ")\d+\.\d+\.\d+/gm, `$1${version}`);
  if (repository !== undefined) {
    const { pathname } = new URL(repository);
    const name = (address: string) => new URL(address).pathname.slice(1);
    for (const former of [placeholder, formerRepository ?? placeholder])
      filled = filled
        .replaceAll(former, repository)
        .replaceAll(`${name(former)}@`, `${name(repository)}@`)
        .replaceAll("git+https://ADDRESS-OF-THE-REPOSITORY", `git+${repository}.git`)
        .replace(/^authors = \["OWNER"\]/m, `authors = ["${pathname.split("/")[1]}"]`);
  }
  if (release === undefined) return filled;
  const note = /(?:\s+# of the repository; a tag does as well, once there is one)?/.source;
  return filled.replace(new RegExp(`(rev: |rev = "|/[\\w.-]+@)(?:COMMIT|v\\d+\\.\\d+\\.\\d+)(?="|\\s|$)${note}`, "gm"), `$1${release}`);
}
