/**
 * Runs the compilers on one source: clang for OpenCL in every standard and for HIP, clang and nvcc's own two front ends for CUDA.
 * The front ends run without the toolkit's headers (`shim.h` replaces them), which takes some 50 ms instead of seconds.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { optionalFeatures } from "../../test/fixtures.ts";
import type { Verdict, Verdicts } from "../../test/verdicts.ts";

const run = promisify(execFile);
const shim = join(import.meta.dirname, "shim.h");
const clang = process.env.CLANG ?? "clang-22";
/** Seconds of processor time after which a compiler is killed. A busy machine does not shorten them. */
const patience = 60;

export interface Job {
  /** The folder in which the source is compiled, and its name there. */
  readonly folder: string;
  readonly name: string;
  readonly flags: readonly string[];
  readonly passes: readonly string[];
}

export async function compilerVersions(): Promise<Readonly<Record<string, string>>> {
  const versionOf = async (program: string): Promise<string> =>
    /\bV?(\d+\.\d+\.\d+)\b/.exec(await output(program, ["--version"], "."))?.[1] ?? "unknown";
  return { clang: await versionOf(clang), nvcc: await versionOf("nvcc") };
}

export async function verdictsOn(job: Job): Promise<Verdicts> {
  const verdicts: Record<string, readonly Verdict[]> = {};
  if (job.passes.some((pass) => pass.startsWith("nvcc"))) Object.assign(verdicts, await nvccVerdicts(job));
  for (const pass of job.passes) {
    if (pass.startsWith("nvcc")) continue;
    verdicts[pass] = clangMessages(
      await output(
        clang,
        [...clangFlags(pass), ...job.flags.filter((flag) => !/^-(rdc|arch|xhip|ccbin|-expt)/.test(flag)), job.name],
        job.folder,
      ),
      job.name,
    );
  }
  return Object.fromEntries(job.passes.map((pass) => [pass, verdicts[pass] ?? []]));
}

/** The flags that make clang judge a source by one standard, or in one pass of CUDA or HIP. */
export function clangFlags(pass: string): readonly string[] {
  const common = ["-fsyntax-only", "-fno-caret-diagnostics", "-fno-color-diagnostics", "-ferror-limit=0", "-Wno-unknown-cuda-version"];
  if (pass.startsWith("clang ")) {
    const side = pass === "clang host" ? ["--cuda-host-only"] : ["--cuda-device-only", "--cuda-gpu-arch=sm_80"];
    return ["-x", "cuda", ...side, "-std=c++17", "-nocudainc", "-nocudalib", "-include", shim, ...common];
  }
  if (pass.startsWith("hip ")) {
    const side = pass === "hip host" ? ["--cuda-host-only"] : ["--cuda-device-only", "--offload-arch=gfx906"];
    return ["-x", "hip", ...side, "-std=c++17", "-nogpuinc", "-nogpulib", "-include", shim, ...common];
  }
  const standard =
    pass === "CL3.0min"
      ? ["-cl-std=CL3.0", "-Xclang", `-cl-ext=${optionalFeatures.map((name) => `-${name}`).join(",")}`]
      : [`-cl-std=${pass}`];
  return ["-x", "cl", ...standard, ...common];
}

const clangLine = /^(?:(.*?):(\d+):(\d+):|clang[^:]*:) (?:fatal )?(error|warning): (.*?)(?: \[-W[^\]]*\])?$/;

function clangMessages(text: string, name: string): readonly Verdict[] {
  return verdictsIn(text, name, clangLine);
}

function verdictsIn(text: string, name: string, pattern: RegExp): readonly Verdict[] {
  const found = new Map<string, Verdict>();
  for (const line of text.split("\n")) {
    const match = pattern.exec(line.trimEnd());
    if (match === null) continue;
    const [, file, number, column, severity, message = ""] = match;
    const verdict: Verdict = { line: file === name ? Number(number) : 0, severity: severity === "warning" ? "warning" : "error", message };
    // Templates repeat a message for each instantiation. Two mistakes on one line differ in their columns.
    found.set(JSON.stringify([verdict, column]), verdict);
  }
  return [...found.values()].sort((a, b) => a.line - b.line || (a.message < b.message ? -1 : 1));
}

// ---------------------------------------------------------------- nvcc's front ends

let toolkit: Promise<string> | undefined;

