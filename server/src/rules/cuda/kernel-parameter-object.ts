/**
 * Kernel parameters of a class type that cannot be copied byte by byte: with virtual functions, copy constructors, destructors or
 * reference members, and the containers of the standard library.
 */
import { executionOf } from "../../analyses/device-code.ts";
import { groupBy } from "../../analyses/group-by.ts";
import { destructorOf } from "../../semantics/declarations/initialization.ts";
import { isPlainCopy } from "../../semantics/declarations/plain-copies.ts";
import { constructorsOf } from "../../semantics/symbols/candidates.ts";
import { innermostElement } from "../../semantics/types/predicates.ts";
import type { FunctionDeclaration, FunctionSymbol, Place, RecordSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import { isIn } from "../predicates.ts";
import type { Rule, RuleFinding } from "../rule.ts";

/** Reports by-value kernel parameters of a class type that cannot be copied byte by byte. */
export const kernelParameterObject: Rule = {
  id: "kernel-parameter-object",
  title: "a kernel takes by value an object that cannot be copied byte by byte",
  severity: "warning",
  languages: ["cuda"],
  clause:
    "CUDA C++ Programming Guide, C++ language support: it is not allowed to pass as an argument to a __global__ function an object of a class with virtual functions or virtual base classes; __global__ function argument processing: memcpy instead of the copy constructor, and the destructor may run before the kernel has finished",
  documentation: `
A launch copies the bytes of its arguments.

- An object with **virtual functions** or virtual bases contains the address of the host's virtual table: a virtual call in the
  kernel jumps to host code. This is not allowed, but compiles silently.
- Its **destructor** runs on the host when the launch returns, usually before the kernel has finished: the kernel then uses freed
  resources.
- A **reference member** holds the address of the object that the host bound it to, as a reference parameter would.
- The **containers** of the standard library, such as \`std::vector\` and \`std::string\`, hold addresses of host memory. They are
  recognized by their names where their headers are missing.
- Its **copy constructor** runs on the host only; the device gets a bytewise copy of the result. That is an info, once for each
  class, and is not reported if the constructor copies the members as an implicit one would.

A class is reported once, with the other kernels that take one.

**What to do**: pass a plain struct of values and device pointers, and let the owner live until the kernel has finished.`,
  limits:
    "Classes that are only declared here, or with unknown bases, are not judged. A reference member is reported even if the host binds it to memory that the device can access.",
  examples: [
    {
      language: "cuda",
      bad: `struct Shape { float size; __device__ virtual float area() const; };
__global__ void measure(Shape shape, float *out) { *out = shape.size; } // <-`,
      good: `struct Shape { float size; __device__ float area() const; };
__global__ void measure(Shape shape, float *out) { *out = shape.size; }`,
    },
    {
      language: "cuda",
      bad: `void release(float *data);
struct Buffer { float *data; ~Buffer() { release(data); } };
__global__ void fill(Buffer buffer) { buffer.data[threadIdx.x] = 0; } // <-`,
      good: `struct View { float *data; };
__global__ void fill(View view) { view.data[threadIdx.x] = 0; }`,
    },
  ],
  checkFile({ facts, dialect, file }, report) {
    if (dialect.language !== "cuda") return;
    const objects = groupBy(facts.functions.flatMap(objectsOf), ({ record }) => record);
    // The cause is the class, so each class is reported once, where the first kernel of this file takes it.
    for (const [record, all] of objects) {
      const first = all.find(({ place }) => isIn(file, place));
      const problem = first === undefined ? undefined : problemOf(record, first.symbol.name);
      if (first === undefined || problem === undefined) continue;
      const others = all.filter((each) => each !== first).map(({ place }) => ({ message: "this kernel takes one as well", place }));
      report({ place: first.place, ...problem, related: [...(problem.related ?? []), ...others] });
    }
    for (const { symbol, place, container } of facts.functions.flatMap(containersOf))
      if (isIn(file, place)) {
        const what = symbol.name === "" ? "the parameter" : `'${symbol.name}'`;
        report({ place, message: `${what} is a 'std::${container}', whose elements are in host memory` });
      }
  },
};

/** Classes of the standard library whose objects hold addresses of memory that they allocate. */
const containers: ReadonlySet<string> = new Set(
  "vector string wstring deque list forward_list map multimap set multiset unordered_map unordered_multimap unordered_set unordered_multiset function any unique_ptr shared_ptr weak_ptr queue stack priority_queue".split(
    " ",
  ),
);

/** The parameters of a kernel's declarations that are such containers, whose headers are missing. */
function containersOf({
  declarations,
}: FunctionSymbol): readonly { readonly symbol: VariableSymbol; readonly place: Place; readonly container: string }[] {
  const kernel = kernelDeclaration(declarations);
  return (kernel?.parameters ?? []).flatMap(({ symbol, place, writtenType }, index) => {
    if (writtenType.kind !== "unknown") return [];
    const type = kernel?.declarator.parameters[index]?.specifiers.type;
    const [space, name, ...more] = type?.kind === "named" ? type.name.parts.map(({ text }) => text) : [];
    const isContainer = space === "std" && name !== undefined && more.length === 0 && containers.has(name);
    return isContainer ? [{ symbol, place, container: name }] : [];
  });
}

/** The definition of a kernel, or else its first declaration. */
function kernelDeclaration(declarations: readonly FunctionDeclaration[]): FunctionDeclaration | undefined {
  return (
    declarations.find(({ isDefinition, execution }) => isDefinition && execution.kernel) ??
    declarations.find(({ execution }) => execution.kernel)
  );
}

/** The parameters of a kernel that are objects: those of its definition, or else of its first declaration. */
function objectsOf({ declarations }: FunctionSymbol): readonly { record: RecordSymbol; symbol: VariableSymbol; place: Place }[] {
  return (kernelDeclaration(declarations)?.parameters ?? []).flatMap(({ symbol, place }) =>
    symbol.type.kind === "record" && !symbol.type.record.isBuiltin ? [{ record: symbol.type.record, symbol, place }] : [],
  );
}

function problemOf(record: RecordSymbol, name: string): Omit<RuleFinding, "place"> | undefined {
  if (record.members === undefined || record.isIncomplete || record.isDependent) return undefined;
  const what = name === "" ? "the parameter" : `'${name}'`;
  if (record.isPolymorphic) return { message: `${what} has virtual functions, which only the host can call` };
  const destructor = destructorOf(record);
  // A virtual destructor counts as nontrivial, but the virtual table of its class is the greater problem.
  if (destructor?.record?.isPolymorphic === true)
    return {
      message: `${what} has a member or base with virtual functions, which only the host can call`,
      related: declaredAt(destructor),
    };
  if (destructor !== undefined && !isNeverCopied(record))
    return { message: `the destructor of ${what} may run before the kernel has finished`, related: declaredAt(destructor) };
  const reference = referenceMemberOf(record, 0);
  if (reference !== undefined)
    return {
      message: `'${reference.name}' of ${what} is a reference: the kernel gets an address, not the object`,
      related: [{ message: `'${reference.name}' is declared here`, place: reference.place }],
    };
  const copy = constructorsOf(record).find((each) => isCopy(each, record) && mayDoMoreThanCopy(each));
  return copy === undefined
    ? undefined
    : {
        severity: "info",
        message: `the copy constructor of ${what} runs on the host; the device gets its bytes`,
        related: declaredAt(copy),
      };
}

/** The first member of reference type, of the class or of a part of it. */
function referenceMemberOf(record: RecordSymbol, depth: number): VariableSymbol | undefined {
  if (depth > deepestPart) return undefined;
  for (const member of record.members ?? []) {
    if (member.type.kind === "reference") return member;
    const element = innermostElement(member.type);
    const inner = element.kind === "record" ? referenceMemberOf(element.record, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  for (const base of record.bases) {
    const inner = base.kind === "record" ? referenceMemberOf(base.record, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const deepestPart = 20;

/** True for a user-provided copy constructor, rather than `= default` or `= delete`. */
function isCopy(constructor: FunctionSymbol, record: RecordSymbol): boolean {
  const [first] = constructor.type.parameters;
  if (!isCopyOrMove(constructor, record) || (first?.kind === "reference" && first.isRvalue)) return false;
  return !constructor.declarations.some(({ special }) => special === "default" || special === "delete");
}

function isCopyOrMove({ type: { parameters } }: FunctionSymbol, record: RecordSymbol): boolean {
  const [first] = parameters;
  return parameters.length === 1 && first?.kind === "reference" && first.referent.kind === "record" && first.referent.record === record;
}

/**
 * True if nothing can copy or move an object of the class. Then no launch has a copy of it that it destroys: the host passes the address
 * of its own object to `cudaLaunchKernel`.
 */
function isNeverCopied(record: RecordSymbol): boolean {
  // A class is visited once. The set grows while it is walked.
  const parts = new Set([record]);
  for (const part of parts) {
    const own = constructorsOf(part).filter((each) => isCopyOrMove(each, part));
    if (own.length > 0 && own.every(({ declarations }) => declarations.some(({ special }) => special === "delete"))) return true;
    // A class with constructors of its own decides how its parts are copied.
    if (own.length > 0) continue;
    for (const type of [...(part.members ?? []).map((member) => innermostElement(member.type)), ...part.bases])
      if (type.kind === "record") parts.add(type.record);
  }
  return false;
}

/**
 * True if a copy constructor may do more than copy. Its body is not always visible; a copy constructor for host and device hardly
 * does more.
 */
function mayDoMoreThanCopy(copy: FunctionSymbol): boolean {
  const isPlain = isPlainCopy(copy);
  return isPlain === undefined ? !executionOf(copy).device : !isPlain;
}

function declaredAt({ declarations: [first] }: FunctionSymbol): NonNullable<RuleFinding["related"]> {
  return first === undefined ? [] : [{ message: "declared here", place: first.namePlace }];
}
