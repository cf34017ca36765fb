/**
 * Whether clang accepts what a fix makes of a random text. Only texts whose errors we report as well are judged: after any other
 * error clang skips a declaration, and a fix elsewhere may merely change what follows from that.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import { type Fixture, parseFixture } from "../../test/fixtures.ts";
import type { Input } from "../../test/hostile/generators.ts";
import { offersOf } from "../../test/offers.ts";
import { check } from "../../test/service.ts";
import { confirms, passesOf } from "../../test/verdicts.ts";
import { createJudge } from "../fixes/compile.ts";
import { compilerVersions, verdictsOn } from "../oracle/compilers.ts";

/** True if clang can be started. */
export async function hasClang(): Promise<boolean> {
  try {
    return (await compilerVersions()).clang !== "unknown";
  } catch {
    return false;
  }
}

/** The message of the first error that a fix of the text causes, and undefined if none does. */
export async function wrongFix(parser: SyntaxParser, { name, text }: Input): Promise<string | undefined> {
  const language = name.endsWith(".cl") ? "opencl" : /\.cuh?$/.test(name) ? "cuda" : undefined;
  if (language === undefined) return undefined;
  const standard = language === "opencl" ? "CL2.0" : "cuda";
  // The compilers get no flags that a random text chooses.
  const fixture: Fixture = { ...parseFixture(name, [{ name, text }]), language, standards: [standard], flags: [], limits: {} };
  const offers = offersOf(parser, fixture, standard).filter(({ rule }) => rule !== undefined);
  if (offers.length === 0 || !(await areErrorsReported(parser, fixture, name, standard))) return undefined;
  const judge = createJudge(true);
  for (const offer of offers) {
    const wrong = await judge(offer);
    if (wrong !== undefined) return `${offer.name}: ${wrong}`;
  }
  return undefined;
}

/** True if each error of clang is on the line of a finding that it confirms. */
async function areErrorsReported(parser: SyntaxParser, fixture: Fixture, name: string, standard: string): Promise<boolean> {
  const found = check(parser, fixture, standard).filter(({ severity }) => severity === "error");
  const folder = mkdtempSync(join(tmpdir(), "fixes-"));
  try {
    for (const file of fixture.files) writeFileSync(join(folder, file.name), file.text);
    const passes = fixture.language === "cuda" ? passesOf(fixture).filter((pass) => pass.startsWith("clang")) : [standard];
    const verdicts = Object.values(await verdictsOn({ folder, name, flags: [], passes })).flat();
    return verdicts.every(
      (verdict) => verdict.severity !== "error" || found.some(({ rule, line }) => line === verdict.line && confirms(rule, verdict)),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
