/** Types that code outside of their function or class cannot name, which nvcc generates for kernels and for device lambdas. */
import { mayHideSpecifier, type TextOf } from "../../analyses/host/declared-heads.ts";
import type { EnumSymbol, FunctionSymbol, RecordSymbol } from "../../semantics/types/symbols.ts";
import type { TemplateValue, Type } from "../../semantics/types/types.ts";
import { hasWord } from "../../syntax/walk.ts";

/** The first class or enumeration in a type, or in its template arguments, that is local or not public. Types of functions may contain any. */
export function unnamableIn(type: Type, isLocal: (type: RecordSymbol | EnumSymbol) => boolean): RecordSymbol | EnumSymbol | undefined {
  switch (type.kind) {
    case "pointer":
      return unnamableIn(type.pointee, isLocal);
    case "reference":
      return unnamableIn(type.referent, isLocal);
    case "array":
      return unnamableIn(type.element, isLocal);
    case "member-pointer":
      return unnamableIn(type.of, isLocal);
    case "enum":
      return type.enumeration.access !== undefined || isLocal(type.enumeration) ? type.enumeration : undefined;
    case "record": {
      const { access, instance } = type.record;
      if (access !== undefined || isLocal(type.record)) return type.record;
      if (instance?.template.access !== undefined) return instance.template;
      return unnamableAmong(instance?.arguments ?? [], isLocal);
    }
    default:
      return undefined;
  }
}

/** The first such class or enumeration in template arguments. */
export function unnamableAmong(
  values: readonly TemplateValue[],
  isLocal: (type: RecordSymbol | EnumSymbol) => boolean,
): RecordSymbol | EnumSymbol | undefined {
  for (const value of values) {
    const found = typeof value === "bigint" ? undefined : unnamableIn(value, isLocal);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** True for a lambda with `__device__`, which nvcc can name, and for one whose specifiers may come from an unread macro. */
export function mayBeExtended({ declarations }: FunctionSymbol, textOf: TextOf): boolean {
  return hasWord(declarations[0]?.words ?? [], "__device__") || mayHideSpecifier(declarations, textOf);
}
