/** The facts about OpenCL's own restrictions: declarators, types and operations that the language does not have. */
import type { FunctionDeclaration, FunctionSymbol, Place, SpecifierWord } from "../types/symbols.ts";
import type { Type } from "../types/types.ts";

/** OpenCL: `restrict` among the specifiers of a type that is not a pointer; `type` is that type without it. */
export interface RestrictFact {
  readonly word: SpecifierWord;
  readonly type: Type;
}

/** OpenCL: an array whose length is certainly not constant. `place` is the declared name, or the brackets; `name` is empty then. */
export interface VariableLengthFact {
  readonly name: string;
  readonly place: Place;
}

/** OpenCL: a declarator that creates a pointer or reference to a function, or a function that is used without being called. */
export interface FunctionPointerFact {
  readonly kind: "pointer" | "reference" | "address" | "variadic block";
  readonly place: Place;
}

/** OpenCL C: a computation with `half` while `cl_khr_fp16` is not enabled (OpenCL C 3.0 §6.3.1.6). */
export interface HalfFact {
  readonly use: "declaration" | "member" | "literal" | "cast" | "load" | "store";
  readonly place: Place;
  /** An earlier pragma disables the extension. */
  readonly isSwitchedOff?: true;
}

/** OpenCL C 1.0 and 1.1: `double` or a vector of it, where it is written while `cl_khr_fp64` is not enabled (OpenCL 1.1 §9.3). */
export interface DoubleFact {
  readonly name: string;
  readonly place: Place;
  /** An earlier pragma disables the extension. */
  readonly isSwitchedOff?: true;
}

/**
 * OpenCL: a literal of type `double` where the program wants a `float`. As an `operand` beside a `float` it makes the operation one of
 * doubles; beside a `vector` of floats it is not allowed; a `cast` converts it, also in a vector literal.
 */
export interface DoubleLiteralFact {
  readonly use: "operand" | "vector" | "cast";
  readonly place: Place;
}

/** OpenCL: a type, `pipe`, `block` or `read_write` that the selected standard lacks, where it is written. */
export interface FeatureFact {
  readonly name: string;
  /** For `new`: the operator that the program declares, but with other parameters. */
  readonly misfit?: string;
  readonly place: Place;
  /** CUDA: where it is used. */
  readonly within?: FunctionSymbol;
  readonly lambda?: FunctionSymbol;
}

/** OpenCL: a redeclaration of a function that is incompatible although the language has no overloads here. */
export interface RedeclarationFact {
  readonly declaration: FunctionDeclaration;
  readonly previous: FunctionDeclaration;
}
