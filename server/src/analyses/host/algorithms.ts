/**
 * Recognizes calls of the algorithms of Thrust, CUB and the standard library in host code, the side on which they run, and the function
 * objects that they get. The libraries' headers are not needed: what tells is the call's name and the way in which its first argument is
 * written.
 */
import type { CudaDialect } from "../../dialect.ts";
import { fileOf } from "../../preprocess/row.ts";
import { unitsOfFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { CallArgument, CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { Place, RecordSymbol } from "../../semantics/types/symbols.ts";
import type { Type } from "../../semantics/types/types.ts";
import type { Expression } from "../../syntax/ast.ts";
import { lastPart } from "../../syntax/walk.ts";
import { isUndecided } from "../device-code.ts";
import { symbolAt } from "../fact-index.ts";
import { isSurelyHostForNvcc } from "../host-code.ts";
import type { TextOf } from "./declared-heads.ts";
import { allocates } from "./host-memory.ts";

/** A function object that host code gives to an algorithm. */
export interface PassedFunctionObject {
  readonly call: CallFact;
  readonly argument: CallArgument;
  /** Its class, or that of a lambda. */
  readonly record: RecordSymbol;
  /** The side on which the algorithm runs. */
  readonly side: "device" | "host";
  /** On the device: nvcc compiles the object's call operator into the kernel, and so rejects one of the host. */
  readonly isCalledInKernel: boolean;
}

/** Algorithms of Thrust in whose kernels CUDA 13's headers call every function object that they get. */
const calling = new Set(
  "transform for_each for_each_n transform_if generate generate_n tabulate reduce transform_reduce inclusive_scan exclusive_scan sort stable_sort sort_by_key stable_sort_by_key copy_if replace_if replace_copy_if min_element max_element minmax_element partition stable_partition partition_copy stable_partition_copy adjacent_difference merge merge_by_key set_union set_difference set_symmetric_difference set_union_by_key set_difference_by_key set_symmetric_difference_by_key gather_if scatter_if".split(
    " ",
  ),
);

/** Further ones, whose code for both sides calls the object without nvcc's check. The standard library has most of both, too. */
const unchecked = new Set(
  "transform_inclusive_scan transform_exclusive_scan inclusive_scan_by_key exclusive_scan_by_key reduce_by_key is_sorted is_sorted_until remove_if remove_copy_if count_if any_of all_of none_of find_if find_if_not is_partitioned partition_point unique unique_copy unique_by_key unique_count inner_product set_intersection set_intersection_by_key lower_bound upper_bound binary_search equal mismatch".split(
    " ",
  ),
);

/** The same of CUB. */
const callingInCub =
  /^cub::Device(For::(Bulk|ForEach\w*)|Transform::Transform|Select::(If|FlaggedIf)|Partition::If|(Segmented)?Reduce::Reduce|Reduce::TransformReduce|Scan::(Inclusive|Exclusive)Scan(Init)?|MergeSort::(Stable)?Sort(Keys|Pairs)(Copy)?|AdjacentDifference::Subtract(Left|Right)(Copy)?)$/;

/** The function objects that algorithms get in functions of the host which are compiled as they are written. */
export function* passedFunctionObjects(facts: Facts, dialect: CudaDialect, textOf: TextOf): Generator<PassedFunctionObject> {
  for (const call of facts.calls) {
    const name = call.name.replace(/^::/, "");
    const [, library = "", algorithm = ""] = /^(thrust|std)::(\w+)$/.exec(name) ?? [];
    const isCalledInKernel = calling.has(algorithm) || callingInCub.test(name);
    if (!isCalledInKernel && !unchecked.has(algorithm)) continue;
    // The first argument may be an execution policy, which is called to give it an allocator.
    const [first, ...others] = call.arguments;
    const functions = others.flatMap((argument) => ({ argument, record: functionObject(argument.type) }));
    if (first === undefined || functions.every(({ record }) => record === undefined) || !isCompiledForHost(call, facts)) continue;
    const side = library === "" ? "device" : sideOf(first, library, facts);
    if (side === undefined || (side === "device" && library !== "" && choosesSystem(dialect, call.place.unit, textOf))) continue;
    for (const { argument, record } of functions) if (record !== undefined) yield { call, argument, record, side, isCalledInKernel };
  }
}

/** Where an algorithm with this first argument runs. */
function sideOf(first: CallArgument, library: string, facts: Facts): "device" | "host" | undefined {
  const { expression, place } = first;
  if (library === "thrust" && isOnDevice(expression, place, facts)) return "device";
  return isOnHost(first, library, facts) ? "host" : undefined;
}

/** True in a function of the host that is no template: nvcc instantiates the algorithm for it, whether it is used or not. */
function isCompiledForHost(call: CallFact, facts: Facts): boolean {
  const { within, lambda, place } = call;
  if (within === undefined || within.isTemplate || within.record?.isDependent === true || isUndecided(place, facts)) return false;
  for (let around = lambda; around !== undefined; around = around.enclosing) {
    if ((around.lambda?.templateParameters.length ?? 0) > 0 || around.type.parameters.some(({ kind }) => kind === "auto")) return false;
  }
  return isSurelyHostForNvcc(call, facts);
}

/** True if the build or the program says which system is Thrust's device: it may be the host's processor. */
function choosesSystem(dialect: CudaDialect, unit: Unit, textOf: TextOf): boolean {
  const isNamed = () =>
    unitsOfFile(unit)
      .flatMap(unitsIn)
      .some(({ uri }) => textOf(fileOf(uri)).includes("THRUST_DEVICE_SYSTEM"));
  return dialect.choosesThrustSystem === true || isNamed();
}

/** The class of an object that can be called, if all of its call operators are known. */
export function functionObject(type: Type): RecordSymbol | undefined {
  if (type.kind === "reference") return functionObject(type.referent);
  if (type.kind !== "record") return undefined;
  const { closure, functions, bases, place } = type.record;
  if (closure !== undefined) return type.record;
  if (!functions.some(({ name }) => name === "operator()")) return undefined;
  // Those of a base count only if a using declaration brings them in.
  const mayUse = bases.length > 0 && /\busing\b[^;{}]*\boperator\b/.test(place?.unit.view.text ?? "");
  return mayUse ? undefined : type.record;
}

/** True for an execution policy of CUDA, and for an iterator of a `device_vector` or a pointer of Thrust to device memory. */
function isOnDevice(e: Expression, place: Place, facts: Facts): boolean {
  if (e.kind === "parenthesized") return isOnDevice(e.inner, place, facts);
  if (e.kind === "binary" && (e.operator === "+" || e.operator === "-")) return isOnDevice(e.left, place, facts);
  if (isPolicy(e, devicePolicy) || isDeclaredAs(e, /^thrust::device_ptr</, place, facts)) return true;
  if (e.kind !== "call") return false;
  const name = textOfName(e.function);
  if (/^thrust::(make_(zip|transform|permutation|reverse)_iterator|make_tuple)$/.test(name))
    return e.arguments.some((each) => isOnDevice(each, place, facts));
  return /^thrust::device_(pointer_cast|ptr)$/.test(name) || isDeclaredAs(iterated(e), /^thrust::device_vector</, place, facts);
}

/** True for what makes an algorithm run on the host: its policies, and iterators of the containers there. */
function isOnHost({ expression: e, type, place }: CallArgument, library: string, facts: Facts): boolean {
  if (library === "thrust")
    return isPolicy(e, hostPolicy) || isDeclaredAs(iterated(e), /^(thrust::host_vector|std::vector)</, place, facts);
  return type.kind === "pointer" || type.kind === "array" || iterated(e) !== undefined || /^std::c?begin$/.test(textOfCalled(e));
}

const devicePolicy = /^thrust::(device|cuda::par|cuda::par_nosync)$/;
const hostPolicy = /^thrust::(host|seq|cpp::par|omp::par|tbb::par)$/;

/** `policy`, `policy(allocator)`, `policy.on(stream)`, `policy(allocator).on(stream)`. */
function isPolicy(e: Expression, policy: RegExp): boolean {
  if (e.kind !== "call") return policy.test(textOfName(e));
  const { function: callee } = e;
  return callee.kind === "member" && lastPart(callee.name)?.text === "on" ? isPolicy(callee.object, policy) : isPolicy(callee, policy);
}

/** The container of `c.begin()`. */
function iterated(e: Expression): Expression | undefined {
  if (e.kind !== "call" || e.function.kind !== "member" || e.function.isArrow) return undefined;
  return /^(c?r?(begin|end)|data)$/.test(lastPart(e.function.name)?.text ?? "") ? e.function.object : undefined;
}

function textOfCalled(e: Expression): string {
  return e.kind === "call" ? textOfName(e.function) : "";
}

function textOfName(e: Expression): string {
  return e.kind === "name" ? e.name.parts.map(({ text }) => text).join("::") : "";
}

/** True for a variable or a member whose declaration begins with this type. */
function isDeclaredAs(e: Expression | undefined, type: RegExp, { unit }: Place, facts: Facts): boolean {
  const part = e?.kind === "name" || e?.kind === "member" ? lastPart(e.name) : undefined;
  const symbol = part === undefined ? undefined : symbolAt(facts, { unit, start: part.span.start });
  if (symbol?.kind !== "variable") return false;
  const { declaration } = symbol;
  const whole = declaration.unit.view.text.slice(declaration.span.start, declaration.span.end);
  const text = whole.replace(/^(?:(?:static|const|extern|mutable|inline)\s+)*(?:::)?/, "");
  // A second argument of a vector is an allocator, which may choose another system.
  return type.test(text) && !allocates(text);
}
