/** Decides which types are too deep or too long to be walked on every use. They become unknown where a program declares them. */
import { memo } from "../../memo.ts";
import { type TemplateValue, type Type, unknownType } from "./types.ts";

/** The depth of a type, and the number of types in it with repetitions. */
interface Extent {
  readonly height: number;
  readonly count: number;
}

const single: Extent = { height: 1, count: 1 };

// Types in real libraries have some hundred parts; a chain of typedefs that doubles each time has exponentially many.
const highest = 250;
const mostParts = 10_000;

/** The type itself, or the unknown type if it nests too deeply or has too many parts to be walked on every use. */
export function boundedType(type: Type): Type {
  const { height, count } = extentOf(type);
  return height > highest || count > mostParts ? unknownType : type;
}

function extentOf(type: Type): Extent {
  return partsOf(type).length === 0 ? single : extentWithParts(type);
}

const extentWithParts = memo((type: Type): Extent => {
  let height = 0;
  let count = 1;
  for (const part of partsOf(type)) {
    const inner = extentOf(part);
    height = Math.max(height, inner.height);
    count += inner.count;
  }
  return { height: height + 1, count };
});

const noParts: readonly Type[] = [];

/** The direct parts of a type. */
function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "pointer":
      return [type.pointee];
    case "reference":
      return [type.referent];
    case "array":
      return [type.element];
    case "atomic":
      return [type.value];
    case "function":
      return [type.result, ...type.parameters];
    case "block":
      return [type.function];
    case "record":
      return type.record.instance === undefined ? noParts : typesAmong(type.record.instance.arguments);
    case "dependent":
      return type.instance === undefined ? noParts : typesAmong(type.instance.arguments);
    default:
      return noParts;
  }
}

function typesAmong(values: readonly TemplateValue[]): readonly Type[] {
  return values.filter((value): value is Type => typeof value !== "bigint");
}
