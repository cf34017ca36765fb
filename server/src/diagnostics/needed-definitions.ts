/**
 * Finds definitions with which a condition of `#if` holds although its names are not defined. A name that is not defined counts as 0
 * (C11 §6.10.1p4), so a negated name needs nothing. Conditions that need more than a comparison with a number are left out.
 */

/** A macro that a condition needs; without a value it only has to be defined as something else than 0. */
export interface NeededDefinition {
  readonly name: string;
  readonly value?: string;
}

/** The definitions, none if the condition holds without them; undefined if that is not certain. */
export function definitionsFor(condition: string): readonly NeededDefinition[] | undefined {
  const bare = withoutParentheses(condition.trim());
  const either = splitAt(bare, "||");
  if (either.length > 1) return either.map(definitionsFor).find((needed) => needed !== undefined && needed.length > 0);
  const all = splitAt(bare, "&&");
  if (all.length === 1) return ofOperand(bare);
  const needed = all.map(definitionsFor);
  return needed.every((each) => each !== undefined) ? needed.flat() : undefined;
}

/** The macro that must be defined so that a condition fails: `!defined(NAME)`, `!NAME`, `NAME == 0`. */
export function negatedIn(condition: string): string | undefined {
  return negated.exec(withoutParentheses(condition.trim()))?.slice(1).find(Boolean);
}

const tested = String.raw`(?:defined\s*\(\s*(\w+)\s*\)|defined\s+(\w+)|\(?\s*([A-Za-z_]\w*)\s*\)?)`;
const negated = new RegExp(String.raw`^!\s*${tested}$|^([A-Za-z_]\w*)\s*==\s*0$`);
const plain = new RegExp(`^${tested}$`);
const called = /^([A-Za-z_]\w*)\s*\([^()]*\)$/;
const compared = /^([A-Za-z_]\w*)\s*([=!<>]=|[<>])\s*(\w+)$/;

function ofOperand(operand: string): readonly NeededDefinition[] | undefined {
  if (negated.test(operand)) return [];
  const name = plain.exec(operand)?.slice(1).find(Boolean);
  if (name !== undefined) return [{ name }];
  const [, callee] = called.exec(operand) ?? [];
  if (callee !== undefined) return [{ name: `${callee}(...)` }];
  const [, macro = "", operator = "", value = ""] = compared.exec(operand) ?? [];
  if (operator === "==") return [{ name: macro, value }];
  return /^\d{1,9}$/.test(value) ? ofComparison(macro, operator, Number(value)) : undefined;
}

function ofComparison(name: string, operator: string, value: number): readonly NeededDefinition[] | undefined {
  const isTrueForZero = { "!=": value !== 0, ">=": value === 0, ">": false, "<=": true, "<": value > 0 }[operator];
  if (isTrueForZero === true) return [];
  return operator === "<" ? undefined : [{ name, value: `${operator === ">=" ? value : value + 1}` }];
}

/** The parts of a condition between the operators outside of parentheses. */
function splitAt(condition: string, operator: "&&" | "||"): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < condition.length; at += 1) {
    const character = condition[at];
    if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    else if (depth === 0 && condition.startsWith(operator, at)) {
      parts.push(condition.slice(start, at));
      start = at + 2;
      at += 1;
    }
  }
  return [...parts, condition.slice(start)];
}

/** A condition without the parentheses around the whole of it. */
function withoutParentheses(condition: string): string {
  if (!condition.startsWith("(") || !condition.endsWith(")")) return condition;
  let depth = 0;
  for (let at = 0; at < condition.length - 1; at += 1) {
    if (condition[at] === "(") depth += 1;
    else if (condition[at] === ")") depth -= 1;
    if (depth === 0) return condition;
  }
  return withoutParentheses(condition.slice(1, -1).trim());
}
