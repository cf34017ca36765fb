/**
 * A dialect that records which of its properties were read. If two standards give the same answers to every question that a file's analysis
 * asks, the file means the same under both, so it is analyzed once for both.
 */
import type { CudaDialect, Dialect, OpenCLDialect } from "./dialect.ts";

/** A dialect with the questions about it so far. */
export interface TrackedDialect {
  /** The dialect, recording each question. */
  readonly dialect: Dialect;
  /** True if another dialect would have given the same answers to all questions so far. */
  agreesWith(other: Dialect): boolean;
}

interface Question {
  readonly answer: unknown;
  ask(of: OpenCLDialect): unknown;
}

/**
 * A dialect that records which of its properties were read. A CUDA dialect is returned unchanged: a file is judged for the device and for the
 * host, which differ in the text that the preprocessor keeps, and in nothing else.
 */
export function trackedDialect(dialect: Dialect): TrackedDialect {
  if (dialect.language !== "opencl") return { dialect, agreesWith: (other) => other === dialect || isOtherSide(dialect, other) };
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
  /**
   * For each other dialect: how many of the first questions it answers in the same way, and whether its answer to the next one
   * differs.
   */
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

/** True if both dialects are the same language for different sides, as `dialectsOf` gives them. */
function isOtherSide(one: CudaDialect, other: Dialect): boolean {
  return (
    other.language === "cuda" && one.side !== other.side && one.standard === other.standard && one.architectures === other.architectures
  );
}

/**
 * The answer to a question about several properties of a dialect at once. Dialects with different properties may agree in the answer;
 * answers are compared by `===`. The name identifies the question.
 */
export function answerOf<Answer>(dialect: OpenCLDialect, name: string, ask: (of: OpenCLDialect) => Answer): Answer {
  return dialect.note === undefined ? ask(dialect) : dialect.note(name, ask);
}

/** True for OpenCL C 1.0 and 1.1. */
export function isBefore12(dialect: OpenCLDialect): boolean {
  return answerOf(dialect, "is before 1.2", ({ standard }) => standard === "CL1.0" || standard === "CL1.1");
}

/** True for OpenCL C 1.0, 1.1 and 1.2. */
export function isBefore20(dialect: OpenCLDialect): boolean {
  return answerOf(dialect, "is before 2.0", ({ standard }) => standard.startsWith("CL1"));
}
