/**
 * Variable templates (C++17 §17.0.1p2). The name of one is unknown by itself, because it is not one variable; with arguments it is the
 * variable that its text declares for them. Nothing is concluded about a template with a specialization, which may declare another
 * variable.
 */
import type { TemplateArgument } from "../../syntax/ast.ts";
import { hasWord } from "../../syntax/walk.ts";
import { bindDeclarator } from "../declarations/declarators.ts";
import { initializationOf } from "../declarations/initialization.ts";
import type { Context } from "../facts/context.ts";
import type { Symbol, VariableSymbol } from "../types/symbols.ts";
import { addQualifiers, containsUnknown } from "../types/types.ts";
import { argumentKey, isOpen } from "./argument-keys.ts";
import { guarded, instanceContext } from "./class-templates.ts";
import { type VariableTemplate, variableTemplateOf } from "./known-variable-templates.ts";
import { argumentValues, bindInOrder, instanceScope } from "./template-arguments.ts";

/** The variable that a template's name with these arguments means; undefined if that is unknown. */
export function instantiateVariable(context: Context, name: Symbol, written: readonly TemplateArgument[]): VariableSymbol | undefined {
  const template = variableTemplateOf(name);
  if (template === undefined) return undefined;
  const { text, primary, instances } = template;
  const { parameters } = text.item;
  const values = argumentValues(context, parameters, written);
  if (values === undefined) return undefined;
  // Whatever the arguments are, the variable has the specifiers of its template.
  if (values.some(isOpen)) return primary;
  const key = values.map(argumentKey).join(", ");
  const instance = instances.get(key) ?? guarded(context.program, () => instanceOf(template, values));
  if (instance !== undefined) instances.set(key, instance);
  return instance;
}

function instanceOf(
  { text, primary, item, init }: VariableTemplate,
  values: Parameters<typeof bindInOrder>[1],
): VariableSymbol | undefined {
  const { parameters } = text.item;
  const opened = instanceScope(text, parameters, bindInOrder(parameters, values));
  if (opened === undefined) return undefined;
  const context = instanceContext(text, opened.scope);
  const { type } = bindDeclarator(context, item.specifiers, init.declarator, "program");
  const isConstexpr = hasWord(primary.words, "constexpr");
  const draft: VariableSymbol = {
    ...primary,
    // A type that depends on the initializer is known only if that does not depend on the arguments.
    type: containsUnknown(type) || type.kind === "auto" ? primary.type : isConstexpr ? addQualifiers(type, { const: true }) : type,
    isDependent: containsUnknown(type),
  };
  const initialization = initializationOf(context, draft);
  return initialization === undefined ? draft : { ...draft, initialization };
}
