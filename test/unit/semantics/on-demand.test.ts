/** Classes in headers that are bound on demand mean the same as if they had been bound at once. */
import { afterAll, expect, it } from "vitest";
import { noSettings } from "../../../server/src/dialect.ts";
import { createService } from "../../../server/src/service.ts";
import { isThorough } from "../../effort.ts";
import { memoryFiles, testParser } from "../../service.ts";

const large = "struct Block { float values[20000]; };\n";
const kernel = "__global__ void run(lib::Node node) {}\n";
const texts = new Map<string, string>();
const service = createService({ files: memoryFiles(texts), parser: await testParser(), settingsOf: () => noSettings });
afterAll(() => service.dispose());

/** The rules with findings in `main`, which includes `header`. */
function rulesOf(header: string, main: (include: string) => string): readonly string[] {
  texts.set("file:///node.h", header);
  texts.set("file:///main.cu", main('#include "node.h"\n'));
  service.changed([...texts.keys()]);
  return service
    .check("file:///main.cu")
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ rule }) => rule);
}

const node = "namespace lib { struct Node { Block block; }; }\n";

it("see declarations before them", () => {
  expect(rulesOf(node, (include) => large + include + kernel)).toEqual(["kernel-parameter-size"]);
});

it("do not see declarations after them", () => {
  expect(rulesOf(node, (include) => include + large + kernel)).toEqual([]);
  expect(rulesOf(node, (include) => `${include}namespace other { ${large} }\nusing namespace other;\n${kernel}`)).toEqual([]);
});

it("see all of themselves, their bases and the classes in them", () => {
  const header = `${large}namespace lib { struct Base { struct Inner { Block block; }; }; struct Node : Base { Inner inner; Late late; struct Late { int n; }; }; }\n`;
  expect(rulesOf(header, (include) => include + kernel)).toEqual([]);
  const known = header.replace("Late late; ", "");
  expect(rulesOf(known, (include) => include + kernel)).toEqual(["kernel-parameter-size"]);
});

it("have the definitions of their members, their specializations and friends", () => {
  const header =
    "namespace lib { template<int N> struct Size { static int of(); enum { value = 1 }; }; template<> struct Size<2> { enum { value = 90000 }; };\nstruct Node { char bytes[Size<2>::value]; friend void free(Node); }; }\n";
  expect(rulesOf(header, (include) => `${include}template<int N> int lib::Size<N>::of() { return N; }\n${kernel}`)).toEqual([
    "kernel-parameter-size",
  ]);
});

it("are bound when a function that they befriend is called", () => {
  const header = "struct Node { struct Part { friend __device__ void put(Node, float *) {} }; };\n";
  const call = "__global__ void run(const float *in) { put(Node(), in); }\n";
  expect(rulesOf(header, (include) => include + call)).toEqual(["qualifier-discarded"]);
  expect(rulesOf(header, (include) => call + include)).toEqual([]);
});

it("are defined when a function that they befriend is called, even if they were named before", () => {
  const friend = "{ int n; friend __device__ void put(Node, float *) {} };\n";
  const call = "__global__ void run(const float *in) { put(make(), in); }\n";
  for (const [header, name] of [
    [`struct Node ${friend}`, "Node"],
    [`struct Outer { struct Node ${friend} };\n`, "Outer::Node"],
  ] as const) {
    const make = `__device__ ${name} make();\n`;
    expect(rulesOf(header + make, (include) => include + call)).toEqual(["qualifier-discarded"]);
    expect(rulesOf(header, (include) => include + make + call)).toEqual(["qualifier-discarded"]);
    expect(rulesOf(`${header}${make}__device__ void put(${name}, const float *);\n`, (include) => include + call)).toEqual([]);
  }
});

it("are bound when a using declaration's name is looked up, with the declarations before it", () => {
  const header = "namespace lib { __device__ void put(float *); }\nnamespace use { using lib::put; }\n";
  const later = "namespace lib { __device__ void put(const float *); }\n";
  const call = "__global__ void run(const float *in) { use::put(in); }\n";
  expect(rulesOf(header, (include) => include + call)).toEqual(["qualifier-discarded"]);
  expect(rulesOf(header + later, (include) => include + call)).toEqual(["qualifier-discarded"]);
  expect(rulesOf(later + header, (include) => include + call)).toEqual([]);
});

it("have members that are defined outside, even if the class itself is not named", () => {
  const node = "struct Node { __device__ void put(float *p, int n); };\n__device__ Node make();\n";
  const definition = "__device__ void Node::put(float *p, int n = 0) {}\n";
  const call = "__global__ void run(const float *in) { make().put(in); }\n";
  expect(rulesOf(node + definition, (include) => include + call)).toEqual(["qualifier-discarded"]);
  expect(rulesOf(node, (include) => include + call)).toEqual([]);
  expect(rulesOf(`namespace lib { ${node} }\n`, (include) => `${include}${call.replace("make", "lib::make")}`)).toEqual([]);
  const inside = `namespace lib { ${node} }\n${definition.replace("Node", "lib::Node")}`;
  expect(rulesOf(inside, (include) => include + call.replace("make", "lib::make"))).toEqual(["qualifier-discarded"]);
});

