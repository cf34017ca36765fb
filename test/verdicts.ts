/**
 * The compilers' verdicts on the fixtures, and whether markers agree. `scripts/oracle.ts` records them in `fixtures/verdicts.json`. No I/O.
 */
import { type Expectation, type Fixture, isSourceName, type OracleNote } from "./fixtures.ts";

/** One message of a compiler. Line 0 stands for a message that belongs to no line of the fixture. */
export interface Verdict {
  readonly line: number;
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** Verdicts on one source text: `"CL1.2"` … for clang's OpenCL, `"nvcc host"`, `"clang device"` … for CUDA. */
export type Verdicts = Readonly<Record<string, readonly Verdict[]>>;

const cudaPasses: readonly string[] = ["nvcc host", "nvcc device", "clang host", "clang device"];

/** HIP is compiled by clang alone; a fixture with the flag `-xhip` is HIP. */
const hipPasses: readonly string[] = ["hip host", "hip device"];

/** The compiler passes for a fixture's sources. */
export function passesOf(fixture: Fixture): readonly string[] {
  if (fixture.language !== "cuda") return fixture.standards;
  return fixture.flags.includes("-xhip") ? hipPasses : cudaPasses;
}

const hostVariable = matching(
  /is undefined in device code$/,
  /^a host structured binding .* in a device function$/,
  /^reference to __host__ variable .* in __(global|device|host__ __device)__ function$/,
);

/**
 * The compilers' messages for a rule. Only these confirm a marker of the rule, so that a typing mistake in a fixture is not taken for
 * a true finding. Rules without an entry are confirmed by any error.
 */
const wordings: Readonly<Record<string, (message: string) => boolean>> = {
  "address-space-cast": matching(
    /^casting '.* changes address space of pointer$/,
    /^(C-style cast|\w+_cast) from .* converts between mismatching address spaces$/,
    /^(C-style cast|\w+_cast) from .* is not allowed$/,
  ),
  "address-space-conversion": matching(
    /^(initializing|assigning|passing|returning|sending|implicitly).* changes address space of pointer$/,
    /^cannot initialize |^no matching (member )?function for call to|^no viable (conversion|overloaded)/,
    /^assigning to '.*' from incompatible type|^incompatible pointer types|^variable .* with type '.* auto [*&].*' has incompatible initializer/,
    /^binding (reference|value) of type .* (changes address space|to reference)|cannot bind to a temporary object because of address space mismatch|^reference to .* could not bind/,
  ),
  "address-space-nested-pointer": (message) =>
    /changes address space of nested pointer/.test(message) ||
    changesNestedSpace(message) ||
    /^cannot initialize |^no matching (function|constructor) for|^incompatible pointer types/.test(message) ||
    /^binding reference of type .* (drops|not permitted due to incompatible) (unqualified )?qualifiers$/.test(message),
  "address-space-operands": matching(
    /pointers? to non-overlapping address spaces/,
    /^conditional operator with the second and third operands|^comparison of distinct pointer types/,
    /^invalid operands to binary expression|^incompatible operand types/,
  ),
  "builtin-argument-not-constant": matching(/^argument to '\w+' must be a constant integer$/),
  "qualifier-operands": matching(
    /^comparison of distinct pointer types|^pointer type mismatch|are not pointers to compatible types$|^subtraction of pointer types/,
  ),
  "kernel-parameter-space": matching(
    /^pointer arguments to kernel functions must reside in/,
    /kernel parameter cannot be declared as a pointer to a pointer$|cannot be used as the type of a kernel parameter$/,
    /kernel parameters may not contain pointers$|^kernel must have void return type$|^kernel functions cannot be/,
  ),
  "program-scope-space": matching(
    /^(program scope|static local|extern) variable must reside in|^variables in function scope cannot be declared static$/,
  ),
  "local-scope-space": matching(
    /can only be declared in the outermost scope of a kernel function$|^non-kernel function variable cannot be declared in/,
    /^function scope variable cannot be declared in|^automatic variable qualified with an invalid address space$|^variable length arrays are not supported|^array size is not a constant expression$/,
  ),
  "constant-initializer": matching(/^variable in constant address space must be initialized$|is not a compile-time constant$/),
  "local-initializer": matching(/variable cannot have an initializer$/),
  "address-space-placement": matching(
    /may not be qualified with an address space$|^return type cannot be qualified with address space$|^multiple (identical )?address spaces specified for type$/,
    /does not support the '(__)?generic' type qualifier$/,
    /^conflicting address space qualifiers are provided between types|^static member function cannot have/,
  ),
  "constant-write": matching(/^read-only variable is not assignable$/, /^no matching function for call to/),
  "const-object-uninitialized": matching(
    /^const (variable|member|object) .*requires an initializer|^default initialization of an object of const type|^(declaration of )?reference variable .* requires an initializer$/,
    /provides no initializer for:$|must explicitly initialize the (const|reference) member|uninitialized .* has a (const|reference) member$/,
    /has an uninitialized const or reference member$|implicitly-deleted default constructor of|^the default constructor of .* is a deleted function$/,
  ),
  "const-write": matching(
    /\(declared implicitly\) cannot be referenced|its copy assignment operator is implicitly deleted$/,
    /^read-only variable is not assignable$/,
    /^cannot assign to /,
    /^no viable overloaded|^no operator .* matches these operands$/,
  ),
  "method-object-space": matching(
    /^cannot (increment|decrement) value of type/,
    /^cannot initialize object parameter|^no matching (conversion for|member function for call to|constructor for|function for call to object of)|^'this' argument to member function/,
    /^no viable (overloaded|constructor|conversion)|^invalid (operands to binary|argument type)/,
  ),
  "pointer-size-assumption": matching(/^cast to .*smaller integer type/),
  "host-function-in-device-code": matching(
    /^calling a (constexpr )?__host__ function/,
    /^reference to __host__ function/,
    /^no matching (function|constructor|member function|conversion) for|^no viable|does not have a default constructor$|^call to implicitly-deleted (copy|default) constructor|^invalid (operands to binary|argument type .* to unary) expression|^indirection requires|^cannot (increment|decrement) value/,
    /^identifier ".*" is undefined in device code$/,
  ),
  "device-function-in-host-code": matching(
    /^calling a (constexpr )?__device__ function/,
    /^reference to __device__ (constructor|destructor|function)|^call to implicitly-deleted (copy|default) constructor/,
    /^no matching (function|constructor|member function|conversion) for|^no viable|does not have a default constructor$|^invalid (operands to binary|argument type .* to unary) expression|^indirection requires|^cannot (increment|decrement) value/,
  ),
  "const-host-variable-address": hostVariable,
  "const-host-variable-type": hostVariable,
  "const-host-variable-uninitialized": hostVariable,
  "const-host-variable-volatile": (message) => hostVariable(message) || message === "expression must have a constant value",
  "host-variable-in-device-code": hostVariable,
  "invalid-launch": matching(
    /(must|cannot) be configured$|not configured$|^kernel call to non-global function|execution configuration arguments|^kernel function type .* must have void return type$/,
    /^too (many|few) arguments (in|to) function call|^no (instance of|matching function)/,
    /^no suitable (constructor|user-defined conversion)|^argument of type .* is incompatible|^no viable conversion|^cannot initialize a parameter/,
    /separate compilation mode$|requires relocatable device code|^device-side kernel/,
  ),
  "device-lambda-capture": matching(
    /^An extended .* lambda cannot (init-capture variables with array type|have init-captures with type std::initializer_list|capture an element of a parameter pack|capture variables by reference|first-capture variable in constexpr-if context)$/,
    /^init-captures are not allowed for extended __host__ __device__ lambdas$/,
    /^A type (local to a function|that is a private or protected class member) \(.*\) cannot be used in the type of a variable captured/,
    /capture.*by (reference|this pointer)|cannot capture an array variable|^The closure type .* cannot be used in .* a __global__ function/,
  ),
  "extended-lambda-placement": matching(/[Tt]he (enclosing parent function|constexpr specifier)|lambdas cannot be generic|inside a class/),
  "string-literal-space": matching(
    /'(const )?__constant char (\*|\[).* changes address space of pointer$/,
    /^cannot initialize a variable of type .* of type 'const __constant char/,
    /^no matching function for call to/,
  ),
  "opaque-type-space": matching(
    /^pointer to type .* is invalid in OpenCL$|^array of .* type is invalid in OpenCL$|can only be used as a function parameter in OpenCL$/,
    /^pipes packet types cannot be of reference type$/,
    /type can(not| only) be used with .* address space qualifiers?$|^global sampler requires a const or constant address space qualifier$/,
    /type cannot be used to declare a (structure or union field|program scope variable)$|^declaring function (return value|parameter) of type|^invalid block variable declaration/,
  ),
  "builtin-argument-space": matching(
    /^no matching function for call to/,
    /^passing .* changes address space of pointer$/,
    /^invalid argument .* expecting a generic pointer argument$|^address argument to atomic (operation|builtin)/,
    /^incompatible pointer types passing .* to parameter of type '.*_Atomic\(.*\) \*'/,
  ),
  "qualifier-discarded": (message) =>
    /casts? away (const|qualifiers)|^static_cast from .* is not allowed$|discards qualifiers( in nested pointer types)?$|drops '(const|volatile)' qualifier|incompatible qualifiers$|^a reference of type .* cannot be initialized with|^cannot initialize|^no matching|^no instance of (overloaded function|constructor|function template) ".*" matches the argument list$|^qualifiers dropped in binding reference of type|^a value of type "const .* cannot be|^argument of type "const .* is incompatible|^call to '\w+' is ambiguous$|^conversion from a string literal to |^no suitable (conversion function|constructor exists to convert) from |^no viable conversion from |^no operator "=" matches these operands$/.test(
      message,
    ) && !changesNestedSpace(message),
  "access-qualifier-placement": matching(
    /^access qualifier can only be used for pipe and image type$|^multiple access qualifiers$|^access qualifier '.*' cannot be used for/,
  ),
  "opaque-type-operation": matching(
    /^invalid operands to binary expression|^invalid argument type .* to unary expression$|^block type cannot be used as expression/,
    /incompatible type|^cannot cast non-zero value|^operand of type .* where arithmetic or pointer type is required$|^no matching function for call to|^used type .* where arithmetic(, pointer, or vector| or pointer) type is required|sampler_t (variable|initialization) |is not a compile-time constant$|^statement requires expression of scalar type|is not contextually convertible to 'bool'$|^(C-style cast|static_cast) from .* is not allowed$|^cannot initialize a variable of type/,
  ),
  "atomic-object-operation": matching(
    /^atomic variable can be (assigned|initialized)|^invalid operands to binary expression|^invalid argument type .* to unary expression$|^illegal initializer type/,
  ),
  "pipe-argument": matching(
    /must be a pipe type$|^invalid (argument type|number of arguments) to function|^invalid number of arguments|^invalid pipe access modifier/,
  ),
  "block-capture": matching(
    /^cannot refer to (a block|declaration with an array type) inside block$|^taking address of a capture is not allowed$/,
    /^variable is not assignable \(missing __block type specifier\)$|^read-only variable is not assignable$/,
  ),
  "enqueued-block": matching(/^illegal call to|^blocks (used in enqueue_kernel|with parameters)|^mismatch in number of block parameters/),
  "restricted-construct": matching(
    /attribute only applies to (kernel )?functions$|can only be applied to an OpenCL kernel function$|^a non-vector or non-vectorizable scalar type|' attribute (takes one argument$|must be greater than 0|requires (exactly|parameter|a non-negative))/,
    /^(pointers|references) to functions are not allowed$|^taking address of function is not allowed$|^invalid prototype, variadic arguments|^variable length arrays are not supported|^array size is not a constant expression$/,
    /^bit-fields are not supported|storage class specifier( in function declarator)?$|^(function|kernel) cannot be called 'main'$|^virtual functions are not supported/,
  ),
  "half-without-extension": matching(
    /of type .*half.* is not allowed|^casting to type 'half' is not allowed$|requires cl_khr_fp16|cannot be used as the type of a kernel parameter$/,
  ),
  "unavailable-feature": matching(
    /^'(default (new|delete)|dynamic_cast|typeid)' is not supported|^cannot use '(throw|try)' with exceptions disabled$|^use of placement new requires|^no matching function for call to 'operator new/,
    /^access qualifier can only be used for|^unknown type name|^use of undeclared identifier|^blocks support disabled|^OpenCL C version .* does not support the 'pipe'|^access qualifier '.*' cannot be used for .* prior to OpenCL C version/,
  ),
  "grid-constant-non-const": matching(/const-qualified (kernel parameters|type)$/),
  "grid-constant-reference": matching(/const-qualified kernel parameters$|__grid_constant__ must not have reference type$/),
  "grid-constant-placement": matching(
    /const-qualified kernel parameters$|annotation is only allowed on a parameter of a __global__ function$/,
    /'grid_constant' attribute only applies to parameters$|^attribute "grid_constant" does not apply here$/,
  ),
  "memory-space-placement": matching(
    /^automatic variable qualified with an address space$/,
    /^__constant__, __device__, and __shared__ variables must use default address space$|may not be qualified with an address space$|^'managed' attribute only applies to variables$/,
    /^attribute "__(constant|device|shared|managed|host|global)__" does not apply here$|^attribute does not apply to any entity$|^attributes may not appear here$/,
    /^__constant__, __device__, and __managed__ are not allowed on non-static local variables$/,
    /^memory qualifier on data member is not allowed$|variable declaration is not allowed inside a (host|device) function body$/,
    /^The operator\(\) function for a lambda cannot be explicitly annotated with execution space|^nvcc does not allow '__\w+__' to appear after/,
    /^__(host|device)__ annotation is ignored on a non-virtual function\("[^"]*"\) that is explicitly defaulted/,
    /^__shared__ local variables not allowed in|^Variable type qualifier "\w+" is not allowed in "new" expressions$|specifier is not allowed for a structured binding declaration$/,
  ),
  "memory-space-combination": matching(
    /^illegal combination of memory qualifiers$|^'\w+' and '\w+' attributes are not compatible$|^__managed__ variables cannot be marked/,
    /__(managed|shared)__ variable cannot (have a|be marked)/,
    /^cannot use thread_local specifier for|^An inline __device__/,
  ),
  "memory-space-redeclared": matching(/redeclared with(out)? __/),
  "memory-space-initializer": matching(
    /^dynamic initialization is not supported for|^CUDA does not support global (con|de)structors for __device__ functions$/,
    /^no matching function for call to|^no matching constructor|^reference to __device__ function .* in global initializer$/,
  ),
  "shared-memory-initializer": matching(
    /^initializer not allowed for __shared__ variable|^initialization is not supported for __shared__|^dynamic initialization is not supported for/,
    /^const variable .* requires an initializer/,
  ),
  "shared-extern-declaration": matching(
    /^declaration is incompatible with previous|^redeclaration of .* with a different type/,
    /^__shared__ variable .* cannot be 'extern'$/,
    /^incomplete type ".*\[\].*" is not allowed$|^definition of variable with array type needs an explicit size/,
    /^specified alignment \(\d+\) is different from alignment/,
  ),
  "kernel-signature": matching(
    /__global__ function|^inline qualifier ignored|attribute only applies to functions$/,
    /^illegal combination of memory qualifiers$|cannot be marked __device__ or __global__$|kernel function|^'\w+' and '\w+' attributes are not compatible$/,
  ),
  "shared-memory-size": matching(/uses too much shared data|local memory .* exceeds limit/),
  "kernel-parameter-size": matching(/^Formal parameter space overflowed/),
  "kernel-parameter-reference": matching(/rvalue reference type$/),
  "execution-space-mismatch": matching(
    /^destructor cannot be redeclared$|^invalid redeclaration of member function/,
    /redeclared with(out)? __|^illegal combination of memory qualifiers$|^execution space mismatch/,
    /cannot overload __|^no function template matches function template specialization|^explicit instantiation of .* does not refer to a function template/,
  ),
  "kernel-type-argument": matching(/cannot be used in the template argument type of a __global__ function template instantiation/),
  "launch-bounds-mismatch": matching(
    /^__(launch_bounds|maxnreg|cluster_dims|block_size)__ is only allowed on a|^The __launch_bounds__ and __maxnreg__ qualifiers cannot be/,
    /^cannot specify the second tuple in __block_size__ while __cluster_dims__ is present$/,
    /^total number of blocks in cluster computed from __cluster_dims__ exceeds __launch_bounds__/,
    /^The maximum number of registers .* must be positive$|^__cluster_dims__ arguments must be positive integers$/,
    /^this constant expression has type ".*" instead of the required|^expression must have a constant value$|^expected an? ("\)"|expression)$|^type name is not|^expected '\(' for function-style cast/,
    /^'\w+' does not refer to a value$|^'(launch_bounds|amdgpu_\w+)' attribute (only applies to kernel functions$|requires (parameter \d+ to be )?an integer constant$|requires exactly|takes |argument is invalid)/,
  ),
  "whole-program-extern": matching(/^extern declaration of the entity .* is treated as a static definition$/),
  "grid-constant-mismatch": matching(/^incompatible __grid_constant__ annotation for parameter/),
};

function matching(...patterns: readonly RegExp[]): (message: string) => boolean {
  return (message) => patterns.some((pattern) => pattern.test(message));
}

/** clang has one warning for casts that change anything below the first level. The types in it show whether an address space changed. */
function changesNestedSpace(message: string): boolean {
  const match =
    /^casting '([^']*)'(?: \(aka '([^']*)'\))? to type '([^']*)'(?: \(aka '([^']*)'\))? discards qualifiers in nested pointer types$/.exec(
      message,
    );
  if (match === null) return false;
  const [, from = "", plainFrom = from, to = "", plainTo = to] = match;
  return nestedSpaces(plainFrom) !== nestedSpaces(plainTo);
}

