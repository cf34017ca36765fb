/** A capture by reference of a host variable in a lambda that runs on the device. */
import { isHostOnly } from "../../analyses/device-code.ts";
import { accessesInLambda, enclosingLambdas } from "../../analyses/fact-index.ts";
import type { AccessFact, Facts } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol } from "../../semantics/types/symbols.ts";
import { hasWord } from "../../syntax/walk.ts";
import type { RuleFinding } from "../rule.ts";

/** The finding for a lambda's first capture by reference; undefined if it has none. `isNvcc`: a default capture without a use counts, too. */
export function referenceCaptured(
  facts: Facts,
  isNvcc: boolean,
  { lambda, declarations: [declaration] }: FunctionSymbol,
): RuleFinding | undefined {
  if (lambda === undefined || declaration === undefined) return undefined;
  const captured = lambda.captures.find(({ isReference }) => isReference);
  const used = captured === undefined && lambda.captureDefault === "&" ? usedLocal(facts, declaration.owner) : undefined;
  const name = captured?.name ?? used?.path.root?.name;
  const isMarked = hasWord(declaration.words, "__device__");
  if (name === undefined)
    // nvcc rejects every default capture by reference; clang reports only the captures that happen.
    return isMarked && lambda.captureDefault === "&" && isNvcc
      ? { place: declaration.namePlace, message: "a device lambda cannot have '[&]': its captures would refer to the host's stack" }
      : undefined;
  const { unit } = declaration.place;
  const place =
    captured !== undefined ? { unit, span: captured.span } : used === undefined || isMarked ? declaration.namePlace : used.place;
  const what = isMarked ? "a device lambda" : "a lambda that runs in a kernel";
  return {
    place,
    message: `${what} captures '${name}' by reference; it lives on the host's stack`,
    related: used?.path.root === undefined ? [] : [{ message: `'${name}' is declared here`, place: used.path.root.place }],
  };
}

/** The first use in the lambda's body of a local variable from outside of it. */
function usedLocal(facts: Facts, lambda: FunctionSymbol): AccessFact | undefined {
  return accessesInLambda(facts, lambda).find((access) => isLocalOutside(access, lambda));
}

function isLocalOutside({ path, within }: AccessFact, lambda: FunctionSymbol): boolean {
  const { root } = path;
  if (lambda.lambda?.captures.some(({ name, isReference }) => name === root?.name && !isReference) === true) return false;
  if (root === undefined || within === undefined || root.owner !== within || !isHostOnly({ within })) return false;
  if (root.scope === "parameter") return true;
  return root.scope === "block" && !enclosingLambdas(root.lambda).includes(lambda) && !hasWord(root.words, "static", "constexpr", "extern");
}
