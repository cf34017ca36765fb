/** Runs the layers up to the facts over one text, without a Service. */
import { type Dialect, dialectsOf, type Language, noSettings } from "../../../server/src/dialect.ts";
import { createPreprocessor } from "../../../server/src/preprocess/preprocessor.ts";
import { prelude } from "../../../server/src/semantics/builtins/index.ts";
import { type Analysis, analyze } from "../../../server/src/semantics/units/analyze.ts";
import { builtinsOf } from "../../../server/src/service/builtins.ts";
import { memoryFiles, settingsFor, testParser } from "../../service.ts";

export const parser = await testParser();

/** The dialect of a standard as the fixtures name it. */
export function dialectOf(language: Language, pass: string | undefined): Dialect {
  const [dialect] = dialectsOf(language, settingsFor({ language, flags: [], limits: {} }, pass), "file:///a");
  if (dialect === undefined) throw new Error("a language has a dialect");
  return dialect;
}

export const cuda = dialectOf("cuda", undefined);

export function analyzeText(text: string, dialect: Dialect): Analysis {
  const uri = "file:///a";
  const { preludes, trees } = builtinsOf(parser);
  const unit = createPreprocessor(memoryFiles(new Map([[uri, text]])), preludes).unit(uri, dialect, noSettings, prelude(dialect));
  if (typeof unit === "string") throw new Error(`the text is ${unit}`);
  return analyze({
    unit,
    dialect,
    focus: uri,
    syntaxOf: (other) => trees(other.view.text),
    parseText: trees,
  });
}