/** The address spaces in a printed pointer type, without that of its own pointee, which is printed last. */
function nestedSpaces(type: string): string {
  return [...type.matchAll(/__(global|local|constant|private|generic)\b/g)]
    .map(([word]) => word)
    .slice(0, -1)
    .join(" ");
}

/** True if a compiler's message reports the mistake of a rule. A rule without wordings of its own is confirmed by any error. */
export function confirms(rule: string, { severity, message }: Verdict): boolean {
  return wordings[rule]?.(message) ?? severity === "error";
}

/** The rules that a compiler's message may confirm, for drafts of markers. */
export function rulesFor(message: string): readonly string[] {
  return Object.entries(wordings).flatMap(([rule, confirms]) => (confirms(message) ? [rule] : []));
}

/** Compiler warnings that belong to a rule: they need a marker, as errors do. All other warnings are ignored. */
const countedWarnings: readonly ((message: string) => boolean)[] = [
  matching(
    /changes address space of nested pointer|multiple identical address spaces/,
    /["']grid_constant["'] (attribute only applies to parameters|does not apply here)$/,
  ),
  matching(
    /casts? away (const|qualifiers)(?!, even though the source and destination types are unrelated)|^static_cast from .* is not allowed$|discards qualifiers( in nested pointer types)?$/,
  ),
];

export function isCounted({ severity, message }: Verdict): boolean {
  return severity === "error" || countedWarnings.some((counts) => counts(message));
}

/** The disagreements between a fixture's markers and the compilers, in words; empty if every one has a reason. */
export function disagreements(fixture: Fixture, verdictsOf: (file: string) => Verdicts | undefined): readonly string[] {
  const found: string[] = [];
  for (const { name } of fixture.files.filter((file) => isSourceName(file.name))) {
    const verdicts = verdictsOf(name);
    if (verdicts === undefined) {
      found.push(`${name}: no verdict is recorded for its present text; run 'npm run oracle'`);
      continue;
    }
    for (const { standard, passes } of groupsOf(fixture)) found.push(...compare(fixture, name, standard, passes, verdicts));
    found.push(...staleNotes(fixture, name, verdicts));
  }
  return [...new Set(found)];
}

/** Each OpenCL standard is judged by itself; a CUDA fixture is wrong if any compiler rejects it in any pass. */
function groupsOf(fixture: Fixture): readonly { readonly standard: string; readonly passes: readonly string[] }[] {
  if (fixture.language === "cuda") return [{ standard: "cuda", passes: passesOf(fixture) }];
  return fixture.standards.map((standard) => ({ standard, passes: [standard] }));
}

function compare(fixture: Fixture, file: string, standard: string, passes: readonly string[], verdicts: Verdicts): readonly string[] {
  const found: string[] = [];
  const said = passes.flatMap((pass) => (verdicts[pass] ?? []).map((verdict) => ({ ...verdict, pass })));
  const expected = fixture.expectations.filter(
    (each) => each.file === file && (each.standards?.includes(standard) ?? true) && isSerious(each),
  );
  for (const expectation of expected) {
    const { line, rule, severity } = expectation;
    if (fixture.notes.some((note) => note.kind === "silent" && covers(note, file, line, standard))) continue;
    const candidates = said.filter((verdict) => verdict.line === line && (severity === "warning" || verdict.severity === "error"));
    if (!candidates.some(({ message }) => wordings[rule]?.(message) ?? true)) {
      const instead = candidates.length === 0 ? "" : `, but «${candidates[0]?.message}»`;
      found.push(`${file}:${line} [${standard}]: no compiler reports ${rule}(${severity})${instead}`);
    }
  }
  for (const { line, severity, message, pass } of said.filter(isCounted)) {
    if (expected.some((expectation) => expectation.line === line && (severity === "warning" || expectation.severity === "error"))) continue;
    if (fixture.notes.some((note) => note.kind === "reports" && covers(note, file, line, pass))) continue;
    found.push(`${file}:${line} [${pass}]: no marker for ${severity} «${message}»`);
  }
  return found;
}

/** A note without an effect would hide the next mistake. */
function staleNotes(fixture: Fixture, file: string, verdicts: Verdicts): readonly string[] {
  return fixture.notes
    .filter((note) => note.file === file)
    .filter((note) => {
      const passes = passesOf(fixture).filter((pass) => covers(note, file, note.line, pass));
      const said = passes
        .flatMap((pass) => verdicts[pass] ?? [])
        .filter(({ line, severity }) => severity === "error" && (note.line === undefined || line === note.line));
      if (note.kind === "reports") return said.length === 0;
      const excused = fixture.expectations.filter(
        (each) => each.file === file && isSerious(each) && (note.line === undefined || each.line === note.line),
      );
      if (note.line === undefined) return false;
      return excused.length > 0 && excused.every(({ rule }) => said.some(({ message }) => wordings[rule]?.(message) ?? true));
    })
    .map(({ line, kind, reason }) => `${file}:${line ?? 1}: the note '${kind} - ${reason}' is not true`);
}

function isSerious({ severity }: Expectation): boolean {
  return severity === "error" || severity === "warning";
}

/** `where` is a standard or a pass; `nvcc` means both of its passes. */
export function covers(note: OracleNote, file: string, line: number | undefined, where: string): boolean {
  if (note.file !== file || (note.line !== undefined && note.line !== line)) return false;
  return note.only === undefined || where === "cuda" || note.only.some((name) => where === name || where.startsWith(`${name} `));
}

// ---------------------------------------------------------------- the recorded form

/** `verdicts.json`: for each source its text's hash, and for each set of passes that agree a list of [line, severity, message]. */
export interface RecordedVerdicts {
  readonly compilers: Readonly<Record<string, string>>;
  readonly sources: Readonly<
    Record<string, { readonly hash: string; readonly verdicts: Readonly<Record<string, readonly RecordedVerdict[]>> }>
  >;
}

export type RecordedVerdict = readonly [line: number, severity: "error" | "warning", message: string];

export function toRecorded(verdicts: Verdicts): Readonly<Record<string, readonly RecordedVerdict[]>> {
  const grouped = new Map<string, { passes: string[]; list: readonly RecordedVerdict[] }>();
  for (const [pass, list] of Object.entries(verdicts)) {
    const recorded = list.map(({ line, severity, message }) => [line, severity, message] as const);
    const key = JSON.stringify(recorded);
    const group = grouped.get(key) ?? { passes: [], list: recorded };
    grouped.set(key, group);
    group.passes.push(pass);
  }
  return Object.fromEntries([...grouped.values()].map(({ passes, list }) => [passes.join(", "), list]));
}

export function fromRecorded(recorded: Readonly<Record<string, readonly RecordedVerdict[]>>): Verdicts {
  return Object.fromEntries(
    Object.entries(recorded).flatMap(([passes, list]) =>
      passes.split(", ").map((pass) => [pass, list.map(([line, severity, message]) => ({ line, severity, message }))]),
    ),
  );
}

/** One line per source, so that a changed fixture changes one line. */
export function formatRecorded({ compilers, sources }: RecordedVerdicts): string {
  const lines = Object.keys(sources)
    .sort()
    .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(sources[name])}`);
  return `{\n  "compilers": ${JSON.stringify(compilers)},\n  "sources": {\n${lines.join(",\n")}\n  }\n}\n`;
}
