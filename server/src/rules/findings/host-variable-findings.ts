/** What the rules about host variables in device code share: severity, and the declaration as related place. */

import type { HostVariableUse } from "../../analyses/host-variables.ts";
import type { Severity } from "../../finding.ts";
import type { RuleFinding } from "../rule.ts";
import { instantiationRelated } from "./related.ts";

/** In code that nobody compiles yet it is a trap, not an error. */
export function severityOfUse({ isCompiled }: HostVariableUse): { readonly severity?: Severity } {
  return isCompiled ? {} : { severity: "warning" };
}

/** Where the variable is declared, and in which instantiation the use is wrong. */
export function hostVariableRelated({ variable, access }: HostVariableUse): NonNullable<RuleFinding["related"]> {
  return [{ message: `'${variable.name}' is declared here, in host memory`, place: variable.place }, ...instantiationRelated(access ?? {})];
}
