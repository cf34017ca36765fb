/** Progress is shown for long work only, by one indicator at a time. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Connection } from "vscode-languageserver";
import { createLateProgress } from "../../../server/src/lsp/scheduling/late-progress.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

/** A client that records its messages, or one that refuses all progress. */
function client(isWilling = true) {
  const told: string[] = [];
  const createWorkDoneProgress = async () => {
    if (!isWilling) throw new Error("refused");
    return {
      begin: (title: string) => void told.push(`begin ${title}`),
      report: (percentage: number, message: string) => void told.push(`${percentage} % ${message}`),
      done: () => void told.push("done"),
    };
  };
  return { told, connection: { window: { createWorkDoneProgress } } as unknown as Connection };
}

/** Lets resolved promises run their callbacks. */
const settled = async () => {
  for (let i = 0; i < 5; i++) await Promise.resolve();
};

it("is not shown for work that ends within four seconds", async () => {
  const { told, connection } = client();
  const pass = createLateProgress(connection, true).start();
  vi.advanceTimersByTime(3_900);
  pass.report(9, 10);
  pass.end();
  vi.advanceTimersByTime(3_900);
  pass.report(10, 10);
  await settled();
  expect(told).toEqual([]);
});

it("is shown for longer work until its end, at most twice a second", async () => {
  const { told, connection } = client();
  const pass = createLateProgress(connection, true).start();
  for (let file = 1; file <= 100; file++) {
    vi.advanceTimersByTime(50);
    pass.report(file, 100);
    await settled();
  }
  pass.end();
  pass.end();
  await settled();
  pass.report(100, 100);
  await settled();
  expect(told).toEqual(["begin Reading CUDA and OpenCL files", "80 % 80 of 100", "90 % 90 of 100", "100 % 100 of 100", "done"]);
});

it("has one indicator for several passes", async () => {
  const { told, connection } = client();
  const progress = createLateProgress(connection, true);
  const first = progress.start();
  const second = progress.start();
  vi.advanceTimersByTime(5_000);
  for (const pass of [second, first]) pass.report(1, 2);
  await settled();
  for (const pass of [second, first]) pass.end();
  await settled();
  expect(told).toEqual(["begin Reading CUDA and OpenCL files", "50 % 1 of 2", "done"]);
  const later = progress.start();
  vi.advanceTimersByTime(5_000);
  later.report(1, 4);
  await settled();
  expect(told.at(-1)).toBe("25 % 1 of 4");
});

it.each([
  ["refuses", true, false],
  ["does not support", false, true],
])("is not shown to a client that %s it", async (_, isSupported, isWilling) => {
  const { told, connection } = client(isWilling);
  const pass = createLateProgress(connection, isSupported).start();
  vi.advanceTimersByTime(5_000);
  pass.report(1, 2);
  await settled();
  pass.end();
  await settled();
  expect(told).toEqual([]);
});
