/** Words the differences between the standards that a file is judged by, and its compile settings. */
import type { CompileSettings, Dialect } from "../../dialect.ts";
import { enumerated } from "../../lists.ts";
import { code } from "./markdown.ts";

/** The standards in one phrase: `OpenCL C 1.2, 2.0 and 3.0`. */
export function labelsOf(dialects: readonly Pick<Dialect, "label">[]): string {
  return enumerated(
    dialects.map(({ label }, index) => (index === 0 ? label : label.replace(/^OpenCL C /, ""))),
    "and",
  );
}

/** Groups the answers of several dialects: each distinct answer with the dialects that give it. */
export function grouped<T>(
  all: readonly { readonly dialect: Dialect; readonly value: T }[],
  key: (value: T) => string,
): readonly { readonly value: T; readonly dialects: readonly Dialect[] }[] {
  const groups = new Map<string, { value: T; dialects: Dialect[] }>();
  for (const { dialect, value } of all) {
    const group = groups.get(key(value));
    if (group === undefined) groups.set(key(value), { value, dialects: [dialect] });
    else group.dialects.push(dialect);
  }
  return [...groups.values()];
}

/** The standards that the file is judged by, and the origin of that choice, for the end of a hover's last line. */
export function judgedBy(dialects: readonly Dialect[], settings: CompileSettings): string {
  const { macros, includePaths, origin } = settings;
  const counts = [counted(macros.length, "macro"), counted(includePaths.length, "include path")].filter((part) => part !== undefined);
  const why = dialects.length > 1 ? " because no standard is configured" : "";
  const source = origin === "defaults" ? "no settings found" : `settings: ${code(origin)}`;
  return `*judged by ${dialects.length > 1 ? labelsOf(dialects) : detailed(dialects[0])}${why}; ${[source, ...counts].join(", ")}*`;
}

function counted(count: number, what: string): string | undefined {
  return count === 0 ? undefined : `${count} ${what}${count === 1 ? "" : "s"}`;
}

function detailed(dialect: Dialect | undefined): string {
  if (dialect === undefined) return "nothing";
  if (dialect.language === "opencl") return dialect.label;
  const architectures =
    dialect.architectures.length === 0
      ? "any architecture"
      : enumerated(
          dialect.architectures.map((name) => `sm_${name}`),
          "and",
        );
  return `${dialect.label}${dialect.standard} for ${architectures}${dialect.relocatableDeviceCode ? " with -rdc=true" : ""}`;
}
