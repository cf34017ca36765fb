/** The headless browser that the editor tests drive, where this machine has one. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? places.find(existsSync);

export const hasBrowser = executablePath !== undefined;

/** The reason for skipping tests, for their titles. */
export const withoutBrowser = hasBrowser ? "" : " (skipped: there is no chromium; scripts/install-system-packages.sh installs it)";

const wrongCast = "kernel void k(global int *g) { local int *l = (local int *)g; }\n";

/** The folder that `suite.ts` runs on. */
export const suiteFiles: Readonly<Record<string, string>> = {
  "kernel.cu": "struct S { int a[4]; };\n__global__ void k(__grid_constant__ S s, int *out) {\n  out[0] = s.a[0];\n}\n",
  "declared.cuh": "struct D { int a[9]; };\n__global__ void d(const __grid_constant__ D value);\n",
  "defined.cu": "struct D { int a[9]; };\n__global__ void d(const D value) {}\n",
  "kernel.cl": wrongCast,
  "other/unopened.cl": wrongCast,
  "space.h": "#define SPACE local\n",
  "include.cl": '#include "space.h"\nkernel void k(global int *g) { SPACE int *p = (SPACE int *)g; }\n',
  "wrong.h": "#pragma once\nstruct P { int a; };\n__global__ void h(__grid_constant__ P p);\n",
  "includes.cu": '#include "wrong.h"\n',
  "beside.cl":
    "int first(int *p) { return *p; }\nkernel void scale(constant int *table, global int *out);\nkernel void scale(constant int *table, global int *out) { *out = *table; }\n",
  "host.cpp": `const char *source =\n  "float f(float *p) { return *p; }\\n"\n  "${wrongCast.trimEnd()}";\n`,
  "depends.cl": "kernel void k(global int *g) { int *p = g; *p = 1; }\n",
  "gpu-qualifiers.json": '{ "opencll": {} }\n',
};

export function launchBrowser(): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ ...(executablePath === undefined ? {} : { executablePath }), headless: true, args });
}
