/**
 * How each kind of work is tried, what counts as one input or edit of it, and how a failing one is made smaller. `plan.ts` decides
 * which is tried when.
 */
import fc from "fast-check";
import type { SyntaxParser } from "../../server/src/syntax/parser.ts";
import {
  gentleSession,
  type Input,
  input,
  type Session,
  session,
  smallInput,
  smallSession,
  tinyInput,
} from "../../test/hostile/generators.ts";
import { step, takeAll } from "../../test/hostile/projects.ts";
import { type Folder, folder } from "../../test/hostile/settings-files.ts";
import {
  editLikeFresh,
  minimized,
  minimizedParts,
  minimizedText,
  minimizedTyping,
  survive,
  surviveSettings,
  type Typing,
  typingOf,
} from "../../test/hostile/survive.ts";
import { startTyping, type TypedServer } from "../../test/hostile/typed.ts";
import type { Watchdog } from "../../test/hostile/watchdog.ts";
import { type Finds, wrongLater, wrongOf } from "./finds.ts";
import { wrongFix } from "./fixes.ts";
import type { KindName } from "./plan.ts";

/** What all kinds use. */
export interface Bench {
  readonly parser: SyntaxParser;
  readonly finds: Finds;
  readonly watchdog: Watchdog;
}

/** The work of one process. */
export interface Work {
  /** Tries the next text, session, folder or project of the kind. Returns how many inputs or edits that was. */
  tryNext(kind: KindName): Promise<number>;
  stop(): Promise<void>;
}

/**
 * The limit on the time that an input may take, in milliseconds of processor time: twice what the budget of the longest text allows
 * on a slow machine (`budget.ts`).
 */
const patience = 4_000;
/** Texts, sessions, folders or projects that are generated at once. */
const batch = 20;
/** Tries to make a failing case smaller, where each try starts a process or checks a whole project. */
const slowTries = 60;

/** Starts the work with the first seed. Equal seeds try the same things. */
export function startWork(bench: Bench, seed: number): Work {
  const server = sharedServer();
  const next: Readonly<Record<KindName, () => Promise<number>>> = {
    inputs: from(input, seed, (made) => checkInput(bench, made)),
    "small-inputs": from(smallInput, seed, (made) => checkInput(bench, made)),
    "tiny-inputs": from(tinyInput, seed, (made) => checkInput(bench, made)),
    settings: from(folder, seed, (made) => checkFolder(bench, made)),
    fixes: from(smallInput, seed, (made) => checkFixes(bench, made)),
    sessions: from(session, seed, (made) => checkSession(bench, made)),
    "small-sessions": from(smallSession, seed, (made) => checkSession(bench, made)),
    "gentle-sessions": from(gentleSession, seed, (made) => checkSession(bench, made)),
    protocol: from(gentleSession, seed, (made) => checkOverProtocol(bench, server, made)),
    projects: from(fc.array(step, { minLength: 10, maxLength: 10 }), seed, (made) => checkSteps(bench, made)),
  };
  return { tryNext: (kind) => next[kind](), stop: server.stop };
}

/** A function that checks one more value of the arbitrary at each call. */
function from<Made>(arbitrary: fc.Arbitrary<Made>, seed: number, check: (made: Made) => number | Promise<number>): () => Promise<number> {
  const values = (function* (): Generator<Made, never> {
    for (let at = seed; ; at += 1) yield* fc.sample(arbitrary, { numRuns: batch, seed: at });
  })();
  return async () => check(values.next().value);
}

function checkInput({ parser, finds, watchdog }: Bench, made: Input): number {
  const run = (text: string) => {
    watchdog.begin(extensionOf(made), text);
    return wrongOf(() => survive(parser, { ...made, text }, patience));
  };
  const wrong = run(made.text);
  if (wrong !== undefined)
    finds.keep(
      extensionOf(made),
      minimized(made.text, (text) => run(text) !== undefined),
      wrong,
    );
  return 1;
}

