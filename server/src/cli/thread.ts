/** The code of each worker thread of the command line program: checks the files that it receives, for one project at a time. */
import { worker } from "workerpool";
import type { SyntaxParser } from "../syntax/parser.ts";
import { type FileChecker, openFileChecker, type ProjectJob } from "./file-checker.ts";
import type { WorkerMethods } from "./workers.ts";

/** Makes this thread one that `workers.ts` can send files to. */
export function serveFiles(loading: Promise<SyntaxParser>): void {
  let opened: { readonly key: string; readonly checker: FileChecker } | undefined;
  const methods: WorkerMethods = {
    async check(job: ProjectJob, names: readonly string[]) {
      const parser = await loading;
      const key = JSON.stringify(job);
      if (opened?.key !== key) {
        opened?.checker.project.dispose();
        opened = { key, checker: openFileChecker(job, parser) };
      }
      const { checker } = opened;
      return checker.checkAll(names);
    },
  };
  worker({ ...methods });
}
