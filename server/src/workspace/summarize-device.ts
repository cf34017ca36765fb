/** What a translation unit tells the others about its device code: functions with where they run, variables with where they lie. */
import { spellSpaces } from "../semantics/execution.ts";
import { signatureOf } from "../semantics/functions.ts";
import type { FunctionDeclaration, VariableSymbol } from "../semantics/symbols.ts";
import { containsUnknown, spell } from "../semantics/types.ts";
import type { DeviceFunctionSummary, VariableSummary } from "./summary.ts";

/** A declaration of a device function or kernel, or the definition of a function that another file may take for one. */
export function summarizeDeviceFunction(declaration: FunctionDeclaration): readonly DeviceFunctionSummary[] {
  const { owner, execution, parameters, isDefinition, namePlace } = declaration;
  if (owner.isInternal || owner.isTemplate || owner.record !== undefined || owner.lambda !== undefined || declaration.role !== "primary" || declaration.isUncertain === true) return [];
  if (parameters.some(({ symbol }) => containsUnknown(symbol.type))) return [];
  const isHost = !execution.kernel && !execution.device;
  if (isHost && !isDefinition) return [];
  return [{ name: owner.qualifiedName, signature: signatureOf(parameters), execution: spellSpaces(execution), isHost, isDefinition, location: namePlace.unit.view.origin(namePlace.span).location }];
}

/** Variables with a memory space, and host declarations that may mean one. */
export function summarizeVariable(variable: VariableSymbol): readonly VariableSummary[] {
  const { name, qualifiedName, memorySpace, type, isDefinition, place, scope } = variable;
  const isHost = memorySpace === undefined || memorySpace === "host";
  if (scope !== "program" || variable.isInternal === true || variable.isTemplated === true || containsUnknown(type) || (isHost && isDefinition) || memorySpace === "shared") return [];
  return [{ name, qualifiedName, space: memorySpace ?? "host", type: spell(type), isDefinition, location: place.unit.view.origin(place.span).location }];
}
