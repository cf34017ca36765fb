/**
 * Finds the definition for an instantiated declaration: of a function template that is defined after the place that asks for it, or of a
 * class template's member that is defined outside of the class, as in `template <class T> void P<T>::f() {}`.
 */
import type { FunctionInstance, Program } from "../facts/context.ts";
import { atEnd } from "../symbols/clock.ts";
import { instancesAround, scopeOfRecord, scopeOutside } from "../symbols/record-scopes.ts";
import { enclosingNamespace, functionsOf, lookupIn, ownNames, type Scope } from "../symbols/scope.ts";
import type { FunctionDeclaration, FunctionSymbol, RecordSymbol } from "../types/symbols.ts";
import type { TemplateValue } from "../types/types.ts";
import { argumentKey } from "./argument-keys.ts";
import { guarded, textOfInstance } from "./class-templates.ts";
import { complete, type FunctionTemplate, functionTemplateOf, instanceOf } from "./function-templates.ts";
import { bindInOrder, instanceScope, type TemplateText, templateOf } from "./template-arguments.ts";

/**
 * The instantiation of the template's definition, which may follow the place that asks for it: the end of the translation unit is a
 * point of instantiation, too (C++17 §17.6.4.1p8). The instantiation itself if there is no definition.
 */
export function definedInstance(program: Program, symbol: FunctionSymbol, instance: FunctionInstance): FunctionInstance {
  if (instance.declaration.isDefinition) return instance;
  const template = functionTemplateOf(symbol);
  if (template !== undefined && isDefinedAsTemplate(template, symbol))
    return complete(program, template, bindInOrder(template.text.item.parameters, instance.arguments)) ?? instance;
  return instanceOutside(program, symbol, instance, template !== undefined) ?? instance;
}

/** False for a function template without a definition in the translation unit, which nothing can instantiate there. */
export function isDefinedTemplate(symbol: FunctionSymbol): boolean {
  const template = functionTemplateOf(symbol);
  if (template === undefined || isDefinedAsTemplate(template, symbol)) return true;
  const { record } = symbol;
  if (record === undefined) return false;
  const [outermost] = instancesAround(record);
  const inText = outermost === undefined ? record : inTemplate(record, outermost, textOfInstance(outermost)?.template);
  return definitionOf(inText, symbol.name, template.declaration) !== undefined;
}

function isDefinedAsTemplate(template: FunctionTemplate, { name, record }: FunctionSymbol): boolean {
  const { scope } = template.text.context;
  // The definition may be lazy, until its name is looked up.
  if (!template.declaration.isDefinition)
    atEnd(scope.clock, () => ownNames(enclosingNamespace(scope), record === undefined ? name : (record.tag ?? "")));
  return template.declaration.isDefinition;
}

/** The instantiation of a member that is defined outside of its class template; undefined if it is not, or if that is unknown. */
function instanceOutside(
  program: Program,
  member: FunctionSymbol,
  { declaration, arguments: own }: FunctionInstance,
  isTemplate: boolean,
): FunctionInstance | undefined {
  const { record } = member;
  const ofRecord = record === undefined ? undefined : scopeOfRecord(record);
  if (record === undefined || ofRecord === undefined) return undefined;
  const [outermost, ...nested] = instancesAround(record);
  const texts = outermost === undefined ? [] : [outermost, ...nested].flatMap((each) => textOfInstance(each) ?? []);
  const template = definitionOf(inTemplate(record, outermost, texts[0]?.template), member.name, declaration);
  // An explicit specialization has no text of its template.
  if (template === undefined || texts.length < nested.length + 1) return undefined;
  const all = [...texts.map(({ arguments: values }) => values), ...(isTemplate ? [own] : [])];
  const key = `outside ${all.flat().map(argumentKey).join(", ")}`;
  const known = template.instances.get(key);
  if (known !== undefined && known.declaration === template.declaration) return known;
  const made = guarded(program, () => read(template, all, own, ofRecord));
  if (made !== undefined) template.instances.set(key, made);
  return made;
}

/** The class from whose text a class in an instantiation was read. */
function inTemplate(
  record: RecordSymbol,
  outermost: RecordSymbol | undefined,
  template: RecordSymbol | undefined,
): RecordSymbol | undefined {
  let found = template;
  const path: string[] = [];
  for (let scope = scopeOfRecord(record); scope !== undefined && scope.record !== outermost; scope = scope.parent)
    if (scope.record !== undefined) path.unshift(scope.record.tag ?? "");
  for (const tag of path) {
    const scope = found === undefined ? undefined : scopeOfRecord(found);
    found = scope === undefined ? undefined : lookupIn(scope, tag).find((symbol) => symbol.kind === "record");
  }
  return found;
}

/** The definition outside of the class, for all arguments, of a member with this declaration inside. */
function definitionOf(record: RecordSymbol | undefined, name: string, declaration: FunctionDeclaration): FunctionTemplate | undefined {
  const scope = record === undefined ? undefined : scopeOfRecord(record);
  if (scope === undefined) return undefined;
  // The definition may be lazy, until its name is looked up.
  const all = atEnd(scope.clock, () => {
    ownNames(enclosingNamespace(scope), record?.tag ?? "");
    return functionsOf(lookupIn(scope, name)).filter(({ type }) => type.parameters.length === declaration.type.parameters.length);
  });
  const own = all.find(({ declarations }) => declarations.some((each) => isSame(each, declaration)));
  if (own === undefined) return undefined;
  const template = functionTemplateOf(own);
  if (template?.declaration.isDefinition === true) return template;
  // A definition whose parameters have other names than in the class may not have been found to be the same function.
  const alone = all.filter(isOutsideAlone);
  const open = all.filter((each) => !alone.includes(each) && !each.declarations.some(({ isDefinition }) => isDefinition));
  const [only] = alone;
  return only !== undefined && alone.length === 1 && open.length === 1 ? functionTemplateOf(only) : undefined;
}

/** True for a definition outside of the class that none of the declarations in the class was found for. */
function isOutsideAlone(symbol: FunctionSymbol): boolean {
  const [first] = symbol.declarations;
  return first?.isDefinition === true && functionTemplateOf(symbol)?.declaration === first;
}

function isSame({ namePlace: a }: FunctionDeclaration, { namePlace: b }: FunctionDeclaration): boolean {
  return a.unit.uri === b.unit.uri && a.span.start === b.span.start;
}

/** Reads the head of a definition once more with the arguments of each template around it. */
function read(
  { text, declaration }: FunctionTemplate,
  all: readonly (readonly TemplateValue[])[],
  own: readonly TemplateValue[],
  ofClass: Scope,
): FunctionInstance | undefined {
  const levels: TemplateText[] = [];
  for (let level: TemplateText | undefined = text; level !== undefined; level = templateOf(level.context)) levels.unshift(level);
  if (levels.length !== all.length) return undefined;
  let scope = levels[0]?.context.scope ?? ofClass;
  for (const [index, { item, context }] of levels.entries()) {
    const bindings = bindInOrder(item.parameters, all[index] ?? []);
    const opened = instanceScope({ item, context: { ...context, scope } }, item.parameters, bindings);
    if (opened === undefined) return undefined;
    scope = opened.scope;
  }
  return instanceOf(text, declaration, scopeOutside(scope, ofClass), own);
}
