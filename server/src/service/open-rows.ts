/**
 * Keeps the rows of files that are read by pieces. A file has one row for each language mode, whichever translation units it belongs to,
 * and each row is derived from the last one, so that pieces keep their names.
 */
import type { Dialect } from "../dialect.ts";
import type { Row } from "../preprocess/preprocessor.ts";
import type { FileUri } from "../source.ts";
import type { Tools } from "./options.ts";

/** The rows of files as they are now. */
export interface OpenRows {
  /** The row of a file; a word if it has none. */
  of(uri: FileUri, dialect: Dialect): Row | "absent" | "unread" | "too-large";
}

/** How many rows are kept. */
const mostRows = 64;
/** The limit on pieces. A file with more is generated, and each piece requires a pass over all others. */
const mostPieces = 10_000;

/** Creates rows of the texts that the preprocessor reads. */
export function createOpenRows({ preprocessor }: Pick<Tools, "preprocessor">): OpenRows {
  const rows = new Map<string, Row>();
  return {
    of: (uri, dialect) => {
      const key = `${dialect.cplusplus} ${uri}`;
      const row = preprocessor.row(uri, dialect, rows.get(key));
      rows.delete(key);
      if (typeof row === "string") return row;
      rows.set(key, row);
      const [oldest] = rows.keys();
      if (rows.size > mostRows && oldest !== undefined) rows.delete(oldest);
      return row.pieces.length > mostPieces ? "too-large" : row;
    },
  };
}
