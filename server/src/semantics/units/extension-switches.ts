/**
 * Executes `#pragma OPENCL EXTENSION`, as far as it decides whether `half` and `double` may be used. The pragmas of a unit and its
 * headers take effect in the order of the text, and a header that is included again has its effect again.
 */
import type { Dialect } from "../../dialect.ts";
import { memoByPair } from "../../memo.ts";
import type { ExtensionSwitch, IncludeSite, Unit } from "../../preprocess/view/view.ts";
import type { ViewSpan } from "../../source.ts";
import { isBefore12 } from "../../tracked-dialect.ts";
import type { Context, ExtensionState } from "../facts/context.ts";

/** Executes a unit's pragmas in order, each once. */
export interface Switches {
  /** Executes the first `count` pragmas of the unit. */
  execute(count: number): void;
  /** Executes the pragmas before an item. A pragma inside of the item that enables the extension counts for the whole item. */
  executeBefore(item: ViewSpan): void;
  /** The offset of the next pragma; infinite if there is none. */
  nextAt(): number;
}

/** The pragmas of a unit that is bound for the first time. */
export function switchesOf(context: Context, { switches = [] }: Unit): Switches {
  let next = 0;
  const executeWhile = (isMeant: (each: ExtensionSwitch) => boolean) => {
    for (let each = switches[next]; each !== undefined && isMeant(each); each = switches[next]) {
      next += 1;
      for (const type of switchedTypes) if (isAbout(each, type)) switchType(context, type, each.isOn ? "on" : "off");
    }
  };
  return {
    execute: (count) => executeWhile(() => next < count),
    nextAt: () => switches[next]?.at ?? Number.POSITIVE_INFINITY,
    executeBefore: ({ start, end }) => executeWhile(({ at, isOn }) => at <= start || (at < end && isOn)),
  };
}

/** A unit's headers in the order in which they take effect. */
export function includesOf({ includes }: Unit): readonly IncludeSite[] {
  let last = 0;
  for (const { at } of includes) {
    if (at < last) return [...includes].sort((a, b) => a.at - b.at);
    last = at;
  }
  return includes;
}

/**
 * Executes the pragmas of a header that is included again. Without a guard it declares nothing new, but its pragmas take effect
 * again.
 */
export function switchAgain(context: Context, unit: Unit): void {
  for (const type of switchedTypes) {
    const last = lastSwitch(unit, type);
    if (last !== undefined) switchType(context, type, last);
  }
}

/** After a missing header, each of the types may be enabled. */
export function openSwitches(context: Context): void {
  for (const type of switchedTypes) switchType(context, type, "open");
}

/** The extensions at the start of a translation unit. OpenCL C 1.2 made `double` a part of the language (§6.1.1). */
export function initialSwitches(dialect: Dialect): ExtensionState {
  return {
    isHalfEnabled: false,
    isHalfSwitchedOff: false,
    isDoubleEnabled: !needsDoublePragma(dialect),
    isDoubleSwitchedOff: false,
  };
}

function needsDoublePragma(dialect: Dialect): boolean {
  return dialect.language === "opencl" && isBefore12(dialect);
}

/** Sets whether a type may be used from here on; `open` stands for "unknown". */
function switchType({ program: { state }, dialect }: Context, type: SwitchedType, to: "on" | "off" | "open"): void {
  if (type === "half") {
    const isSupported = dialect.language === "opencl" && dialect.has("cl_khr_fp16");
    if (to === "off") state.isHalfSwitchedOff = true;
    state.isHalfEnabled = to === "open" || (to === "on" && isSupported);
  } else if (needsDoublePragma(dialect)) {
    // The rule about missing features reports `double` on a device that does not support it.
    if (to === "off") state.isDoubleSwitchedOff = true;
    state.isDoubleEnabled = to !== "off";
  }
}

type SwitchedType = "half" | "double";

const switchedTypes: readonly SwitchedType[] = ["half", "double"];

function isAbout({ name }: ExtensionSwitch, type: SwitchedType): boolean {
  if (name === "all") return true;
  // AMD's drivers accept their own name for the extension too.
  return type === "half" ? name === "cl_khr_fp16" : name === "cl_khr_fp64" || name === "cl_amd_fp64";
}

/**
 * The state of a type after a unit and its headers; undefined if they change nothing. Without the memo, a header that includes another
 * one twice would be walked twice at each level, which is exponential.
 */
const lastSwitch = memoByPair((unit: Unit, type: SwitchedType): "on" | "off" | "open" | undefined => {
  const { switches = [] } = unit;
  let last: "on" | "off" | "open" | undefined;
  const follow = (from: number, to: number) => {
    for (const each of switches.slice(from, to)) if (isAbout(each, type)) last = each.isOn ? "on" : "off";
  };
  let next = 0;
  for (const { unit: header, switchesBefore = 0 } of includesOf(unit)) {
    follow(next, switchesBefore);
    next = switchesBefore;
    last = header === undefined ? "open" : (lastSwitch(header, type) ?? last);
  }
  follow(next, switches.length);
  return last;
});
