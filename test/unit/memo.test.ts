/** The laws of the memo: a kept result is what a fresh computation would be, and is computed once. */
import { describe, expect, it } from "vitest";
import { memo, memoByPair, memoInCircles, memoOfLatest } from "../../server/src/memo.ts";

interface Node {
  readonly value: number;
  next?: Node;
}

describe("the memo", () => {
  it("computes each key once, also if the result is undefined", () => {
    const asked: Node[] = [];
    const half = memo((node: Node) => {
      asked.push(node);
      return node.value % 2 === 0 ? node.value / 2 : undefined;
    });
    const [even, odd] = [{ value: 4 }, { value: 3 }];
    expect([half(even), half(odd), half(even), half(odd)]).toEqual([2, undefined, 2, undefined]);
    expect(asked).toEqual([even, odd]);
  });

  it("keeps equal keys apart, because a key is an object and not its text", () => {
    let count = 0;
    const number = memo((_: Node) => {
      count += 1;
      return count;
    });
    const first = { value: 1 };
    expect([number(first), number({ value: 1 }), number(first)]).toEqual([1, 2, 1]);
  });

  it("computes again after an exception", () => {
    let fails = true;
    const value = memo((node: Node) => {
      if (fails) throw new Error("interrupted");
      return node.value;
    });
    const node = { value: 7 };
    expect(() => value(node)).toThrow("interrupted");
    fails = false;
    expect(value(node)).toBe(7);
  });

  it("answers a question about the key at hand with undefined", () => {
    const depth = memoInCircles((node: Node): number | undefined => 1 + (node.next === undefined ? 0 : (depth(node.next) ?? 100)));
    const a: Node = { value: 1 };
    const b: Node = { value: 2, next: a };
    expect(depth(b)).toBe(2);
    const c: Node = { value: 3 };
    c.next = c;
    expect([depth(c), depth(c)]).toEqual([101, 101]);
  });

  it("keeps a result for each pair, or for the latest second argument only", () => {
    for (const [create, times] of [
      [memoByPair, 3],
      [memoOfLatest, 4],
    ] as const) {
      let computed = 0;
      const plus = create((node: Node, by: number, text: string) => {
        computed += 1;
        return `${node.value + by}${text}`;
      });
      const node = { value: 1 };
      const other = { value: 10 };
      expect([plus(node, 1, "!"), plus(node, 2, "!"), plus(node, 1, "!"), plus(other, 1, "!"), plus(other, 1, "!")]).toEqual([
        "2!",
        "3!",
        "2!",
        "11!",
        "11!",
      ]);
      expect(computed).toBe(times);
    }
  });
});
