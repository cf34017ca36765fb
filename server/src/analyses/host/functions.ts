/**
 * Decides which functions certainly run on the host only, so that device code cannot call them, and which on the device only. Everything
 * that may put a function on the device makes the answer uncertain: an unread specifier, a declaration that only one compilation sees, a function that the
 * compiler writes itself, the standard library, which toolkits provide for devices in parts.
 */
import type { CudaDialect } from "../../dialect.ts";
import { memo } from "../../memo.ts";
import { fileOf } from "../../preprocess/row.ts";
import { areInSameFile, unitsOfFile } from "../../preprocess/unit-row.ts";
import { unitsIn } from "../../preprocess/units.ts";
import type { Unit } from "../../preprocess/view/view.ts";
import type { SideCallFact } from "../../semantics/facts/facts.ts";
import { isImplicitlyForBoth } from "../../semantics/facts/sides.ts";
import { hasPack } from "../../semantics/symbols/candidates.ts";
import { isDefaultedForOneSide } from "../../semantics/symbols/special-functions.ts";
import { hasEmptyBody } from "../../semantics/types/bodies.ts";
import { type FunctionDeclaration, type FunctionSymbol, isDeclaredWith, type RecordSymbol } from "../../semantics/types/symbols.ts";
import type { FileUri } from "../../source.ts";
import { hasWord } from "../../syntax/walk.ts";
import { executionOf, isBuiltinPlace } from "../device-code.ts";
import { isOfOnePass } from "../memory-spaces.ts";

/** Why device code cannot call a function. */
export type HostFunction =
  | "host"
  /** nvcc accepts it with `--expt-relaxed-constexpr`. */
  | "constexpr"
  /** A constructor without parameters, initializers and statements, whose calls nvcc accepts in some places. */
  | "empty";

/** Why device code cannot call this function; undefined if it can, or if that is uncertain. */
export function hostFunctionOf(
  call: Pick<SideCallFact, "callee" | "isOverlooked" | "written">,
  dialect: CudaDialect,
): HostFunction | undefined {
  const { callee } = call;
  const all = [callee, ...twinsOf(callee)];
  if (callee.lambda !== undefined) return hostLambda(call, dialect);
  // A builtin function of AMD's compiler stays one of the device if the program declares it again.
  if (callee.isBuiltin || /^std(::|$)|^__builtin_amdgcn_/.test(callee.qualifiedName)) return undefined;
  if (!all.every((each) => isHostFunction(each, dialect)) || hasUnreadText(callee.record)) return undefined;
  // The call may mean an explicit specialization, which for nvcc runs where its own words say.
  if (!dialect.hip && all.some((each) => isSpecializedFor(each, "__device__"))) return undefined;
  if (all.some((each) => isDeclaredWith(each, "consteval"))) return undefined;
  if (all.some((each) => isDeclaredWith(each, "constexpr")) && !dialect.hip)
    return dialect.relaxesConstexpr === true ? undefined : "constexpr";
  if (all.some(isImplicitlyForBoth)) return undefined;
  return isEmptyConstructor(callee) && !dialect.hip ? "empty" : "host";
}

/**
 * Why device code cannot call a lambda that is declared for the host alone. One without a word runs where the code around it does. Since
 * C++17 a lambda is constexpr if it can be. nvcc accepts calls in default arguments and default member initializers.
 */
function hostLambda(
  { callee: { declarations }, isOverlooked, written }: Parameters<typeof hostFunctionOf>[0],
  { hip, relaxesConstexpr }: CudaDialect,
): HostFunction | undefined {
  const isForHost = declarations.every(({ words }) => hasWord(words, "__host__") && !hasWord(words, "__device__"));
  const isAccepted = !hip && (relaxesConstexpr === true || isOverlooked === true || written !== undefined);
  return isForHost && !isAccepted ? "host" : undefined;
}

/** True for a function that only device code can call. The compiler itself runs one that is consteval, for either side. */
export function isDeviceFunction(callee: FunctionSymbol, dialect: CudaDialect): boolean {
  if (callee.isBuiltin) return callee.declarations.every(({ execution }) => execution.device && !execution.host);
  // A lambda without a word runs where the code around it does.
  if (callee.lambda !== undefined)
    return callee.declarations.every((each) => hasWord(each.words, "__device__") && isWrittenForDevice(each));
  const all = [callee, ...twinsOf(callee)];
  if (/^std(::|$)/.test(callee.qualifiedName) || hasUnreadText(callee.record)) return false;
  if (!dialect.hip && all.some((each) => isSpecializedFor(each, "__host__"))) return false;
  if (all.some((each) => isDeclaredWith(each, "consteval"))) return false;
  return all.every((each) => isUserProvided(each, dialect) && each.declarations.every(isWrittenForDevice));
}

/** True for a template of which an explicit specialization is declared for this side. */
function isSpecializedFor({ specializations }: FunctionSymbol, side: "__device__" | "__host__"): boolean {
  return specializations.some(({ declarations }) =>
    declarations.some(({ role, words }) => role === "specialization" && hasWord(words, side)),
  );
}

/**
 * True for a function that the program provides, so that its specifiers count. nvcc decides where one runs that is defaulted in its
 * class, clang only if no specifier is written; one that is defaulted later is user-provided (C++17 §11.4.2p5).
 */
function isUserProvided(symbol: FunctionSymbol, { hip }: CudaDialect): boolean {
  const [first] = symbol.declarations;
  return first !== undefined && (first.special !== "default" || (hip && isDefaultedForOneSide(symbol)));
}