it("are bound when a function template that they befriend is called", () => {
  const header = "template<class T> struct Node { template<class U> friend __device__ void put(Node<U>, float *); };\n";
  const definition = "template<class U> __device__ void put(Node<U>, float *) {}\n";
  const call = "__global__ void run(const float *in) { put(Node<int>(), in); }\n";
  expect(rulesOf(header + definition, (include) => include + call)).toEqual(["qualifier-discarded"]);
});

it("are instantiated where a complete type is needed, not where they are named", () => {
  const size = "template<int N> struct Size { enum { value = N }; };\n";
  const box = `${size}template<int N> struct Box { char bytes[Size<N>::value]; };\nnamespace lib { using Node = Box<2>; }\n`;
  const special = "template<> struct Size<2> { enum { value = 90000 }; };\n";
  expect(rulesOf(box, (include) => include + special + kernel)).toEqual(["kernel-parameter-size"]);
  expect(rulesOf(box, (include) => `${include}__device__ lib::Node first;\n${kernel}`)).toEqual([]);
  expect(rulesOf("", () => box + special + kernel)).toEqual(["kernel-parameter-size"]);
});

it("are specialized before they are instantiated, with the declarations before each specialization", () => {
  const size = "template<class T> struct Size { enum { value = 1 }; };\n";
  const many = "enum { many = 90000 };\n";
  const whole = "template<> struct Size<int *> { enum { value = many }; };\n";
  const part = "template<class T> struct Size<T *> { enum { value = many }; };\n";
  const node = "namespace lib { struct Node { char bytes[Size<int *>::value]; }; }\n";
  for (const special of [whole, part]) {
    expect(rulesOf(size + many + special + node, (include) => include + kernel)).toEqual(["kernel-parameter-size"]);
    expect(
      rulesOf(`${size}${many}namespace lib { ${special.replace("Size<", "::Size<")} }\n${node}`, (include) => include + kernel),
    ).toEqual(["kernel-parameter-size"]);
  }
  expect(rulesOf(size + whole + many + node, (include) => include + kernel)).toEqual([]);
  expect(rulesOf(size + many + whole.replace("int *", "int") + node, (include) => include + kernel)).toEqual([]);
});

it("mean the same if other declarations have their names", () => {
  const header = `struct Block { char few[4]; };\nenum { count = 2 };\nnamespace lib { typedef Block Part; struct Node { Part parts[count]; }; }\n`;
  expect(rulesOf(header, (include) => include + kernel)).toEqual([]);
  // The class of the same name that the file itself declares is another one.
  expect(rulesOf(header, (include) => `${include}namespace lib { ${large} enum { count = 90000 }; }\n${kernel}`)).toEqual([]);
  const redefined = `${large}namespace lib { using Part = ::Block; }\n#include "node.h"\n${kernel}`;
  expect(rulesOf("namespace lib { struct Node { Part part; }; }\n", () => redefined)).toEqual(["kernel-parameter-size"]);
});

it("keep declarations that are compared with other files", () => {
  texts.clear();
  texts.set(
    "file:///kernel.h",
    "struct P { int n; };\ntemplate<class T> struct Unused {};\n__global__ void run(const __grid_constant__ P p);\n",
  );
  texts.set("file:///user.cu", '#include "kernel.h"\n');
  texts.set("file:///kernel.cu", "struct P { int n; };\n__global__ void run(const P p) {}\n");
  service.changed([...texts.keys()]);
  for (const uri of ["file:///user.cu", "file:///kernel.cu"]) service.check(uri);
  expect([...service.link().values()].flat().map(({ rule }) => rule)).toContain("grid-constant-mismatch");
});

it("are unknown if they need each other without end, and only these are", () => {
  const names = Array.from({ length: isThorough ? 10_000 : 1_600 }, (_, index) => index);
  const chain = `struct S0 { int n; };\n${names
    .slice(1)
    .map((index) => `struct S${index} : S${index - 1} { int m; };`)
    .join("\n")}\nnamespace lib { struct Node : S${names.length - 1} { }; }\n`;
  expect(rulesOf(chain, (include) => include + kernel)).toEqual([]);
  const aliases = `typedef int T0;\n${names
    .slice(1)
    .map((index) => `typedef T${index - 1} T${index};`)
    .join("\n")}\nnamespace lib { struct Node { T${names.length - 1} n; }; }\n`;
  expect(rulesOf(aliases, (include) => include + kernel)).toEqual([]);
  const special = (index: number) =>
    `template<int N> struct T${index} { enum { value = 1 }; };\ntemplate<> struct T${index}<0> { enum { value = T${index - 1}<0>::value }; };`;
  const specials = `template<int N> struct T0 { enum { value = 90000 }; };\n${names
    .slice(1, names.length / 4)
    .map(special)
    .join("\n")}\n`;
  expect(
    rulesOf(`${specials}namespace lib { struct Node { char n[T${names.length / 4 - 1}<0>::value]; }; }\n`, (include) => include + kernel),
  ).toEqual([]);
  const fibonacci =
    "template<int N> struct F { static const int v = F<N - 1>::v + F<N - 2>::v; };\ntemplate<> struct F<0> { static const int v = 0; };\ntemplate<> struct F<1> { static const int v = 1; };\n";
  expect(
    rulesOf(
      "namespace lib { struct Node { int n; }; }\n",
      (include) => `${include}${fibonacci}__global__ void other(int *o) { int a[F<900>::v]; *o = F<20>::v; }\n${kernel}`,
    ),
  ).toEqual([]);
});
