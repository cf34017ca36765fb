/** What reading a top-level file may cost, and how cached units and pieces draw on it. */

/** Numbers of headers, of their characters, of tokens created during expansion, and of tokens that expansion leaves for the parser. */
export interface Costs {
  files: number;
  characters: number;
  tokens: number;
  written: number;
}

const kinds = ["files", "characters", "tokens", "written"] as const;

/** The cost of nothing. */
export const noCosts: Readonly<Costs> = { files: 0, characters: 0, tokens: 0, written: 0 };

/** What was spent between two states of a budget. */
export function costBetween(before: Costs, after: Costs): Costs {
  const cost = { ...before };
  charge(cost, after);
  return cost;
}

/** Takes the cost from the budget. A unit costs what it cost when it was read, so the order in which units were read does not matter. */
export function charge(budget: Costs, cost: Costs): void {
  for (const kind of kinds) budget[kind] -= cost[kind];
}

/** Adds a cost to a sum of costs. */
export function add(sum: Costs, cost: Costs): void {
  for (const kind of kinds) sum[kind] += cost[kind];
}

/** Whether the budget covers the cost. */
export function isAffordable(budget: Costs, cost: Costs): boolean {
  return kinds.every((kind) => cost[kind] <= budget[kind]);
}

/** Whether some part of the budget is used up. */
export function isOverdrawn(budget: Costs): boolean {
  return kinds.some((kind) => budget[kind] <= 0);
}

/** Whether nothing more can be included. */
export function isFull({ files, characters }: Costs): boolean {
  return files < 0 || characters < 0;
}
