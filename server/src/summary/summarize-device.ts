/** Summarizes a translation unit's device code: functions with their execution spaces, variables with their memory spaces. */
import { constantsOf } from "../analyses/constant-memory.ts";
import { callsOf } from "../analyses/fact-index.ts";
import { isSurelyHost } from "../analyses/host-code.ts";
import { firstOf } from "../analyses/memory-spaces.ts";
import { signatureOf } from "../semantics/declarations/function-signatures.ts";
import type { Facts } from "../semantics/facts/facts.ts";
import type { FunctionDeclaration, FunctionSymbol, VariableSymbol } from "../semantics/types/symbols.ts";
import { containsUnknown, printType } from "../semantics/types/types.ts";
import type { InUnits } from "../source.ts";
import type { ConstantMemorySummary, DeviceFunctionSummary, VariableSummary } from "./summary.ts";

/** Summarizes a declaration of a device function or kernel, or the definition of a function that another file may declare as one. */
export function summarizeDeviceFunction(declaration: FunctionDeclaration, facts: Facts): readonly InUnits<DeviceFunctionSummary>[] {
  const { owner, execution, parameters, isDefinition, namePlace } = declaration;
  if (
    owner.isInternal ||
    owner.isTemplate ||
    owner.record !== undefined ||
    owner.lambda !== undefined ||
    declaration.role !== "primary" ||
    declaration.isUncertain === true
  )
    return [];
  if (parameters.some(({ symbol }) => containsUnknown(symbol.type))) return [];
  const isHost = !execution.kernel && !execution.device;
  if (isHost && !isDefinition) return [];
  return [
    {
      name: owner.qualifiedName,
      signature: signatureOf(parameters),
      execution,
      ...(execution.device && execution.host && callsOf(facts, owner).some((call) => isSurelyHost(call, facts))
        ? { isCalledByHost: true }
        : {}),
      isDefinition,
      location: namePlace.unit.view.origin(namePlace.span).location,
    },
  ];
}

/** Summarizes variables with a memory space, and host declarations that may refer to one. */
export function summarizeVariable(variable: VariableSymbol): readonly InUnits<VariableSummary>[] {
  const { name, qualifiedName, memorySpace, type, isDefinition, place, scope } = variable;
  const isHost = memorySpace === undefined || memorySpace === "host";
  if (
    scope !== "program" ||
    variable.isInternal === true ||
    variable.isTemplated === true ||
    containsUnknown(type) ||
    (isHost && isDefinition) ||
    memorySpace === "shared"
  )
    return [];
  return [
    {
      name,
      qualifiedName,
      space: memorySpace ?? "host",
      type: printType(type),
      isDefinition,
      location: place.unit.view.origin(place.span).location,
    },
  ];
}

/** Summarizes constant memory, and the names by which this file's device code is linked to that of other files. */
export function summarizeConstantMemory(facts: Facts): InUnits<ConstantMemorySummary> {
  const entries = constantsOf(facts, true).map(({ name, size, place }) => ({
    name,
    size,
    location: place.unit.view.origin(place.span).location,
  }));
  const own = facts.variables.map(({ variable }) => variable).filter(isLinked);
  const functions = facts.functions.filter(isLinkedFunction);
  const called = new Set(facts.calls.flatMap(({ callee }) => (callee === undefined ? [] : [callee])));
  const used = new Set(facts.references.flatMap(({ symbol }) => (symbol.kind === "variable" ? [firstOf(symbol)] : [])));
  const defined = new Set(own.filter(({ isDefinition }) => isDefinition).map(firstOf));
  return {
    entries,
    defines: [
      ...own.filter(({ isDefinition }) => isDefinition).map(({ qualifiedName }) => qualifiedName),
      ...functions.filter(hasBody).map(keyOf),
    ],
    needs: [
      ...own
        .filter((variable) => !variable.isDefinition && used.has(firstOf(variable)) && !defined.has(firstOf(variable)))
        .map(({ qualifiedName }) => qualifiedName),
      ...functions.filter((symbol) => !hasBody(symbol) && called.has(symbol)).map(keyOf),
    ],
  };
}

function isLinked({ scope, memorySpace, isInternal, isTemplated }: VariableSymbol): boolean {
  return (
    scope === "program" &&
    isInternal !== true &&
    isTemplated !== true &&
    (memorySpace === "constant" || memorySpace === "device" || memorySpace === "managed")
  );
}

/** True for a function that runs only on the device, so that it can only refer to another file's device code. */
function isLinkedFunction(symbol: FunctionSymbol): boolean {
  const { isInternal, isTemplate, isBuiltin, record, lambda, declarations } = symbol;
  if (isInternal || isTemplate || isBuiltin || record !== undefined || lambda !== undefined) return false;
  return declarations.every(
    ({ execution, isUncertain, parameters }) =>
      execution.device &&
      !execution.host &&
      isUncertain !== true &&
      !parameters.some((parameter) => containsUnknown(parameter.symbol.type)),
  );
}

function hasBody({ declarations }: FunctionSymbol): boolean {
  return declarations.some(({ isDefinition }) => isDefinition);
}

function keyOf({ qualifiedName, declarations: [first] }: FunctionSymbol): string {
  return `${qualifiedName}(${signatureOf(first?.parameters ?? [])})`;
}