/** The toolkit's folder, found in nvcc's dry run. */
function toolkitFolder(): Promise<string> {
  toolkit ??= output("nvcc", ["--dryrun", "-c", "-x", "cu", "/dev/null"], ".").then((text) => {
    const top = /^#\$ TOP=(.*)$/m.exec(text)?.[1];
    if (top === undefined) throw new Error("nvcc does not say where its toolkit is");
    return top;
  });
  return toolkit;
}

const nvccLine = /^(.*?)\((\d+)\)(): (?:catastrophic )?([Ee]rror|warning)(?: #[\w-]+)?: (.*)$/;

async function nvccVerdicts({ folder, name, flags }: Job): Promise<Verdicts> {
  const top = await toolkitFolder();
  const work = await mkdtemp(join(tmpdir(), "oracle-"));
  try {
    const kept = flags.filter((flag) => /^-[DUI]/.test(flag)).map((flag) => flag.replace(/^-I(?!\/)/, `-I${folder}/`));
    const defines = [
      "-D__CUDACC__",
      "-D__NVCC__",
      "-D__CUDACC_EXTENDED_LAMBDA__",
      ...(flags.includes("-rdc=true") ? ["-D__CUDACC_RDC__"] : []),
    ];
    const standard = flags.find((flag) => flag.startsWith("-std="))?.slice("-std=".length) ?? "c++17";
    const preprocess = ["-E", "-x", "c++", `-std=${standard}`, ...defines, "-include", shim, "-I", dirname(join(folder, name)), ...kept];
    const [host, device] = await Promise.all([
      output("gcc", [...preprocess, name], folder, "stdout"),
      output("gcc", [...preprocess, "-D__CUDA_ARCH__=800", name], folder, "stdout"),
    ]);
    await writeFile(join(work, "host.ii"), host);
    await writeFile(join(work, "device.ii"), device);
    await writeFile(join(work, "module_id"), "_00000000_0_x");
    const common = [
      `--${standard}`,
      "--static-host-stub",
      "--device-hidden-visibility",
      "--gnu_version=120200",
      "--display_error_number",
      "--allow_managed",
      "--extended-lambda",
      ...(flags.includes("--expt-relaxed-constexpr") ? ["--relaxed_constexpr"] : []),
      "--orig_src_file_name",
      name,
      "--orig_src_path_name",
      join(folder, name),
    ];
    const whole = flags.includes("-rdc=true") ? ["--device-c"] : [];
    const hostSays = await output(
      join(top, "bin/cudafe++"),
      [
        ...common,
        ...whole,
        "--m64",
        "--parse_templates",
        "--gen_c_file_name",
        "a.cpp",
        "--stub_file_name",
        "a.stub.c",
        "--gen_module_id_file",
        "--module_id_file_name",
        "module_id",
        "host.ii",
      ],
      work,
    );
    await writeFile(join(work, "module_id"), "_00000000_0_x");
    const deviceSays = await output(
      join(top, "nvvm/bin/cicc"),
      [
        ...common,
        ...whole,
        "-arch",
        "compute_80",
        "-m64",
        "--no-version-ident",
        "-ftz=0",
        "-prec_div=1",
        "-prec_sqrt=1",
        "-fmad=1",
        "--include_file_name",
        "a.fatbin.c",
        "-tused",
        "--module_id_file_name",
        "module_id",
        "--gen_c_file_name",
        "a.c",
        "--stub_file_name",
        "a.stub.c",
        "--gen_device_file_name",
        "a.gpu",
        "device.ii",
        "-o",
        "a.ptx",
      ],
      work,
    );
    return { "nvcc host": verdictsIn(hostSays, name, nvccLine), "nvcc device": verdictsIn(deviceSays, name, nvccLine) };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The output of a program, whether or not it succeeds; failing to start it is an error. */
async function output(program: string, args: readonly string[], folder: string, which: "both" | "stdout" = "both"): Promise<string> {
  try {
    const limited = ["-c", `ulimit -t ${patience}; exec "$0" "$@"`, program, ...args];
    const { stdout, stderr } = await run("/bin/sh", limited, { cwd: folder, maxBuffer: 1 << 26 });
    return which === "stdout" ? stdout : stdout + stderr;
  } catch (error) {
    if (isFailure(error) && !notStarted.includes(error.code)) return which === "stdout" ? error.stdout : error.stdout + error.stderr;
    throw error;
  }
}

/** What the shell says of a program that it cannot start. */
const notStarted: readonly number[] = [126, 127];

function isFailure(error: unknown): error is { readonly code: number; readonly stdout: string; readonly stderr: string } {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    typeof error.code === "number" &&
    "stdout" in error &&
    "stderr" in error
  );
}
