/**
 * Finds the addresses that CUDA's functions and PTX instructions for one memory get, and the objects behind them: in the same
 * function, or in one that receives the address from its callers in this file. Rules decide which of them are mistakes.
 */
import { memo } from "../../memo.ts";
import { addressOperands, type MemoryWindow, type WindowUse, windowsOfFunction } from "../../semantics/builtins/cuda-windows.ts";
import type { AccessPath, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, Place, VariableSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import { leavesObject } from "../access-paths.ts";
import { isDeviceCode } from "../device-code.ts";
import { callsOf } from "../fact-index.ts";
import { objectFlow, pointerPath } from "../object-flow.ts";

/** An address in one memory's window, or a generic one in an instruction. */
export interface WindowUseOf {
  readonly object: VariableSymbol;
  /** The memory of the object. */
  readonly memory: MemoryWindow;
  /** The memory that the function or instruction is for; undefined for any. */
  readonly window: MemoryWindow | undefined;
  readonly use: WindowUse;
  /** The function or the instruction. */
  readonly name: string;
  readonly isInstruction: boolean;
  /** The argument or the operand that passes the address of the object. */
  readonly place: Place;
  /** If a function in between receives the address: the use itself. */
  readonly through?: { readonly function: FunctionSymbol; readonly place: Place };
}

interface Taken extends Pick<WindowUseOf, "window" | "use" | "name" | "isInstruction" | "place"> {
  readonly path: AccessPath | undefined;
  readonly within: FunctionSymbol | undefined;
  readonly lambda?: FunctionSymbol | undefined;
}

/** How many functions an address is followed through, from a use back to its callers. */
const mostFunctions = 4;

/** The uses whose object is certain. */
export const windowUses = memo((facts: Facts): readonly WindowUseOf[] => {
  const found: WindowUseOf[] = [];
  for (const taken of takenAddresses(facts)) {
    if (!isDeviceCode(taken)) continue;
    const add = (path: AccessPath | undefined, place: Place, through: WindowUseOf["through"]) => {
      const object = path?.root;
      const memory = object === undefined || path === undefined || leavesObject(path) ? undefined : memoryOf(object);
      if (object === undefined || memory === undefined) return;
      const { window, use, name, isInstruction } = taken;
      found.push({ object, memory, window, use, name, isInstruction, place, ...(through === undefined ? {} : { through }) });
    };
    add(taken.path, taken.place, undefined);
    follow(facts, taken, add);
  }
  return found;
});

function takenAddresses(facts: Facts): readonly Taken[] {
  const flow = objectFlow(facts);
  const taken: Taken[] = [];
  for (const call of facts.calls) {
    const windows = windowsOfFunction(call.name);
    if (windows.length === 0 || !isOfToolkit(call)) continue;
    for (const { index, window, use } of windows) {
      const argument = call.arguments[index];
      if (argument === undefined) continue;
      const path = flow.pointee(pointerPath(argument)) ?? parameterPath(argument);
      taken.push({
        path,
        window,
        use,
        name: call.name,
        isInstruction: false,
        place: argument.place,
        within: call.within,
        lambda: call.lambda,
      });
    }
  }
  for (const { text, operands, within, lambda } of facts.assembly) {
    for (const { operand, window, use, instruction } of addressOperands(text)) {
      const argument = operands[operand];
      if (argument === undefined || (argument.type.kind !== "pointer" && argument.type.kind !== "array")) continue;
      const path = flow.pointee(pointerPath(argument)) ?? parameterPath(argument);
      taken.push({ path, window, use, name: instruction, isInstruction: true, place: argument.place, within, lambda });
    }
  }
  return taken;
}

/** The object behind a parameter: its callers know it. */
function parameterPath({ path }: CallFact["arguments"][number]): AccessPath | undefined {
  return path?.root?.scope === "parameter" && path.steps.length === 0 ? { root: path.root, steps: [{ kind: "dereference" }] } : undefined;
}

/** The toolkit declares the function; a project's own function of the name may do anything. */
function isOfToolkit({ callee, name, object }: CallFact): boolean {
  return callee === undefined || callee.isBuiltin || name.startsWith("__") || object !== undefined;
}

/** Visits the callers that pass the address for a parameter, directly or through other functions. */
function follow(
  facts: Facts,
  { path, place, within }: Taken,
  add: (path: AccessPath | undefined, place: Place, through: WindowUseOf["through"]) => void,
): void {
  const flow = objectFlow(facts);
  const root = path?.root;
  if (root?.scope !== "parameter" || root.type.kind !== "pointer" || within === undefined || root.index === undefined) return;
  const open = [{ callee: within, index: root.index, depth: 0 }];
  const seen = new Set<FunctionSymbol>();
  for (const { callee, index, depth } of open) {
    if (seen.has(callee) || depth >= mostFunctions) continue;
    seen.add(callee);
    for (const call of callsOf(facts, callee)) {
      const argument = call.arguments[index];
      if (argument === undefined || call.launch !== undefined || !isDeviceCode(call)) continue;
      const passed = flow.pointee(pointerPath(argument)) ?? parameterPath(argument);
      add(passed, argument.place, { function: callee, place });
      const own = passed?.root;
      if (own?.scope === "parameter" && own.index !== undefined && call.within !== undefined)
        open.push({ callee: call.within, index: own.index, depth: depth + 1 });
    }
  }
}

/** The memory that a variable certainly is in, on the device. */
export function memoryOf({ memorySpace, type, scope, words, isTemplated, isDependent }: VariableSymbol): MemoryWindow | undefined {
  if (type.kind === "reference" || isDependent) return undefined;
  switch (memorySpace) {
    case "shared":
      return "shared";
    case "constant":
      return "constant";
    case "device":
    case "managed":
      return "global";
    case "host":
      return undefined;
    default:
      return scope === "block" && isTemplated !== true && !hasWord(words, "static", "extern", "constexpr") ? "local" : undefined;
  }
}
