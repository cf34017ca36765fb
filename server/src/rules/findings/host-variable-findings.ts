/** The severity and the related places of findings about host variables in device code. */
import type { HostVariableUse } from "../../analyses/host-variables.ts";
import type { Severity } from "../../finding.ts";
import type { RuleFinding } from "../rule.ts";
import { instantiationRelated } from "./related.ts";

/**
 * The severity of a use. In code that is not compiled yet, the use is not an error, but becomes one when the code is compiled. Nor is it
 * one if a later declaration puts the variable into device memory.
 */
export function severityOfUse({ isCompiled, isRedeclared }: HostVariableUse): { readonly severity?: Severity } {
  return isCompiled && !isRedeclared ? {} : { severity: "warning" };
}

/** The related places: the declaration of the variable, and the instantiation in which the use is wrong. */
export function hostVariableRelated({ variable, access }: HostVariableUse): NonNullable<RuleFinding["related"]> {
  return [
    ...(access?.written === undefined ? [] : [{ message: "it is read by this default, which is evaluated there", place: access.written }]),
    { message: `'${variable.name}' is declared here, in host memory`, place: variable.place },
    ...instantiationRelated(access ?? {}),
  ];
}
