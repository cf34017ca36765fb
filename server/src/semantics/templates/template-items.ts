/**
 * Binds templates and explicit instantiations as items. Template parameters are names in a scope of their own, and the declarations
 * are bound like any others. `class-templates.ts` and `function-templates.ts` instantiate them.
 */
import type { Declarator, InstantiationItem, Name, TemplateItem } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { bindItem } from "../declarations/binder.ts";
import { bindDeclarator } from "../declarations/declarators.ts";
import { bindFunction } from "../declarations/functions.ts";
import { typeOfName } from "../declarations/name-resolution.ts";
import type { Context } from "../facts/context.ts";
import { scopeOfRecord } from "../symbols/record-scopes.ts";
import { ownNames, redeclare, unknownSymbol } from "../symbols/scope.ts";
import { unknownType } from "../types/types.ts";
import { openTemplate, specializeOnDemand } from "./class-templates.ts";
import { instantiateMember, leaveInstance } from "./instance-members.ts";
import { rememberVariableTemplate } from "./known-variable-templates.ts";

/** Binds the declaration inside, in a scope with the template's parameters; `template<>` is an explicit specialization. */
export function bindTemplate(context: Context, item: TemplateItem): void {
  if (!specializeOnDemand(context, item, () => bindNow(context, item))) bindNow(context, item);
}

function bindNow(context: Context, item: TemplateItem): void {
  const scope = openTemplate(context, item, (within, { parameter }) =>
    parameter === undefined ? unknownType : bindDeclarator(within, parameter.specifiers, parameter.declarator, "type-id").type,
  );
  const inner: Context = { ...context, scope, isTemplate: item.parameters.length > 0 || context.isTemplate };
  const role = item.parameters.length === 0 ? "specialization" : "primary";
  bindItem(inner, item.item, role);
  hideTemplateVariable(item, context);
}

/** Binds `template void k<S>(S);`, a further declaration of its template, or `template struct P<S>;`. */
export function bindInstantiation(context: Context, item: InstantiationItem): void {
  if (item.declarator === undefined) return instantiateClass(context, item);
  const declared = bindDeclarator(context, item.specifiers, item.declarator, "result");
  if (declared.function === undefined) return;
  bindFunction(context, {
    item: undefined,
    specifiers: item.specifiers,
    declared,
    declarator: declared.function,
    role: "instantiation",
    ...(item.isExtern ? { isExtern: true } : {}),
  });
}

/** Requests the bodies of all members that are defined now, also of nested classes (C++17 §17.7.2p8). */
function instantiateClass(context: Context, { specifiers: { type }, isExtern, span }: InstantiationItem): void {
  const name = type?.kind === "record" || type?.kind === "named" ? type.name : undefined;
  const named = name === undefined ? undefined : typeOfName({ ...context, isEmitting: false }, name);
  if (named?.kind !== "record" || named.record.instance === undefined) return;
  leaveInstance(named.record, isExtern);
  const open = isExtern ? [] : [named.record];
  for (let record = open.pop(); record !== undefined; record = open.pop()) {
    for (const member of record.functions) if (!member.isTemplate) instantiateMember(context, member, span, context.scope.clock.now);
    const scope = scopeOfRecord(record);
    for (const symbol of [...(scope?.names.values() ?? [])].flat())
      if (symbol.kind === "record" && scopeOfRecord(symbol)?.parent === scope) open.push(symbol);
  }
}

/** Makes the name of a variable template unknown: only with arguments it is a variable. */
function hideTemplateVariable(item: TemplateItem, context: Context): void {
  const { scope } = context;
  if (item.item.kind !== "declaration") return;
  for (const init of item.item.declarators) {
    const written = nameIn(init.declarator);
    const name = written === undefined ? undefined : lastPart(written);
    if (written === undefined || name === undefined) continue;
    const variable = ownNames(scope, name.text)?.find((symbol) => symbol.kind === "variable");
    const hidden = unknownSymbol(name.text);
    redeclare(scope, name.text, hidden);
    const isPrimary = item.parameters.length > 0 && written.parts.length === 1 && name.templateArguments === undefined;
    if (isPrimary && variable?.scope === "program") {
      const text = { item, context };
      rememberVariableTemplate(hidden, { text, primary: variable, item: item.item, init });
    }
  }
}

/** The name that a variable's declarator declares; undefined for a function. */
function nameIn(declarator: Declarator): Name | undefined {
  switch (declarator.kind) {
    case "name":
      return declarator.name;
    case "pointer":
    case "reference":
    case "array":
    case "qualified":
      return nameIn(declarator.inner);
    default:
      return undefined;
  }
}