function checkFolder({ parser, finds, watchdog }: Bench, made: Folder): number {
  const run = (one: Folder) => {
    watchdog.begin("folder.json", JSON.stringify(one));
    return wrongOf(() => surviveSettings(parser, one, patience));
  };
  const wrong = run(made);
  if (wrong === undefined) return 1;
  let smallest = made;
  for (const name of Object.keys(made)) {
    const without = Object.fromEntries(Object.entries(smallest).filter(([other]) => other !== name));
    if (run(without) !== undefined) smallest = without;
  }
  for (const [name, text] of Object.entries(smallest)) {
    smallest = { ...smallest, [name]: minimized(text, (shorter) => run({ ...smallest, [name]: shorter }) !== undefined) };
  }
  finds.keep("folder.json", JSON.stringify(smallest), wrong);
  return 1;
}

async function checkFixes({ parser, finds, watchdog }: Bench, made: Input): Promise<number> {
  const run = (text: string) => {
    watchdog.begin(extensionOf(made), text);
    return wrongFix(parser, { ...made, text });
  };
  const wrong = await run(made.text);
  if (wrong === undefined) return 1;
  finds.keep(extensionOf(made), await minimizedText(made.text, async (text) => (await run(text)) !== undefined, slowTries), wrong);
  return 1;
}

function extensionOf({ name }: Input): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function checkSession({ parser, finds, watchdog }: Bench, made: Session): number {
  let perComparison: number | undefined;
  const run = (one: Typing) => {
    watchdog.begin("typing.json", JSON.stringify(one));
    return wrongOf(() => void editLikeFresh(parser, one, perComparison));
  };
  const typing = typingOf(made);
  const wrong = run(typing);
  if (wrong !== undefined) {
    // If all texts are compared, the first one that differs is found. But comparing each may hide the difference.
    perComparison = 1;
    if (run(typing) === undefined) perComparison = undefined;
    finds.keep("typing.json", JSON.stringify(minimizedTyping(typing, (fewer) => run(fewer) !== undefined)), wrong);
  }
  return typing.texts.length - 1;
}

/** A server for many sessions, started when the first needs it. */
interface SharedServer {
  /** Types a session; a server that fails is stopped, and the next session gets another. */
  type(made: Session): Promise<number>;
  stop(): Promise<void>;
}

function sharedServer(): SharedServer {
  let server: TypedServer | undefined;
  const stop = async (): Promise<void> => {
    await server?.stop();
    server = undefined;
  };
  return {
    type: async (made) => {
      server ??= await startTyping();
      try {
        return await server.type(made);
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

async function checkOverProtocol({ finds, watchdog }: Bench, server: SharedServer, made: Session): Promise<number> {
  let count = made.edits.length;
  const run = (edits: Session["edits"]) => {
    watchdog.begin("typed.json", JSON.stringify({ ...made, edits }));
    return wrongLater(async () => {
      count = await server.type({ ...made, edits });
    });
  };
  const wrong = await run(made.edits);
  if (wrong === undefined) return count;
  const edits = await minimizedParts(made.edits, async (fewer) => (await run(fewer)) !== undefined, slowTries);
  finds.keep("typed.json", JSON.stringify({ ...made, edits }), wrong);
  return made.edits.length;
}

type Steps = Parameters<typeof takeAll>[1];

async function checkSteps({ parser, finds, watchdog }: Bench, made: Steps): Promise<number> {
  const run = (steps: Steps) => {
    watchdog.begin("steps.json", JSON.stringify(steps));
    return wrongLater(() => takeAll(parser, steps));
  };
  const wrong = await run(made);
  if (wrong === undefined) return made.length;
  const fewest = await minimizedParts(made, async (steps) => (await run(steps)) !== undefined, slowTries);
  finds.keep("steps.json", JSON.stringify(fewest), wrong);
  return made.length;
}
