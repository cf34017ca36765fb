/** What the rules about host variables in device code share: the severity, and the declaration as related place. */
import type { HostVariableUse } from "../../analyses/host-variables.ts";
import type { Severity } from "../../finding.ts";
import type { RuleFinding } from "../rule.ts";
import { instantiationRelated } from "./related.ts";

/** In code that is not compiled yet, the use is a trap rather than an error. */
export function severityOfUse({ isCompiled }: HostVariableUse): { readonly severity?: Severity } {
  return isCompiled ? {} : { severity: "warning" };
}

/** The declaration of the variable, and the instantiation in which the use is wrong. */
export function hostVariableRelated({ variable, access }: HostVariableUse): NonNullable<RuleFinding["related"]> {
  return [{ message: `'${variable.name}' is declared here, in host memory`, place: variable.place }, ...instantiationRelated(access ?? {})];
}
