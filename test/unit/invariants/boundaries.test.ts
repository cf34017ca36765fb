/**
 * What the core must not do, judged by its text: only `syntax/` spells node kinds of the grammar; nothing below the hosts waits,
 * uses a clock or random numbers, or prints; and no list of arbitrary length is passed as arguments on the stack.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const core = join(import.meta.dirname, "../../../server/src");
const outer = ["lsp", "cli", "project", "node", "entries"];
const files = readdirSync(core, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ name: relative(core, path).replaceAll("\\", "/"), code: withoutComments(readFileSync(path, "utf8")) }));

it("only syntax/ spells node kinds", () => {
  const kinds = new Set(
    [...readFileSync(join(core, "../../grammars/grammar.js"), "utf8").matchAll(/^\s*([a-z]+(?:_[a-z]+)+)\s*(?::|\()/gm)].map(
      (match) => match[1] ?? "",
    ),
  );
  const shared = [
    "function_definition",
    "parameter_declaration",
    "call_expression",
    "template_declaration",
    "field_expression",
    "pointer_declarator",
    "translation_unit",
  ];
  const pattern = new RegExp(`["'\`](?:${[...kinds, ...shared].join("|")})["'\`]`, "g");
  const spelled = (isSyntax: boolean) =>
    files
      .filter(({ name }) => name.startsWith("syntax/") === isSyntax)
      .flatMap(({ name, code }) => [...code.matchAll(pattern)].map((match) => `${name}: ${match[0]}`));
  expect(spelled(false)).toEqual([]);
  // The pattern matches where node kinds are allowed.
  expect(spelled(true).length).toBeGreaterThan(5);
});

it("nothing below the hosts waits, uses a clock or random numbers, or prints", () => {
  const forbidden =
    /\b(?:await|async|Promise|setTimeout|setInterval|queueMicrotask|process|console|Date|performance)\b|\bfetch *\(|\bMath\.random\b/g;
  const used = files
    .filter(({ name }) => !outer.includes(name.split("/")[0] ?? ""))
    .flatMap(({ name, code }) => [...withoutLiterals(code).matchAll(forbidden)].map((match) => `${name}: ${match[0]}`));
  // The parser is compiled once, before there is a Service.
  expect(used.filter((use) => !/^syntax\/parser\.ts: (?:await|async|Promise)$/.test(use))).toEqual([]);
});

it("no list is spread into a call that takes each element as an argument", () => {
  const spread = /\.(?:push|unshift|apply)\(\.\.\.|Math\.(?:max|min)\(\.\.\.|from(?:CharCode|CodePoint)\(\.\.\./g;
  expect(files.flatMap(({ name, code }) => [...code.matchAll(spread)].map((match) => `${name}: ${match[0]}`))).toEqual([]);
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}

function withoutLiterals(code: string): string {
  return code.replace(/"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g, '""');
}
