/** Offers a refactoring whose edits are places in Views, if the author wrote each of them. */
import { type PlacedEdit, toFileEdit } from "../../analyses/placed-edits.ts";
import type { Edit } from "../../source.ts";
import { distinct, type Refactoring } from "./refactoring.ts";

/** The refactoring; none without edits, or if a macro wrote one of the places. */
export function offered(title: string, edits: readonly PlacedEdit[] | undefined): readonly Refactoring[] {
  const placed = edits?.map(toFileEdit) ?? [undefined];
  return placed.every((edit): edit is Edit => edit !== undefined) && placed.length > 0 ? [{ title, edits: distinct(placed) }] : [];
}
