/** The form in which clang's verdicts on pairs of pointer types are recorded, and the reading of the types in them. */
import type { AddressSpace } from "../../../server/src/qualifiers.ts";
import { type ArithmeticName, arithmetic, type Type, unqualified, voidType } from "../../../server/src/semantics/types/types.ts";

export const conversionOperations = ["assign", "cast", "equal", "less", "subtract", "conditional"] as const;
export type Operation = (typeof conversionOperations)[number];

export interface ConversionRecord {
  readonly compiler: string;
  readonly passes: Readonly<Record<string, ConversionTables>>;
}

export interface ConversionTables {
  readonly types: readonly string[];
  /**
   * A row is the first operand or the converted type; a column is the second operand or the target. `.` means that clang reports
   * nothing. Errors: `S` another address space, `N` another address space of a nested pointer, `Q` discarded qualifiers, `R` discarded
   * qualifiers of a nested pointer, `I` incompatible pointees, `X` an error without a reason. Small letters are warnings.
   */
  readonly tables: Readonly<Record<Operation, readonly string[]>>;
  /** `left operand | right operand | type of ?:`, all in clang's spelling. */
  readonly conditionalTypes: readonly string[];
}

const structure = {
  kind: "record",
  tag: "S",
  qualifiedName: "S",
  key: "struct",
  members: [],
  functions: [],
  staticMembers: [],
  bases: [],
  isDependent: false,
  alignment: undefined,
  isPacked: false,
  isPolymorphic: false,
  isIncomplete: false,
  place: undefined,
  isBuiltin: false,
} satisfies Extract<Type, { kind: "record" }>["record"];

/** Reads a pointer type without arrays and functions: `const __global int *__private *`. */
export function readPointerType(text: string): Type {
  let type: Type | undefined;
  let qualifiers = { ...unqualified };
  const finish = () => {
    if (type !== undefined) type = { ...type, qualifiers };
    qualifiers = { ...unqualified };
  };
  for (const [word] of text.matchAll(/unsigned int|struct S|\w+|\*/g)) {
    if (word === "*") {
      finish();
      type = { kind: "pointer", pointee: type ?? voidType, qualifiers: unqualified };
    } else if (word === "const" || word === "volatile") qualifiers = { ...qualifiers, [word]: true };
    else if (word === "restrict" || word === "__restrict") qualifiers = { ...qualifiers, restrict: true };
    else if (/^__(global|local|constant|private|generic)$/.test(word)) qualifiers = { ...qualifiers, space: word.slice(2) as AddressSpace };
    else if (word === "void") type = voidType;
    else if (word === "struct S") type = { kind: "record", record: structure, qualifiers: unqualified };
    else type = arithmetic(word as ArithmeticName);
  }
  finish();
  if (type === undefined) throw new Error(`no type in '${text}'`);
  return type;
}
