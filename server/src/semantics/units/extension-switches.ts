/**
 * Executes `#pragma OPENCL EXTENSION`, as far as it decides whether `half` may be computed with. The pragmas of a unit and its
 * headers take effect in the order of the text, and a header that is included again has its effect again.
 */
import type { ExtensionSwitch, IncludeSite, Unit } from "../../preprocess/view/view.ts";
import type { ViewSpan } from "../../source.ts";
import type { Context } from "../facts/context.ts";

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
      if (isAboutHalf(each)) switchHalf(context, each.isOn ? "on" : "off");
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
  const last = lastSwitch(unit);
  if (last !== undefined) switchHalf(context, last);
}

/** Sets whether `half` may be computed with from here on; `open` stands for "unknown", after a missing header. */
export function switchHalf({ program, dialect }: Context, to: "on" | "off" | "open"): void {
  const isSupported = dialect.language === "opencl" && dialect.has("cl_khr_fp16");
  if (to === "off") program.state.isHalfSwitchedOff = true;
  program.state.isHalfEnabled = to === "open" || (to === "on" && isSupported);
}

function isAboutHalf({ name }: ExtensionSwitch): boolean {
  return name === "cl_khr_fp16" || name === "all";
}

// Without this cache, a header that includes another one twice would be walked twice at each level, which is exponential.
const lasts = new WeakMap<Unit, "on" | "off" | "open" | "none">();

/** The state after a unit and its headers; undefined if they change nothing. */
function lastSwitch(unit: Unit): "on" | "off" | "open" | undefined {
  const known = lasts.get(unit);
  if (known !== undefined) return known === "none" ? undefined : known;
  const { switches = [] } = unit;
  let last: "on" | "off" | "open" | undefined;
  const follow = (from: number, to: number) => {
    for (const each of switches.slice(from, to)) if (isAboutHalf(each)) last = each.isOn ? "on" : "off";
  };
  let next = 0;
  for (const { unit: header, switchesBefore = 0 } of includesOf(unit)) {
    follow(next, switchesBefore);
    next = switchesBefore;
    last = header === undefined ? "open" : (lastSwitch(header) ?? last);
  }
  follow(next, switches.length);
  lasts.set(unit, last ?? "none");
  return last;
}
