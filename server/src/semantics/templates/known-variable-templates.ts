/** Keeps the texts of variable templates until `variable-templates.ts` needs them for an instantiation. */
import type { DeclarationItem, InitDeclarator, TemplateItem } from "../../syntax/ast.ts";
import type { Context } from "../facts/context.ts";
import type { Symbol, VariableSymbol } from "../types/symbols.ts";

/** A variable template, and the variables that it has been instantiated as. */
export interface VariableTemplate {
  readonly text: { readonly item: TemplateItem; readonly context: Context };
  /** The variable as its declaration says, with the parameters unbound. */
  readonly primary: VariableSymbol;
  readonly item: DeclarationItem;
  readonly init: InitDeclarator;
  readonly instances: Map<string, VariableSymbol>;
}

const variableTemplates = new WeakMap<Symbol, VariableTemplate>();

/** Stores a variable template under the symbol that stands for its name. */
export function rememberVariableTemplate(name: Symbol, template: Omit<VariableTemplate, "instances">): void {
  variableTemplates.set(name, { ...template, instances: new Map() });
}

/** The variable template for which the symbol stands; undefined if there is none. */
export function variableTemplateOf(name: Symbol): VariableTemplate | undefined {
  return variableTemplates.get(name);
}
