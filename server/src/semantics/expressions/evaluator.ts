/** Provides the expression functions that declarations need. They reach them through the program. */
import type { Evaluator } from "../facts/evaluator.ts";
import { convertingConstructor } from "../templates/constructor-choice.ts";
import { deducedClass } from "../templates/deduced-classes.ts";
import { constructPart } from "./constructions.ts";
import { evaluate } from "./expressions.ts";
import { convert } from "./implicit-conversion.ts";
import { convertInitializer, convertInto } from "./initializers.ts";

/** The evaluator that each analysis of a translation unit uses. */
export const evaluator: Evaluator = {
  evaluate,
  convert,
  convertInto,
  convertInitializer,
  constructPart,
  convertingConstructor,
  deducedClass,
};
