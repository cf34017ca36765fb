/**
 * Builds `tree-sitter-gpu.wasm` from `grammar.js` on a Debian machine: tree-sitter's generator comes from Debian's package
 * (unpacked beside the machine's own libraries where it needs newer ones), the wasm from clang and lld without emscripten.
 * Everything in between stays in `.cache/grammar`. `node grammars/build.mjs [output.wasm]`; needs clang-22, lld-22, apt, npm.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const cache = resolve(here, "../.cache/grammar");
/** 0.22 writes parsers of ABI 14. Trixie is the Debian that has it. */
const generatorVersion = "0.22.6";
const suite = "trixie";

const run = (command, args, options = {}) => execFileSync(command, args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8", ...options });

/** Builds into `output`; gives its SHA-256. */
export function build(output) {
  requireTools(["npm", "clang-22", "wasm-ld-22"]);
  mkdirSync(join(cache, "src"), { recursive: true });
  run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: here });
  generate();
  // The scanner for raw strings is tree-sitter-cpp's; its functions carry the grammar's name.
  const scanner = readFileSync(join(here, "node_modules/tree-sitter-cpp/src/scanner.c"), "utf8");
  writeFileSync(join(cache, "src/scanner.c"), scanner.replaceAll("tree_sitter_cpp_", "tree_sitter_gpu_"));
  compile(output);
  return sha256(output);
}

/** Fails before the minutes of work that a missing program would make useless. The generator is looked for, or downloaded, here. */
function requireTools(tools) {
  const missing = tools.filter((tool) => spawnSync(tool, ["--version"]).status !== 0);
  if (missing.length > 0) throw new Error(`install these first: ${missing.join(", ")} (scripts/install-system-packages.sh does)`);
  generator();
}

/** The files that a build is made from, as lines of `sha256sum`. */
export function sources() {
  const files = ["grammar.js", "build.mjs", "package-lock.json", ...readdirSync(join(here, "shims")).sort().map((name) => `shims/${name}`)];
  return files.map((name) => `${sha256(join(here, name))}  ${name}\n`).join("");
}

/** Everything that a build is made from, compilers included, as a text. */
export function inputs() {
  return [sources(), ...["clang-22", "wasm-ld-22"].map((tool) => run(tool, ["--version"]))].join("");
}

export function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function generate() {
  const [command, ...first] = generator();
  run(command, [...first, "generate", "--no-bindings", join(here, "grammar.js")], { cwd: cache, maxBuffer: 1 << 26 });
}

/**
 * The command that starts a version of the generator: the machine's own, or the one of a release of Debian through its own loader and
 * C library.
 */
export function generator(version = generatorVersion, release = suite) {
  const own = spawnSync("tree-sitter", ["--version"], { encoding: "utf8" });
  if (own.status === 0 && own.stdout.includes(version)) return ["tree-sitter"];
  const root = join(cache, release === suite ? "debian" : release);
  const program = join(root, "usr/bin/tree-sitter");
  if (!existsSync(program)) unpackGenerator(root, release);
  const libraries = libraryFolder(root);
  return [join(libraries, readdirSync(libraries).find((name) => name.startsWith("ld-linux"))), "--library-path", libraries, program];
}

function libraryFolder(root) {
  const folder = join(root, "usr/lib");
  const machine = readdirSync(folder).find((name) => name.endsWith("-linux-gnu"));
  if (machine === undefined) throw new Error(`no libraries in ${folder}`);
  return join(folder, machine);
}

/** Downloads and unpacks Debian's packages with lists of their own; the machine's packages and lists stay as they are. */
function unpackGenerator(root, release) {
  const apt = join(cache, `apt-${release}`);
  rmSync(root, { recursive: true, force: true });
  for (const folder of ["lists/partial", "archives/partial"]) mkdirSync(join(apt, folder), { recursive: true });
  mkdirSync(root, { recursive: true });
  writeFileSync(join(apt, "sources.list"), `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror()} ${release} main\n`);
  const settings = [
    `Dir::Etc::sourcelist "${join(apt, "sources.list")}";`,
    'Dir::Etc::sourceparts "/dev/null";',
    `Dir::State::lists "${join(apt, "lists")}";`,
    `Dir::Cache "${apt}";`,
    'Acquire::Languages "none";',
  ];
  writeFileSync(join(apt, "apt.conf"), settings.join("\n"));
  const options = { cwd: root, env: { ...process.env, APT_CONFIG: join(apt, "apt.conf") } };
  run("apt-get", ["update"], options);
  run("apt-get", ["download", "tree-sitter-cli", "libc6", "libgcc-s1"], options);
  for (const name of readdirSync(root).filter((name) => name.endsWith(".deb"))) run("dpkg", ["-x", join(root, name), root]);
}

/** The Debian mirror that the machine itself uses. */
function mirror() {
  const folder = "/etc/apt/sources.list.d";
  const files = ["/etc/apt/sources.list", ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])];
  for (const file of files.filter(existsSync)) {
    const found = /^(?:URIs:|deb(?: \[[^\]]*\])?)\s+(\S+\/debian\/?)(?:\s|$)/m.exec(readFileSync(file, "utf8"));
    if (found?.[1] !== undefined) return found[1];
  }
  throw new Error("no Debian mirror in /etc/apt");
}

/** Compiles the generated sources of a grammar into a wasm that exports its language. */
export function compile(output, folder = cache, name = "gpu", sources = ["src/parser.c", "src/scanner.c"]) {
  const arguments_ = [
    "--target=wasm32-unknown-unknown", "-Os", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-DNDEBUG", "-nostdlib",
    "-isystem", join(here, "shims"), "-I", "src", "-shared",
    "-Wl,--experimental-pic", "-Wl,--no-entry", "-Wl,--allow-undefined", `-Wl,--export=tree_sitter_${name}`, "-Wl,-s",
    ...sources, "-o", output,
  ];
  run("clang-22", arguments_, { cwd: folder });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const output = resolve(process.argv[2] ?? join(here, "tree-sitter-gpu.wasm"));
  const hash = build(output);
  if (process.argv[2] === undefined) writeFileSync(`${output}.sha256`, `${hash}  tree-sitter-gpu.wasm\n${sources()}`);
  console.log(`${hash}  ${output}`);
}
