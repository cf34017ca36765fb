/** Vitest runs this setup file for each test file, although the test files of a worker share their modules. */
import { afterAll } from "vitest";
import { deleteFolders } from "./run.ts";

afterAll(deleteFolders);
