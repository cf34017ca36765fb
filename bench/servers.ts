/**
 * The servers that are compared: ours as it is built, and clangd if it is installed, with the files that it needs to read the
 * sources.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { v8Flags } from "../client/src/v8-flags.ts";
import type { ServerCommand } from "./editor.ts";
import type { Language } from "./generate.ts";

export type ServerName = "gpu-qualifiers" | "clangd";

const clangd = process.env.CLANGD ?? "clangd-22";

/** The version of an installed server; undefined if it is not installed. */
export function versionOf(server: ServerName): string | undefined {
  if (server === "gpu-qualifiers") return "this one";
  const { stdout, status } = spawnSync(clangd, ["--version"], { encoding: "utf8" });
  return status === 0 ? /clangd version (\S+)/.exec(stdout)?.[1] : undefined;
}

/**
 * The command that starts a server for files in the folder, ours as the extension starts it. Compilers need CUDA's declarations.
 * Instead of CUDA's own headers, clangd gets the few declarations that the files use, which is less work for it.
 */
export function commandOf(server: ServerName, language: Language, folder: string, nodeFlags: readonly string[] = []): ServerCommand {
  if (server === "gpu-qualifiers")
    return {
      command: process.execPath,
      parameters: [...v8Flags, ...nodeFlags, join(import.meta.dirname, "../dist/server-node.js"), "--stdio"],
      folder,
    };
  const header = join(folder, "cuda-words.h");
  writeFileSync(header, cudaWords);
  const flags =
    language === "cuda"
      ? ["-xcuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-std=c++17", "-include", header]
      : ["-xcl", "-cl-std=CL2.0"];
  writeFileSync(join(folder, "compile_flags.txt"), `${[...flags, "-ferror-limit=0"].join("\n")}\n`);
  return { command: clangd, parameters: ["--background-index=false", "--clang-tidy=false", "--pch-storage=memory", "--log=error"], folder };
}

const cudaWords = `#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ inline __attribute__((always_inline))
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
typedef struct CUstream_st *cudaStream_t;
unsigned __cudaPushCallConfiguration(dim3, dim3, unsigned long = 0, void * = nullptr);
int cudaConfigureCall(dim3, dim3, unsigned long = 0, cudaStream_t = nullptr);
__device__ void __syncthreads();
__device__ float __shfl_down_sync(unsigned, float, int);
__device__ float fmaxf(float, float);
`;
