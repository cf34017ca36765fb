/** The form of results that come from a file: the cache, or another machine. */
import type { Coverage } from "../diagnostics/coverage.ts";
import type { FileReport, Note, Understanding } from "../diagnostics/file-report.ts";
import type { CudaDialect, DialectData, OpenCLDialect } from "../dialect.ts";
import type { Diagnostic, Fix, QualifiedParameter, RelatedPlace } from "../finding.ts";
import { either, type Form, isCount, isFlag, isNumber, isText, listOf, object, oneOf, optional } from "../forms.ts";
import { rules } from "../rules/index.ts";
import type { Edit } from "../source.ts";
import { isLocation, isSummary } from "../summary/summary-form.ts";
import type { FileCheck } from "./file-result.ts";
import type { ReadSet } from "./read-set.ts";

const ids: ReadonlySet<string> = new Set(rules.map(({ id }) => id));
const isRule: Form<string> = (value): value is string => isText(value) && ids.has(value);

const isRelated = object<RelatedPlace>({ message: isText, location: isLocation });
const isFix = object<Fix>({
  title: isText,
  edits: listOf(object<Edit>({ location: isLocation, text: isText })),
  isPreferred: isFlag,
  qualifiedParameter: optional(
    object<QualifiedParameter>({
      name: isText,
      signature: optional(isText),
      parameter: isNumber,
      space: oneOf("global", "local", "constant", "private", "generic"),
    }),
  ),
});
const isDiagnostic = object<Diagnostic>({
  rule: isRule,
  severity: oneOf("error", "warning", "info", "hint"),
  message: isText,
  location: isLocation,
  related: listOf(isRelated),
  fixes: listOf(isFix),
  spelledIn: optional(listOf(isLocation)),
});

const isTextSet: Form<ReadonlySet<string>> = (value): value is ReadonlySet<string> => value instanceof Set && [...value].every(isText);
const isDialect: Form<DialectData> = either(
  object<Omit<OpenCLDialect, "has" | "note">>({
    language: oneOf("opencl"),
    standard: oneOf("CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "clc++1.0", "clc++2021"),
    label: isText,
    cplusplus: isFlag,
    genericAddressSpace: isFlag,
    programScopeGlobalVariables: isFlag,
    features: isTextSet,
  }),
  object<CudaDialect>({
    language: oneOf("cuda"),
    label: isText,
    cplusplus: oneOf(true),
    standard: isNumber,
    architectures: listOf(isNumber),
    specificArchitectures: optional(listOf(isNumber)),
    relocatableDeviceCode: isFlag,
    isRelocatableKnown: optional(oneOf(true)),
    hip: isFlag,
    allowsDeviceInitialization: optional(oneOf(true)),
    relaxesConstexpr: optional(oneOf(true)),
    choosesThrustSystem: optional(oneOf(true)),
    runtime: optional(oneOf("host-by-default", "device-by-default")),
    hostCompiler: optional(oneOf("msvc", "msvc in some build")),
    side: optional(oneOf("host")),
  }),
);
const isKindOfNote: Form<NonNullable<Note["kind"]>> = (value): value is NonNullable<Note["kind"]> => isText(value);
const isNote = object<Note>({ kind: optional(isKindOfNote), message: isText, location: isLocation, header: optional(isText) });
const isReport = object<FileReport>({
  uri: isText,
  diagnostics: listOf(isDiagnostic),
  notes: listOf(isNote),
  inactiveBranches: listOf(isRelated),
  dialects: listOf(isDialect),
  understanding: object<Understanding>({
    parseErrors: listOf(isLocation),
    expressions: isCount,
    unknownExpressions: isCount,
    standardFrom: optional(isLocation),
  }),
  coverage: object<Coverage>({
    kernels: isCount,
    unclear: isCount,
    inactive: listOf(object<Coverage["inactive"][number]>({ macro: isText, flag: optional(isText), kernels: isCount })),
    hidden: listOf(object<Coverage["hidden"][number]>({ macro: isText, flag: optional(isText), kernels: isCount })),
    unparsed: isCount,
    missingHeaders: listOf(isText),
    unknownTypes: listOf(object<Coverage["unknownTypes"][number]>({ name: isText, location: isLocation })),
    limits: listOf(isText),
  }),
  itemStarts: listOf(isCount),
  embedded: isCount,
  unread: listOf(isText),
  dependencies: listOf(isText),
});
const isReadSet = object<ReadSet>({
  files: listOf(isText),
  includes: listOf(object<ReadSet["includes"][number]>({ paths: listOf(isText), questions: listOf(isText) })),
  names: listOf(isText),
  asksExtensions: isFlag,
  candidates: listOf(isText),
  readers: optional(oneOf("none", "host", "other")),
  configured: listOf(isText),
  judged: listOf(isText),
});

/** The result of `learn`. */
export const isFileCheck = object<FileCheck>({
  report: isReport,
  summary: optional(isSummary),
  undecided: listOf(isDiagnostic),
  elsewhere: listOf(isDiagnostic),
  readSet: isReadSet,
});
