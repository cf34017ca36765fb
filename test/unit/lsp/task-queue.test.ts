/** Interruptible work: the order in which it runs, and the messages that may come between. */
import { describe, expect, it, vi } from "vitest";
import { createScheduler } from "../../../server/src/lsp/scheduling/scheduler.ts";
import { abandoned, createTaskQueue, type Urgency } from "../../../server/src/lsp/scheduling/task-queue.ts";
import { inOneGo, type Steps, startingOver } from "../../../server/src/steps.ts";

/** A clock that moves with each step, so that every slice is one step. */
function clockwork() {
  let time = 0;
  const said: string[] = [];
  const queue = createTaskQueue(() => time);
  const steps = function* (what: string, count: number): Steps<string> {
    for (let i = 1; i < count; i++) {
      said.push(`${what}${i}`);
      time += 1_000;
      yield;
    }
    said.push(`${what}${count}`);
    return what;
  };
  return { queue, said, steps };
}

const now = (): Urgency => "now";
const later = (): Urgency => "later";

describe("the task queue", () => {
  it("go first to requests that a user waits for", async () => {
    const { queue, said, steps } = clockwork();
    const idle = queue.run("a", later, steps("idle", 3));
    const wanted = queue.run("b", now, steps("wanted", 3));
    expect(await wanted).toBe("wanted");
    expect(said).toEqual(["wanted1", "wanted2", "wanted3"]);
    expect(await idle).toBe("idle");
  });

  it("are not given to work that is no longer wanted, which releases its resources", async () => {
    const { queue, said, steps } = clockwork();
    let isWanted = true;
    let isHeld = false;
    const holding = function* (): Steps<string> {
      isHeld = true;
      try {
        for (let i = 0; i < 1_000; i++) {
          if (i === 2) isWanted = false;
          yield* steps(`long${i}`, 2);
        }
        return "long";
      } finally {
        isHeld = false;
      }
    };
    const long = queue.run("a", now, holding(), () => isWanted);
    const short = queue.run("b", now, steps("short", 1));
    await expect(long).rejects.toBe(abandoned);
    expect(await short).toBe("short");
    expect([isHeld, said.length < 12]).toEqual([false, true]);
  });

  it("go first to the document that was viewed last", async () => {
    const { queue, said, steps } = clockwork();
    queue.noteMessage("old");
    const old = queue.run("old", now, steps("old", 3));
    const seen = queue.run("seen", now, steps("seen", 2));
    queue.noteMessage("seen");
    await Promise.all([old, seen]);
    expect(said).toEqual(["seen1", "seen2", "old1", "old2", "old3"]);
  });

  it("may become urgent", async () => {
    const { queue, said, steps } = clockwork();
    let urgency: Urgency = "later";
    const first = queue.run("a", later, steps("a", 3));
    const second = queue.run("b", () => urgency, steps("b", 2));
    urgency = "now";
    await second;
    expect(said).toEqual(["b1", "b2"]);
    await first;
  });

  it("let messages arrive before the work and between its slices", async () => {
    const { queue, said, steps } = clockwork();
    const speaking = function* (): Steps<void> {
      setImmediate(() => void said.push("another"));
      yield* steps("a", 2);
    };
    setImmediate(() => void said.push("message"));
    await queue.run("a", now, speaking());
    expect(said).toEqual(["message", "a1", "another", "a2"]);
  });

  it("continue after work that fails", async () => {
    const { queue, steps } = clockwork();
    // biome-ignore lint/correctness/useYield: it fails before its first step ends
    const failing = function* (): Steps<void> {
      throw new Error("broken");
    };
    const broken = queue.run("a", now, failing());
    const whole = queue.run("b", now, steps("b", 2));
    await expect(broken).rejects.toThrow("broken");
    expect(await whole).toBe("b");
  });

  it("let a message be written that was sent when waiting work resumed", async () => {
    const said: string[] = [];
    let time = 0;
    const queue = createTaskQueue(() => time);
    time = 1_000;
    await queue.run("a", later, clockwork().steps("a", 1));
    queue.noteMessage();
    // biome-ignore lint/correctness/useYield: it ends in its first step
    const noting = function* (): Steps<void> {
      said.push("work");
    };
    const first = queue.run("b", later, noting());
    await new Promise((resolve) => setTimeout(resolve, 20));
    // A writer writes in the next turn of the event loop.
    setImmediate(() => void said.push("message"));
    const second = queue.run("c", now, noting());
    time = 2_000;
    await Promise.all([first, second]);
    expect(said).toEqual(["message", "work", "work"]);
  });

  it("wait while messages arrive, but not for ever", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const queue = createTaskQueue();
      /** The milliseconds until the work has run, with a message after each twentieth one if the client is busy. */
      const waited = async (isBusy: boolean): Promise<number> => {
        const start = performance.now();
        let isDone = false;
        const work = queue.run("a", later, clockwork().steps("a", 1)).then(() => {
          isDone = true;
        });
        for (let time = 1; !isDone && time < 2_000; time++) {
          if (isBusy && time % 20 === 0) queue.noteMessage();
          // The queue handles messages in turns of the event loop.
          for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
          await vi.advanceTimersByTimeAsync(1);
        }
        await work;
        return performance.now() - start;
      };
      queue.noteMessage();
      expect(await waited(false)).toBeGreaterThan(150);
      const busy = await waited(true);
      expect(busy).toBeGreaterThan(150);
      expect(busy).toBeLessThan(300);
    } finally {
      vi.useRealTimers();
    }
  });
});

it("only work that a change has made obsolete is reported as such", async () => {
  const said: string[] = [];
  const scheduler = createScheduler(async (name, isOvertaken) => {
    await Promise.resolve();
    said.push(`${name} ${isOvertaken()}`);
  });
  scheduler.plan("a");
  scheduler.plan("b");
  scheduler.plan("a");
  scheduler.plan("c");
  scheduler.forget("c");
  await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual(["a true", "b false", "a false", "c false"]);
});

it("steps start over when something has changed between two of them", () => {
  let stamp = 0;
  const said: string[] = [];
  const work = function* (): Steps<number> {
    const begun = stamp;
    said.push(`begin ${begun}`);
    yield;
    said.push(`end ${begun}`);
    return begun;
  };
  const steps = startingOver(work, () => stamp);
  steps.next();
  stamp = 1;
  expect(inOneGo(steps)).toBe(1);
  expect(said).toEqual(["begin 0", "begin 1", "end 1"]);
});
