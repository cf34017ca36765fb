/** Types are compared: they can differ only if both are known. */
import { describe, expect, it } from "vitest";
import { isSameType } from "../../../server/src/semantics/types/compatible.ts";
import { arithmetic, pointerTo, unknownType as unknown } from "../../../server/src/semantics/types/types.ts";

describe("two types", () => {
  const int = arithmetic("int");
  it("are the same or not, if both are known", () => {
    expect(isSameType(int, int)).toBe(true);
    expect(isSameType(int, arithmetic("float"))).toBe(false);
    expect(isSameType(pointerTo(int), int)).toBe(false);
  });

  it("may be the same if one is unknown, at any level", () => {
    expect(isSameType(unknown, int)).toBeUndefined();
    expect(isSameType(pointerTo(pointerTo(int)), unknown)).toBeUndefined();
    expect(isSameType(pointerTo(unknown), pointerTo(int))).toBeUndefined();
  });
});
