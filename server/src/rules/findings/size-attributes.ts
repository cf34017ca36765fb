/**
 * Attributes of kernels whose numbers or types no compiler accepts, `reqd_work_group_size(64, 1)`, `amdgpu_waves_per_eu(4, 2)`, or
 * that are not on a function.
 */
import type { Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, SizeAttribute } from "../../semantics/types/symbols.ts";
import { printType } from "../../semantics/types/types.ts";
import type { RuleFinding } from "../rule.ts";

/** The attributes with such a name on variables, parameters, members and types. */
export function strayAttributeFindings({ strayAttributes }: Facts, names: RegExp): readonly RuleFinding[] {
  return strayAttributes
    .filter(({ name }) => names.test(name))
    .map(({ name, on, place }) => ({ place, severity: "error", message: `'${name}' is for kernels, not for a ${on}` }));
}

/** What is wrong with the numbers or the type of those attributes of a function that have such a name. */
export function sizeAttributeFindings({ declarations }: FunctionSymbol, names: RegExp): readonly RuleFinding[] {
  return declarations.flatMap(({ sizeAttributes = [], isUncertain }) =>
    isUncertain === true ? [] : sizeAttributes.filter(({ name }) => names.test(name)).flatMap(findingOf),
  );
}

function findingOf(attribute: SizeAttribute): readonly RuleFinding[] {
  const { name, place, values, unusable } = attribute;
  if (unusable !== undefined) return [{ place: unusable.place, severity: "error", message: unusableMessage(name, unusable) }];
  const message = problemOf(
    name,
    values.length,
    values.map(([value]) => value),
  );
  return message === undefined ? [] : [{ place, severity: "error", message }];
}

function unusableMessage(name: string, { is, type }: NonNullable<SizeAttribute["unusable"]>): string {
  if (name === "vec_type_hint") return `'${name}' takes a type of numbers or a vector, not '${printType(type)}'`;
  const isOfType = `this is of type '${printType(type)}'`;
  const why = is === "runtime" ? "this value is known only at run time" : is === "type" ? "this is a type" : isOfType;
  return `'${name}' needs integer constants, ${why}`;
}

function problemOf(name: string, count: number, [first, ...others]: readonly (number | undefined)[]): string | undefined {
  const counts = argumentCounts.get(name);
  if (counts === undefined) return undefined;
  if (count > counts.most || count < counts.least) return `'${name}' takes ${counts.text}`;
  const all = [first, ...others].filter((value) => value !== undefined);
  if (!name.startsWith("amdgpu_")) return all.some((value) => value <= 0) ? `'${name}' needs positive numbers` : undefined;
  const [greatest] = others;
  if (first === undefined || greatest === undefined) return undefined;
  if (first === 0 && greatest > 0) return `the greatest value of '${name}' must be 0 because the least is`;
  return first > greatest && greatest > 0 ? `the least value of '${name}' is greater than the greatest` : undefined;
}

const three = { least: 3, most: 3, text: "three numbers" };
const two = { least: 2, most: 2, text: "two numbers" };
const one = { least: 1, most: 1, text: "one number" };

const argumentCounts: ReadonlyMap<string, { readonly least: number; readonly most: number; readonly text: string }> = new Map([
  ["reqd_work_group_size", three],
  ["work_group_size_hint", three],
  ["intel_reqd_sub_group_size", one],
  ["vec_type_hint", { least: 1, most: 1, text: "one type" }],
  ["amdgpu_flat_work_group_size", two],
  ["amdgpu_waves_per_eu", { least: 1, most: 2, text: "one or two numbers" }],
  ["amdgpu_num_sgpr", one],
  ["amdgpu_num_vgpr", one],
]);
