/** The files and the questions about the workspace that a unit depends on. */
import type { Unit } from "./view/view.ts";

/** Kept, because each header that is read in a unit asks for the dependencies of the unit. */
const dependencies = new WeakMap<Unit, readonly string[]>();

/** Every file that a unit depends on, itself first. */
export function dependenciesOf(unit: Unit): readonly string[] {
  const known = dependencies.get(unit) ?? findDependencies(unit);
  dependencies.set(unit, known);
  return known;
}

function findDependencies(unit: Unit): readonly string[] {
  const uris = new Set<string>();
  visit(unit, (current) => {
    uris.add(current.uri);
    for (const uri of current.spliced ?? []) uris.add(uri);
  });
  return [...uris].filter((uri) => !uri.startsWith("builtin:"));
}

/** Headers that the host should read to make the unit complete. */
export function unreadOf(unit: Unit): readonly string[] {
  const uris = new Set<string>();
  visit(unit, (current) => {
    for (const uri of current.unread ?? []) uris.add(uri);
  });
  return [...uris];
}

/** True if the unit may change although none of its files does. */
export function dependsOnWorkspace(unit: Unit): boolean {
  let asks = false;
  visit(unit, (current) => {
    asks ||= current.dependsOnWorkspace === true;
  });
  return asks;
}

function visit(unit: Unit, look: (unit: Unit) => void): void {
  const seen = new Set<Unit>([unit]);
  const stack = [unit];
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    look(current);
    for (const { unit: included } of current.includes) {
      if (included === undefined || seen.has(included)) continue;
      seen.add(included);
      stack.push(included);
    }
  }
}
