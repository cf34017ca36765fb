/**
 * A dialect that notes what it is asked. A text that asks nothing in which two standards differ means the same under both, so it is
 * read once for both of them.
 */
import type { Dialect, OpenCLDialect } from "./dialect.ts";

/** A dialect and what it was asked. */
export interface AskedDialect {
  /** Answers as the dialect does, and notes each question. */
  readonly dialect: Dialect;
  /** Whether another dialect would have given all the same answers so far. */
  agreesWith(other: Dialect): boolean;
}

interface Question {
  readonly answer: unknown;
  ask(of: OpenCLDialect): unknown;
}

/** A dialect that notes its questions. CUDA's is returned as it is: no file is judged by two of them. */
export function askedDialect(dialect: Dialect): AskedDialect {
  if (dialect.language !== "opencl") return { dialect, agreesWith: (other) => other === dialect };
  const names = new Set<string>();
  const questions: Question[] = [];
  const note = <Answer>(name: string, ask: (of: OpenCLDialect) => Answer): Answer => {
    const answer = ask(dialect);
    if (!names.has(name)) {
      names.add(name);
      questions.push({ answer, ask });
    }
    return answer;
  };
  /** For other dialects: how many questions they would have answered alike, and whether they differ in the next. */
  const compared = new Map<Dialect, { alike: number; differs: boolean }>();
  return {
    dialect: {
      language: "opencl",
      cplusplus: dialect.cplusplus,
      note,
      has: (feature) => note(`has ${feature}`, (of) => of.has(feature)),
      get standard() {
        return note("standard", (of) => of.standard);
      },
      get label() {
        return note("label", (of) => of.label);
      },
      get genericAddressSpace() {
        return note("generic", (of) => of.genericAddressSpace);
      },
      get programScopeGlobalVariables() {
        return note("global variables", (of) => of.programScopeGlobalVariables);
      },
      get features() {
        return note("features", (of) => of.features);
      },
    },
    agreesWith: (other) => {
      if (other === dialect) return true;
      if (other.language !== "opencl" || other.cplusplus !== dialect.cplusplus) return false;
      const known = compared.get(other) ?? { alike: 0, differs: false };
      compared.set(other, known);
      for (; !known.differs && known.alike < questions.length; known.alike += 1) {
        const question = questions[known.alike];
        known.differs = question !== undefined && question.ask(other) !== question.answer;
      }
      return !known.differs;
    },
  };
}

/**
 * What a dialect says to a question whose answer is made of several of its properties: dialects that differ in those may still agree
 * in the answer, which is compared by `===`. The name stands for the question.
 */
export function answerOf<Answer>(dialect: OpenCLDialect, name: string, ask: (of: OpenCLDialect) => Answer): Answer {
  return dialect.note === undefined ? ask(dialect) : dialect.note(name, ask);
}
