/** Everything that declarations need from expressions, stored in the program. */
import type { Evaluator } from "../facts/evaluator.ts";
import { construct } from "./calls.ts";
import { evaluate } from "./expressions.ts";
import { convert, convertInitializer, convertInto } from "./implicit-conversion.ts";

/** The evaluator of a translation unit's analysis. */
export const evaluator: Evaluator = { evaluate, convert, convertInto, convertInitializer, construct };
