/**
 * The status item of an editor for a file: under which standard the file is judged, which settings decide that, and how much was
 * understood.
 */
import { labelsOf } from "../../editor/hover/dialects.ts";
import { printable } from "../../printable.ts";
import type { FileReport } from "../../service.ts";
import { cudaArchitectures, openclStandards } from "../../settings/settings-schema.ts";

/** The notification that tells the client how a file is judged. */
export const statusNotification = "gpu-qualifiers/status";

/** How a file is judged, and which settings decide that. */
export interface FileStatus {
  readonly uri: string;
  /** The standard that the file is judged by, or the architectures that it is compiled for, in a few words. */
  readonly judgedBy: string;
  /** The standards, if there are several; otherwise empty. */
  readonly standards: string;
  /** The origin of the compile settings. */
  readonly settings: string;
  /** `warning` if something prevents this tool from understanding the file. */
  readonly severity: "information" | "warning";
  /** One sentence about what was not understood; empty if nothing. */
  readonly gaps: string;
  /** The setting that decides how the file is judged, for editors that let users choose. */
  readonly choice?: StandardChoice;
}

/** The standards that a user may choose for a file. */
export interface StandardChoice {
  /** The path of the value in a settings file. */
  readonly path: readonly string[];
  readonly title: string;
  readonly values: readonly string[];
  /** The standards that the file is judged by now. */
  readonly inForce: readonly string[];
  /** The value is a list of standards. */
  readonly isMany: boolean;
  /** What an unset value means. */
  readonly unset: string;
}

/** How many macros are named whose definition would activate kernels. */
const mostMacros = 2;

/** How a file is judged and what could not be understood of it, for a status bar. */
export function statusOf(uri: string, report: FileReport, settings: string): FileStatus {
  const missing = report.notes.filter(({ message }) => /header|include/i.test(message)).length;
  const unreadable = report.understanding.parseErrors.length;
  const gaps = [
    ...(unreadable === 0 ? [] : [`${unreadable} place${unreadable === 1 ? "" : "s"} could not be parsed`]),
    ...(missing === 0 ? [] : [`${missing} include${missing === 1 ? " is" : "s are"} missing`]),
    ...(report.understanding.unknownExpressions === 0 ? [] : [unknownShare(report)]),
    ...report.coverage.inactive
      .slice(0, mostMacros)
      .map(
        ({ macro, kernels }) =>
          `${kernels} kernel${kernels === 1 ? " is" : "s are"} in code that needs ${macro === "" ? "another condition" : printable(macro)}`,
      ),
    ...report.coverage.hidden
      .slice(0, mostMacros)
      .map(
        ({ macro, kernels }) => `${kernels} kernel${kernels === 1 ? " is" : "s are"} behind ${printable(macro)}, which no header defines`,
      ),
    ...(report.coverage.unparsed === 0 ? [] : [`${report.coverage.unparsed} in templates or string literals could not be parsed`]),
    ...report.coverage.limits,
  ];
  return {
    uri,
    judgedBy: judgedBy(report),
    standards: report.dialects.length > 1 ? labelsOf(report.dialects) : "",
    settings: settings === "defaults" ? "no settings found" : `settings: ${printable(settings)}`,
    severity: unreadable > 0 ? "warning" : "information",
    gaps: gaps.join(", "),
    ...choiceFor(report),
  };
}

function choiceFor({ dialects }: FileReport): Pick<FileStatus, "choice"> {
  const [first] = dialects;
  if (first === undefined) return {};
  if (first.language === "opencl") {
    return {
      choice: {
        path: ["opencl", "standard"],
        title: "The OpenCL standard that this folder is judged by",
        values: openclStandards,
        inForce: dialects.length === 1 ? [first.standard] : [],
        isMany: false,
        unset: "every standard at once",
      },
    };
  }
  return {
    choice: {
      path: ["cuda", "architectures"],
      title: "The architectures that this folder is compiled for",
      values: cudaArchitectures,
      inForce: first.architectures.map((architecture) => `sm_${architecture}`),
      isMany: true,
      unset: "any",
    },
  };
}

function unknownShare({ understanding: { expressions, unknownExpressions } }: FileReport): string {
  const percent = Math.max(1, Math.round((100 * unknownExpressions) / Math.max(expressions, 1)));
  return `the type of ${percent} % of the expressions is not known`;
}

function judgedBy({ dialects }: FileReport): string {
  const first = dialects[0];
  if (first === undefined) return "not a CUDA or OpenCL file";
  if (first.language === "opencl") return dialects.length === 1 ? first.label : "OpenCL C, no standard chosen";
  const architectures = first.architectures.map((number) => `sm_${number}`).join(", ");
  return architectures === "" ? first.label : `${first.label} for ${architectures}`;
}
