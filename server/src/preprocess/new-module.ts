/** Creates the state of a file that becomes a unit of its own, with the macros whose values depend on the place of their use. */
import { countUpTo } from "../lists.ts";
import { limitsOf } from "./costs.ts";
import type { Expander } from "./macros/expand.ts";
import type { MacroToken } from "./macros/macro-tokens.ts";
import type { Environment, Macro } from "./macros/macros.ts";
import type { Job, Module, SourceFile } from "./module.ts";
import { createIncludeQuestions } from "./resolve.ts";
import { fileOfPiece } from "./row.ts";
import { createViewWriter } from "./view/view-writer.ts";

/** The state before a file's first token. `chain` are the files that are being read, this one last. */
export function createModule(
  job: Job,
  environment: Environment,
  chain: string[],
  uri: string,
  linesBefore: number,
  alignsFrom = Number.POSITIVE_INFINITY,
): Module {
  const expander: Expander = {
    interner: job.interner,
    isStrictC: job.mode.isStrictC,
    budget: { left: 0 },
    macroOf: (id) => {
      const macro = environment.get(id);
      if (macro?.isOfOnePass === true) module.hasTestedPass = true;
      if (macro === undefined || !job.oversizedMacros.has(id)) return macro;
      module.isDegraded = true;
      return undefined;
    },
    dynamic: (macro, token) => dynamicText(module, macro, token),
  };
  const module: Module = {
    job,
    limits: limitsOf(job),
    uri,
    chain,
    environment,
    writer: createViewWriter(),
    expander,
    includes: [],
    notes: [],
    inactiveBranches: [],
    switches: [],
    unrolls: [],
    ofOnePass: [],
    spliced: new Set(),
    questions: createIncludeQuestions(),
    unread: new Set(),
    // A piece has a name of its own, which no change names, and a number for each would stay for ever.
    files: new Set(fileOfPiece(uri) === undefined ? [job.interner.idOf(uri)] : []),
    decisions: new Map(),
    stack: [],
    depth: 0,
    lowest: 0,
    scopes: 0,
    head: "nothing",
    hasTorn: false,
    brackets: [],
    last: 0,
    sinceEnd: 0,
    isCollecting: false,
    isDegraded: false,
    isRefused: false,
    usesCounter: false,
    usesLine: false,
    linesBefore,
    hasTestedPass: false,
    alignsFrom,
    trials: 16,
    follower: undefined,
  };
  return module;
}

function dynamicText(module: Module, { name }: Macro, token: MacroToken): string {
  const reading = module.stack[module.stack.length - 1];
  const nameOf = (name: string) => {
    const uri = fileOfPiece(name) ?? name;
    return JSON.stringify(uri.slice(uri.lastIndexOf("/") + 1));
  };
  switch (name) {
    case "__COUNTER__": {
      module.usesCounter = true;
      module.job.counter += 1;
      return String(module.job.counter - 1);
    }
    case "__INCLUDE_LEVEL__":
      return String(module.chain.length - 1);
    case "__BASE_FILE__":
      return nameOf(module.chain[0] ?? "");
    case "__LINE__": {
      if (reading === undefined) return "0";
      // The line of the author's token. For a token from a macro's body, it is the line in which the invocation ends, as in clang.
      const last = token.via?.last ?? (token.index >= 0 ? token.index : reading.at - 1);
      module.usesLine = true;
      return String(module.linesBefore + lineOf(reading.file, reading.file.tokens.starts[last] ?? 0));
    }
    default:
      return nameOf(reading?.file.uri ?? module.uri);
  }
}

function lineOf(file: SourceFile, offset: number): number {
  const lines = file.lines ?? lineStarts(file.tokens.text);
  file.lines = lines;
  return countUpTo(lines.length, (index) => lines[index], offset);
}

function lineStarts(text: string): Int32Array {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return Int32Array.from(starts);
}
