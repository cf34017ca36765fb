/** After an error, the parser may put statements into a body that follow its closing brace. They are moved out of it. */
import { expect, test } from "vitest";
import type { RawNode } from "../../../server/src/syntax/lowering/raw.ts";
import { withoutSwallowed } from "../../../server/src/syntax/lowering/swallowed.ts";
import { readTokens } from "../../../server/src/syntax/text/atoms.ts";

const text = "int f() const { CHOOSE((return 1;)); } void g() { total += 1; }";

function node(type: string, part: string, children: readonly RawNode[] = []): RawNode {
  const start = text.indexOf(part);
  return { type, field: "", start, end: start + part.length, text: "", isNamed: true, children, isBroken: false };
}

const error = node("ERROR", "CHOOSE((return 1;));");
const swallowed = node("compound_statement", "{ total += 1; }", [node("expression_statement", "total += 1;")]);
const body = node("compound_statement", "{ CHOOSE((return 1;)); } void g() { total += 1; }", [error, swallowed]);
const tree = node("translation_unit", text, [node("function_definition", text, [node("function_declarator", "f() const"), body])]);

test("statements after the closing brace do not belong to the function", () => {
  const [found] = withoutSwallowed(tree, readTokens(text), [error]).children;
  expect(found?.children.map(({ children }) => children)).toEqual([[], [error]]);
});

test("statements stay in the body if there is no error, or only one elsewhere", () => {
  expect(withoutSwallowed(tree, readTokens(text), [])).toBe(tree);
  const [found] = withoutSwallowed(tree, readTokens(text), [{ start: text.length, end: text.length }]).children;
  expect(found).toBe(tree.children[0]);
});

test("statements stay in the body if its closing brace is missing, because its end is unknown", () => {
  const open = text.replace("} void", "  void");
  expect(withoutSwallowed(tree, readTokens(open), [error])).toEqual(tree);
});
