/** Keeps what a run finds: failing inputs in `test/hostile/found`, and a line for each on the standard output. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const foundFolder = join(import.meta.dirname, "../../test/hostile/found");

/** What has been found so far. */
export interface Finds {
  readonly slow: number;
  readonly wrong: number;
  /** Stores a failing input under the hash of its content and the extension, and prints the message. */
  keep(extension: string, content: string, message: string): void;
}

/** Nothing found yet. */
export function createFinds(): Finds {
  const counts = { slow: 0, wrong: 0 };
  return {
    get slow() {
      return counts.slow;
    },
    get wrong() {
      return counts.wrong;
    },
    keep: (extension, content, message) => {
      if (message.includes("took ")) counts.slow += 1;
      else counts.wrong += 1;
      const file = join(foundFolder, `${createHash("sha256").update(content).digest("hex").slice(0, 12)}.${extension}`);
      mkdirSync(foundFolder, { recursive: true });
      writeFileSync(file, content);
      console.log(`${file}: ${content.length} characters: ${message.split("\n").slice(0, 4).join("\n").slice(0, 2_000)}`);
    },
  };
}

/** The message of a failure; undefined if there is none. */
export function wrongOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The message of a failure; undefined if there is none. */
export async function wrongLater(run: () => Promise<void>): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
