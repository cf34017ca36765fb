/** Asks the front ends of nvcc about one text. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verdictsOn } from "../scripts/oracle/compilers.ts";

/** The errors of nvcc in a text that is one part of a program, in the compilations for the host and for the device. */
export async function nvccErrors(text: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "nvcc-"));
  try {
    writeFileSync(join(folder, "a.cu"), text);
    const verdicts = await verdictsOn({ folder, name: "a.cu", flags: ["-rdc=true"], passes: ["nvcc host", "nvcc device"] });
    return Object.entries(verdicts).flatMap(([pass, list]) =>
      list.filter(({ severity }) => severity === "error").map(({ line, message }) => `${pass}:${line}: ${message}`),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
