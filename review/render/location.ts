import { posix } from "node:path";
import type { Report, ReportFinding } from "../report/report.ts";

/** File of the repository in which a finding without a source is shown, by engine. */
const entryFiles = {
  terraform: "main.tf",
  opentofu: "main.tf",
  pulumi: "Pulumi.yaml",
  unknown: "main.tf",
} as const;

/** Returns where hosts show a finding: at its source, else in the first line of a file that its program should have. */
export function locationsIn({ plans }: Report): (finding: ReportFinding) => { file: string; line: number } {
  const files = new Map(
    plans.map(({ name, engine, root = "" }) => [name, posix.join(root, entryFiles[engine])]),
  );
  return ({ plan, source }) => source ?? { file: files.get(plan) ?? entryFiles.unknown, line: 1 };
}
