/** A setup file of Vitest, which runs for each file of tests, although the files share their modules. */
import { afterAll } from "vitest";
import { deleteFolders } from "./run.ts";

afterAll(deleteFolders);
