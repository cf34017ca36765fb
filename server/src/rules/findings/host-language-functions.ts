/**
 * Functions that only the host has although no declaration says so: GCC's builtins, which nvcc knows as functions of the host unless it
 * folds a call, and those of the C library that CUDA declares for the host. The names are what nvcc 13 rejects in a kernel.
 */
import { symbolAt } from "../../analyses/fact-index.ts";
import { mayLackOverloads } from "../../analyses/host/functions.ts";
import type { CallFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { referred } from "../../semantics/types/types.ts";
import type { Expression } from "../../syntax/ast.ts";
import { hasWord, walkExpressions } from "../../syntax/walk.ts";

/** Those that compute a value. nvcc folds their calls with constants. */
const computing = new RegExp(
  `^__builtin_(?:${[
    "bswap(?:16|32|64)|ctz(?:l|ll)?|clzl|popcountl|ffsl|parity(?:l|ll)?|clrsb(?:l|ll)?|constant_p|expect_with_probability",
    "isnormal|isless(?:equal|greater)?|isgreater(?:equal)?|isunordered|isinf_sign|fpclassify",
    "strlen|strn?cmp|strchr|strstr|memcmp|memchr",
  ].join("|")})$`,
);
/** Those with an effect. */
const acting =
  /^(?:__builtin_(?:trap|prefetch|memmove|strn?cpy|strcat|puts|free|abort|exit|cpu_init|cpu_supports|__clear_cache|[su]?(?:add|sub|mul)(?:l|ll)?_overflow)|__sync_\w+|__atomic_(?!is_lock_free|always_lock_free)\w+)$/;

/** What a message calls a function that device code cannot call because only nvcc's host has it; undefined for any other call. */
export function hostFunctionOfLanguage(call: CallFact, facts: Facts): string | undefined {
  const { callee, name, within } = call;
  // A constexpr function may be called with constants only.
  if (within?.declarations.some(({ words }) => hasWord(words, "constexpr", "consteval")) === true) return undefined;
  if (callee === undefined) {
    if (acting.test(name) || (computing.test(name) && call.arguments.some((argument) => dependsOnRun(argument, facts))))
      return `'${name}' is a builtin of the host's compiler`;
    return undefined;
  }
  const isOfHost =
    callee.isBuiltin && callee.declarations.every(({ execution }) => execution.host && !execution.device && !execution.kernel);
  return isOfHost && !mayLackOverloads(call.place.unit) && !isDeclaredByProgram(callee, facts)
    ? `'${name}' is a function of ${/^(?:make_)?cuda/.test(name) ? "CUDA's runtime for the host" : "the host's C library"}`
    : undefined;
}

/** True for an argument that contains a variable whose value is known at run time only. */
function dependsOnRun({ expression, place: { unit } }: CallFact["arguments"][number], facts: Facts): boolean {
  let isOpen = false;
  walkExpressions(expression, (inner: Expression) => {
    const part = inner.kind === "name" ? inner.name.parts.at(-1) : undefined;
    const symbol = part === undefined ? undefined : symbolAt(facts, { unit, start: part.span.start });
    if (symbol?.kind !== "variable" || hasWord(symbol.words, "constexpr")) return;
    isOpen ||= !referred(symbol.type).qualifiers.const || symbol.scope === "parameter";
  });
  return isOpen;
}

function isDeclaredByProgram({ name }: FunctionSymbol, { functions }: Facts): boolean {
  return functions.some((each) => each.name === name && !each.isBuiltin);
}
