import type { Report, ReportFinding } from "../report/report.ts";

/** Place of a finding in a repository. */
interface Location {
  readonly file: string;
  /** Undefined if the plan does not show the line. */
  readonly line?: number;
}

/**
 * Returns a function that locates a finding for hosts that require a path: its source, else the folder of the program, else the
 * name of the input.
 */
export function locationsIn({ plans }: Report): (finding?: ReportFinding) => Location {
  const files = new Map(plans.map(({ name, root = name }) => [name, root]));
  const [first] = plans;
  return (finding) =>
    finding?.source ?? { file: files.get(finding?.plan ?? "") ?? first?.root ?? first?.name ?? "plan" };
}
