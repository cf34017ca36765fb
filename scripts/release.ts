/**
 * `npm run release -- VERSION`: makes the commit and the tag of a release. Pushing the tag starts `.github/workflows/release.yml`, which
 * builds what is published with `npm run release -- --artifacts` and signs where it came from. `--dry-run` does all of this in a clone in
 * a temporary folder, publishes nothing, and prints the folder. The address of the project is in `server/src/cli/home.ts`.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const source = "server/src/cli/home.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    artifacts: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    date: { type: "string", default: new Date().toISOString().slice(0, 10) },
  },
});

/** Ends the program with the reasons why there can be no release. */
function refuse(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  for (const reason of reasons) console.error(`release: ${reason}`);
  process.exit(2);
}

interface Tools {
  run(command: string, ...args: readonly string[]): string;
  read(path: string): string;
  write(path: string, text: string): void;
}

function toolsIn(folder: string): Tools {
  return {
    // What a command prints for people goes to standard error.
    run: (command, ...args) =>
      execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", 2], maxBuffer: 2 ** 26 }),
    read: (path) => readFileSync(join(folder, path), "utf8"),
    write: (path, text) => writeFileSync(join(folder, path), text),
  };
}

const heading = (version: string, state: string) => `## ${version} (${state})`;
const firstHeading = /^## (\S+) \(([^)]*)\)$/m;

/** The section of a version in the changelog, without its heading. */
function notesOf(changelog: string, version: string): string {
  const [, after = ""] = changelog.split(new RegExp(`^## ${version.replaceAll(".", "\\.")} \\([^)]*\\)$`, "m"));
  return `${after.split(/^## /m)[0]?.trim() ?? ""}\n`;
}

/** Why the folder is not ready for a release of the version. */
function obstacles({ run, read }: Tools, version: string): readonly string[] {
  const [, topmost = "", state = ""] = firstHeading.exec(read("CHANGELOG.md")) ?? [];
  const present = JSON.parse(read("package.json")) as { readonly version: string };
  return [
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`'${version}' is not a version such as 1.2.3`]),
    ...(compared(version, present.version) < 0 ? [`${version} is older than ${present.version} in package.json`] : []),
    ...(state === "unreleased"
      ? []
      : [`CHANGELOG.md begins with ${topmost}, which is released; '## ${version} (unreleased)' must come first`]),
    ...(run("git", "status", "--porcelain") === "" ? [] : ["there are changes that are not committed"]),
    ...(run("git", "tag", "--list", `v${version}`) === "" ? [] : [`the tag v${version} exists`]),
    ...(hasAddress(read) ? [] : [`the project has no address: its owner enters it in ${source}`]),
  ];
}

function hasAddress(read: Tools["read"]): boolean {
  return /^export const home: Home = \{[^}]*repository: "https:\/\/[^"]+"/m.test(read(source));
}

function compared(one: string, other: string): number {
  const numbers = (version: string) => version.split(".").map(Number);
  const [a, b] = [numbers(one), numbers(other)];
  return a.map((number, index) => number - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Enters the version and the date everywhere, and makes the commit and the tag. */
function prepare({ run, read, write }: Tools, version: string, date: string): void {
  const changelog = read("CHANGELOG.md").replace(firstHeading, heading(version, date));
  write("CHANGELOG.md", changelog);
  const former = (JSON.parse(read("package.json")) as { readonly version: string }).version;
  write("package.json", read("package.json").replace(`"version": "${former}"`, `"version": "${version}"`));
  // The first two versions of the lock file are those of the project.
  let count = 0;
  write(
    "package-lock.json",
    read("package-lock.json").replaceAll(/"version": "[^"]+"/g, (text) => (++count <= 2 ? `"version": "${version}"` : text)),
  );
  run("npm", "run", "--silent", "docs");
  run("git", "add", "--all");
  run("git", "commit", "--quiet", "--message", `release: ${version}`);
  run(
    "git",
    "tag",
    "--annotate",
    `v${version}`,
    "--cleanup=verbatim",
    "--message",
    `gpu-qualifiers ${version}\n\n${notesOf(changelog, version)}`,
  );
}

/** Builds what is published into `dist/release/`; returns the folder. */
function buildArtifacts(folder: string): string {
  const { run, read, write } = toolsIn(folder);
  const to = join(folder, "dist/release");
  run("npm", "run", "--silent", "build");
  run("npm", "run", "--silent", "package");
  run("npm", "run", "--silent", "playground", "--", "--build");
  const { version } = JSON.parse(read("package.json")) as { readonly version: string };
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  run("npx", "--no-install", "tsx", "scripts/pack.ts", to);
  copyFileSync(join(folder, "dist/gpu-qualifiers.vsix"), join(to, `gpu-qualifiers-${version}.vsix`));
  copyFileSync(join(folder, "client/playground/dist/index.html"), join(to, `gpu-qualifiers-${version}-playground.html`));
  const sums = readdirSync(to)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(to, name)))
          .digest("hex")}  ${name}\n`,
    );
  write("dist/release/SHA256SUMS", sums.join(""));
  write("dist/release/notes.md", notesOf(read("CHANGELOG.md"), version));
  // The repository for pre-commit gets these files and the same tag.
  cpSync(join(folder, "integrations/pre-commit"), join(to, "pre-commit"), { recursive: true });
  return to;
}

/** A clone without ignored files, which uses the packages that are installed here. */
function temporaryClone(): string {
  const clone = join(mkdtempSync(join(tmpdir(), "gpu-qualifiers-release-")), "clone");
  execFileSync("git", ["clone", "--quiet", root, clone], { stdio: ["ignore", "ignore", 2] });
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  // The link is not the folder that is ignored.
  appendFileSync(join(clone, ".git/info/exclude"), "/node_modules\n");
  return clone;
}

if (values.artifacts) console.log(buildArtifacts(root));
else {
  const [version = ""] = positionals;
  const folder = values["dry-run"] ? temporaryClone() : root;
  const tools = toolsIn(folder);
  const reasons = obstacles(tools, version);
  if (values["dry-run"]) {
    // A trial is possible before the project has an address.
    refuse(reasons.filter((reason) => !reason.includes(source)));
    for (const reason of reasons) console.error(`a release would be refused: ${reason}`);
  } else refuse(reasons);
  prepare(tools, version, values.date);
  if (values["dry-run"]) {
    const to = buildArtifacts(folder);
    const [archive = ""] = readdirSync(to).filter((name) => name.endsWith(".tgz"));
    tools.run("npm", "publish", "--dry-run", "--ignore-scripts", "--access", "public", join(to, archive));
    console.log(to);
  } else console.log(`made the commit and the tag v${version}: 'git push --follow-tags' publishes them`);
}