function isWrittenForDevice(declaration: FunctionDeclaration): boolean {
  const { execution, isUncertain, special, attributes, place, namePlace, words } = declaration;
  if (!execution.device || execution.host || execution.kernel || isUncertain === true) return false;
  if (special !== undefined && special !== "default") return false;
  if (isBuiltinPlace(place) || attributes.some(({ name }) => deviceAttributes.test(name))) return false;
  return ![namePlace, ...words.map((word) => word.place)].some(isOfOnePass);
}

/** True if a declaration of the function, or of its twin for the other side, is constexpr. */
export function isDeclaredConstexpr(callee: FunctionSymbol): boolean {
  return [callee, ...twinsOf(callee)].some((each) => isDeclaredWith(each, "constexpr"));
}

/** All declarations of a function, and those of a template that it is a specialization or a member of. */
export function declarationsWithTemplates({ declarations, name, record, primary }: FunctionSymbol): readonly FunctionDeclaration[] {
  const inTemplate = record?.instance?.template.functions.filter((each) => each.name === name) ?? [];
  return [...declarations, ...(primary?.declarations ?? []), ...inTemplate.flatMap((each) => each.declarations)];
}

/** A missing header may declare an overload that fits better, unless the function is a member or the arguments fit exactly. */
export function isUncertainOverload({ callee, as, isExact, place }: SideCallFact): boolean {
  return as === "call" && callee.record === undefined && isExact !== true && mayLackOverloads(place.unit);
}

/**
 * The functions with the same name and as many parameters in the template that an instantiated class comes from: its members may be
 * defined, and get their specifiers, outside of the class. Clang also tells functions apart that differ in the side alone.
 */
function twinsOf({ record, name, primary, type }: FunctionSymbol): readonly FunctionSymbol[] {
  const isTwin = (other: FunctionSymbol) =>
    other.name === name && (other.type.parameters.length === type.parameters.length || hasPack(other));
  const inClass = [record?.instance?.template, record].flatMap((each) => each?.functions.filter(isTwin) ?? []);
  return [...(record?.instance === undefined ? [] : inClass), ...(primary === undefined ? [] : [primary])];
}

function isHostFunction(symbol: FunctionSymbol, dialect: CudaDialect): boolean {
  const { kernel, device } = executionOf(symbol);
  return !kernel && !device && isUserProvided(symbol, dialect) && symbol.declarations.every(isWrittenForHost);
}

/** Attributes that put a function on the device, or that forbid to call it at all. */
const deviceAttributes = /^_*(device|global|host|nv_\w+|error|unavailable)_*$/;

function isWrittenForHost({ isUncertain, special, attributes, place, namePlace }: FunctionDeclaration): boolean {
  if (isUncertain === true || special === "delete" || isBuiltinPlace(place)) return false;
  return !isOfOnePass(namePlace) && !attributes.some(({ name }) => deviceAttributes.test(name));
}

function hasUnreadText(record: RecordSymbol | undefined): boolean {
  return record?.hasUnreadText === true || record?.isIncomplete === true || record?.instance?.template.hasUnreadText === true;
}

function isEmptyConstructor({ name, record, declarations }: FunctionSymbol): boolean {
  if (record === undefined || name !== record.tag) return false;
  const definition = declarations.find(({ isDefinition }) => isDefinition);
  return (
    definition !== undefined &&
    hasEmptyBody(definition) &&
    definition.parameters.length === 0 &&
    (definition.memberInitializers ?? []).length === 0 &&
    !record.isPolymorphic &&
    !record.functions.some((each) => each.name.startsWith("~")) &&
    (record.members ?? []).every(({ initializer }) => initializer === undefined)
  );
}

/** Headers of the toolkit, of C and of C++, whose functions and their sides are known well enough. */
const knownHeaders =
  /^["<](c?(assert|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|time|wchar)(\.h)?|[a-z_]+|(cuda|cuda_\w+|curand\w*|cublas\w*|cufft\w*|cusparse\w*|cusolver\w*|cooperative_groups|device_(functions|types|launch_parameters|\w+_functions)|vector_\w+|driver_\w+|helper_(cuda|cuda_drvapi|functions|gl|image|string|timer)|builtin_types|math_constants|mma|nccl|sm_\w+|hip\/\w+|omp|mpi|unistd|pthread|sys\/\w+)(\.h|\.hpp|\.cuh)?|(thrust|cub)\/[\w/]+\.(h|cuh))[">]$/;

/** True if a header is missing that may declare another overload of a function, or one for the host in place of a builtin one. */
export function mayLackOverloads(unit: Unit): boolean {
  return unitsOfFile(unit).some(lacksHeader);
}

/**
 * True if a header of the file tests for the pass and contains the name: it may declare a function of this name for the host alone, and
 * the file is not read for the host.
 */
export function mayBeDeclaredForHost(name: string, unit: Unit, textOf: (uri: FileUri) => string): boolean {
  const isWord = new RegExp(`(?<!\\w)${name}(?!\\w)`);
  const testing = unitsOfFile(unit).flatMap((own) => unitsIn(own).filter((each) => each.testsArchitecture === true));
  return testing.some((header) => !areInSameFile(header, unit) && isWord.test(textOf(fileOf(header.uri))));
}

const lacksHeader = memo((unit: Unit) =>
  unitsIn(unit).some(({ includes }) => includes.some((site) => site.unit === undefined && !knownHeaders.test(site.name))),
);
