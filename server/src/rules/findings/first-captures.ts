/**
 * Variables that a device lambda with a capture default captures first inside of an `if constexpr`: nvcc rejects that, also where the
 * branch is discarded, because the device's compilation could capture others than the host's.
 */
import { groupBy } from "../../analyses/group-by.ts";
import { memo } from "../../memo.ts";
import type { Facts, ReferenceFact } from "../../semantics/facts/facts.ts";
import type { FunctionSymbol, VariableSymbol } from "../../semantics/types/symbols.ts";
import type { ViewSpan } from "../../source.ts";
import { encloses } from "../../spans.ts";
import type { LambdaExpression, Statement } from "../../syntax/ast.ts";
import { childStatements, hasWord, ownExpressions, walkExpressions } from "../../syntax/walk.ts";
import type { RuleFinding } from "../rule.ts";

/** The first such variable of the lambda. */
export function firstCaptures(facts: Facts, { lambda, around, declarations: [declaration] }: FunctionSymbol): readonly RuleFinding[] {
  if (lambda?.captureDefault === undefined || around === undefined || declaration === undefined) return [];
  const branches = constexprBranches(lambda.body);
  if (branches.length === 0 || facts.unread.some(({ span }) => encloses(lambda.span, span))) return [];
  const { unit } = declaration.place;
  const seen = new Set([...lambda.captures.map(({ name }) => name), ...namesCapturedIn(lambda.body)]);
  const uses = (referencesIn(facts).get(around) ?? [])
    .filter(({ place }) => place.unit === unit && encloses(lambda.body.span, place.span))
    .sort((a, b) => a.place.span.start - b.place.span.start);
  for (const { symbol, place } of uses) {
    if (symbol.kind !== "variable" || seen.has(symbol.name) || !isLocalOf(symbol, around, lambda.span)) continue;
    seen.add(symbol.name);
    if (branches.some((branch) => encloses(branch, place.span)))
      return [{ place, message: `a device lambda cannot capture '${symbol.name}' first inside of 'if constexpr'` }];
  }
  return [];
}

const referencesIn = memo(({ references }: Facts) => groupBy<ReferenceFact, FunctionSymbol>(references, ({ within }) => within));

/** True for a parameter or a local variable of the function outside of the lambda. */
function isLocalOf({ owner, scope, words, place }: VariableSymbol, around: FunctionSymbol, lambda: ViewSpan): boolean {
  if (owner !== around || encloses(lambda, place.span)) return false;
  return scope === "parameter" || (scope === "block" && !hasWord(words, "static", "extern", "constexpr"));
}

/** The branches of `if constexpr` in a statement, also those in lambdas. */
function constexprBranches(statement: Statement): readonly ViewSpan[] {
  if (statement.kind === "if" && statement.isConstexpr)
    return [statement.then, statement.otherwise].flatMap((branch) => (branch === undefined ? [] : [branch.span]));
  const inner = lambdasIn(statement).flatMap(({ body }) => constexprBranches(body));
  return [...childStatements(statement).flatMap(constexprBranches), ...inner];
}

/** The lambdas in the expressions of a statement itself. */
function lambdasIn(statement: Statement): readonly LambdaExpression[] {
  const found: LambdaExpression[] = [];
  const declarators = statement.kind === "item" && statement.item.kind === "declaration" ? statement.item.declarators : [];
  const values = declarators.flatMap(({ initializer }) =>
    initializer?.kind === "value" ? [initializer.value] : initializer?.kind === "direct" ? initializer.arguments : [],
  );
  for (const each of [...ownExpressions(statement), ...values])
    walkExpressions(each, (inner) => {
      if (inner.kind === "lambda") found.push(inner);
    });
  return found;
}

/** The names that lambdas in a statement capture explicitly, which is a use before that of their bodies. */
function namesCapturedIn(statement: Statement): readonly string[] {
  const own = lambdasIn(statement).flatMap(({ captures, body }) => [...captures.map(({ name }) => name), ...namesCapturedIn(body)]);
  return [...own, ...childStatements(statement).flatMap(namesCapturedIn)];
}
