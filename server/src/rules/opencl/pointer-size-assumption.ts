/** Code that assumes that pointers into different address spaces, or pointers of host and device, have the same size. */
import { pointedSpace } from "../../analyses/pointers/pointer-flow.ts";
import { hostOf, isEmbedded } from "../../names.ts";
import type { ConversionFact } from "../../semantics/facts/facts.ts";
import { decayedType } from "../../semantics/types/predicates.ts";
import type { FunctionDeclaration, RecordSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { type ArithmeticName, containsUnknown, isInteger, printType, type Type, unqualifiedType } from "../../semantics/types/types.ts";
import type { FileUri } from "../../source.ts";
import type { Expression } from "../../syntax/ast.ts";
import { isBefore20 } from "../../tracked-dialect.ts";
import { printPointer } from "../fixes/spaces.ts";
import type { CheckedFile, Rule, RuleFinding } from "../rule.ts";

/** Reports code that assumes the size of a pointer. */
export const pointerSizeAssumption: Rule = {
  id: "pointer-size-assumption",
  title: "code depends on the size of a pointer",
  severity: "warning",
  languages: ["opencl"],
  clause:
    "OpenCL C 3.0 §6.3.1, §6.7: the size of a pointer is that of the device's addresses, which may differ between address spaces; 1.2 §6.9 p",
  documentation: `
A pointer to local memory is an offset of 16 or 32 bits on many devices, one to global memory an address of 64. OpenCL does not
define their sizes, and a host's pointer may have yet another one. So these are not portable:

- comparing \`sizeof\` of pointers to different spaces;
- storing a pointer in an integer that is smaller than \`uintptr_t\`, or converting such an integer to a pointer;
- a buffer argument whose elements contain pointers: the host cannot know what to write there, except for pointers to global memory
  that are declared \`__global\`, from OpenCL C 2.0 on (shared virtual memory) or if the host of the literal allocates unified shared memory. A member without an address space is a
  private or a generic pointer, not a host pointer.

**What to do**: store indices (\`uint\`) relative to a buffer; if the bits of a pointer are needed, use \`uintptr_t\`.`,
  limits: "A size is not followed through a variable or a macro.",
  examples: [
    {
      language: "opencl",
      bad: `kernel void keep(local int *tile, global uint *out) {
  out[0] = (uint)tile; // <-
}`,
      good: `kernel void keep(local int *tile, global ulong *out) {
  out[0] = (uintptr_t)tile;
}`,
    },
    {
      language: "opencl",
      bad: `typedef struct { float *data; int count; } list;
kernel void clear(global list *lists) { // <-
  lists[0].count = 0;
}`,
      good: `typedef struct { uint data; int count; } list;
kernel void clear(global list *lists, global float *values) {
  lists[0].count = 0;
}`,
    },
  ],
  check({ facts, dialect, file }, report) {
    if (dialect.language !== "opencl") return;
    for (const fact of facts.spaces) {
      if (fact.kind === "pointer-sizes")
        report({ place: fact.place, message: `pointers to ${fact.left} and to ${fact.right} memory need not have the same size` });
    }
    for (const fact of facts.conversions) {
      const finding = castFinding(fact);
      if (finding !== undefined) report(finding);
    }
    const sharesGlobal = () => !isBefore20(dialect) || isSharedByHost(file);
    for (const { declarations } of facts.functions) {
      for (const declaration of declarations) {
        if (!declaration.execution.kernel || !declaration.isDefinition) continue;
        for (const finding of bufferFindings(declaration, sharesGlobal)) report(finding);
      }
    }
  },
};

/** The integer types that are smaller than a pointer to global memory on a 64-bit device. */
const small: ReadonlySet<ArithmeticName> = new Set<ArithmeticName>([
  "char",
  "signed char",
  "unsigned char",
  "short",
  "unsigned short",
  "int",
  "unsigned int",
]);

function castFinding(fact: ConversionFact): RuleFinding | undefined {
  if (fact.context !== "cast") return undefined;
  if (isSmall(fact.to) && isPointer(fact.from))
    return {
      place: fact.place,
      message: `'${printType(unqualifiedType(fact.to))}' may be too small for a ${pointerName(decayedType(fact.from))}`,
    };
  if (isSmall(fact.from) && fact.to.kind === "pointer" && !isLiteral(fact.operand))
    return {
      place: fact.place,
      message: `'${printType(unqualifiedType(fact.from))}' may be too small to have held a ${pointerName(fact.to)}`,
    };
  return undefined;
}

/** The type in quotation marks; the class of object alone if a part of the type is unknown. */
function pointerName(type: Type): string {
  return containsUnknown(type) ? "pointer" : `'${printPointer(type)}'`;
}

function isSmall(type: Type): boolean {
  return isInteger(type) && (type.kind === "enum" || (type.kind === "arithmetic" && small.has(type.name)));
}

function isPointer(type: Type): boolean {
  return type.kind === "pointer" || type.kind === "array";
}

/** True for a literal address, which is the author's decision. */
function isLiteral(e: Expression): boolean {
  switch (e.kind) {
    case "parenthesized":
      return isLiteral(e.inner);
    case "unary":
      return isLiteral(e.operand);
    case "cast":
      return isLiteral(e.operand);
    case "binary":
      return isLiteral(e.left) && isLiteral(e.right);
    default:
      return e.kind === "number" || e.kind === "character" || e.kind === "sizeof";
  }
}

/** Reports kernel arguments that point to structures which contain pointers. */
function* bufferFindings(declaration: FunctionDeclaration, sharesGlobal: () => boolean): Generator<RuleFinding> {
  for (const { symbol } of declaration.parameters) {
    if (symbol.type.kind !== "pointer" || symbol.type.pointee.kind !== "record") continue;
    const { space } = symbol.type.pointee.qualifiers;
    if (space !== "global" && space !== "constant") continue;
    const member = pointerMember(symbol.type.pointee.record, sharesGlobal, new Set());
    if (member === undefined) continue;
    yield {
      place: symbol.place,
      message: `'${symbol.name}' cannot be filled by the host: its member '${member.name}' is a device pointer`,
      related: [{ message: `'${member.name}' is declared here`, place: member.place }],
    };
  }
}

function pointerMember(record: RecordSymbol, sharesGlobal: () => boolean, seen: Set<RecordSymbol>): VariableSymbol | undefined {
  if (seen.has(record)) return undefined;
  seen.add(record);
  for (const member of record.members ?? []) {
    let { type } = member;
    while (type.kind === "array") type = type.element;
    if (type.kind === "pointer" && isUnshareable(type, sharesGlobal)) return member;
    const inner = type.kind === "record" ? pointerMember(type.record, sharesGlobal, seen) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** True if the host and the device cannot share pointers of this type. */
function isUnshareable(type: Type, sharesGlobal: () => boolean): boolean {
  const space = pointedSpace(type);
  return space !== undefined && (space !== "global" || !sharesGlobal());
}

/** Functions for shared virtual memory, and for unified shared memory (cl_intel_unified_shared_memory). */
const sharing = /\bcl(?:SVMAlloc|(?:Host|Device|Shared)MemAllocINTEL|SetKernelArg(?:SVMPointer|MemPointerINTEL))\b/;

/** True for a source in a literal whose host allocates memory with addresses that are valid on both sides. */
function isSharedByHost(file: CheckedFile): boolean {
  return isEmbedded(file.uri) && sharing.test(file.textOf(hostOf(file.uri) as FileUri));
}
