/** Reads build scripts once for a question, and again when one of them changes. What a script answers is the caller's matter. */
import { meaningOf } from "../../encoding.ts";
import { folderOf } from "../../names.ts";
import type { Files } from "../../source.ts";
import { isBuildFile } from "./build-languages.ts";

/** The folder whose files a script builds. For a script in `cmake/` it is the parent of that folder. */
export function builtBy(script: string): string {
  const folder = folderOf(script);
  return /\/(?:cmake|make|build|scripts|toolchains?)$/i.test(folder) ? folderOf(folder) : folder;
}

/** What the build scripts of a project answer. */
export interface ScriptAnswers<Answer> {
  /** The answer of each script; empty while one of them is unread. */
  all(): ReadonlyMap<string, Answer>;
  /** Reports that these files were edited, created or deleted. True if a script answers something else now; a moved answer is the same. */
  changed(names: readonly string[]): boolean;
}

/** Asks each script, or other file, once. An answer is plain data; `none` is that of a script that says nothing. */
export function createScriptAnswers<Answer>(
  files: Files,
  answerOf: (script: string) => Answer,
  none: Answer,
  isAsked: (name: string) => boolean = isBuildFile,
): ScriptAnswers<Answer> {
  let answers: Map<string, Answer> | undefined;
  return {
    all: () => {
      if (answers !== undefined) return answers;
      const scripts = files.list().filter(isAsked);
      // While one of them is unread, the answer is not kept.
      if (scripts.some((script) => files.read(script) === "unread")) return new Map();
      answers = new Map(scripts.map((script) => [script, answerOf(script)]));
      return answers;
    },
    changed: (names) => {
      if (answers === undefined) return false;
      let differs = false;
      for (const script of names.filter(isAsked)) {
        const now = answerOf(script);
        differs ||= meaningOf(now) !== meaningOf(answers.get(script) ?? none);
        answers.set(script, now);
      }
      return differs;
    },
  };
}
