/** What the rules about host variables in device code share: severity, the declaration as related place, and fixes. */
import type { Facts } from "../semantics/facts.ts";
import type { Severity } from "../finding.ts";
import { isHostCode } from "./device-code.ts";
import type { HostVariableUse } from "./host-variables.ts";
import type { RuleFinding } from "./rule.ts";
import { instantiationRelated } from "./instantiated.ts";

/** In code that nobody compiles yet it is a trap, not an error. */
export function severityOfUse({ isCompiled }: HostVariableUse): { readonly severity?: Severity } {
  return isCompiled ? {} : { severity: "warning" };
}

export function hostVariableRelated({ variable, access }: HostVariableUse): NonNullable<RuleFinding["related"]> {
  return [{ message: `'${variable.name}' is declared here, in host memory`, place: variable.place }, ...instantiationRelated(access ?? {})];
}

/** Moves a variable with a constant initialiser into constant memory, where only device code uses it. */
export function declareConstantFix({ variable }: HostVariableUse, facts: Facts): NonNullable<RuleFinding["fixes"]>[number] | undefined {
  if (variable.scope !== "program" || variable.sharesSpecifiers || variable.initialization !== "constant" || variable.previous !== undefined) return undefined;
  if (variable.type.kind === "reference" || variable.type.kind === "pointer" || variable.initializer === undefined) return undefined;
  if (!facts.variables.some((fact) => fact.variable === variable)) return undefined;
  const isUsedByHost = facts.accesses.some((access) => access.path.root === variable && (isHostCode(access) || access.within === undefined));
  return isUsedByHost ? undefined : { title: `Declare '${variable.name}' '__constant__'`, edits: [{ place: variable.declaration, how: "before", text: "__constant__ " }] };
}
