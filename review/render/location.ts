import { posix } from "node:path";
import type { Report, ReportFinding } from "../report/report.ts";

/** File of the repository for findings without a source, by engine. */
const entryFiles = {
  terraform: "main.tf",
  opentofu: "main.tf",
  pulumi: "Pulumi.yaml",
  unknown: "main.tf",
} as const;

/**
 * Returns a function that locates a finding for hosts: its source, else the first line of a file that every program of the
 * engine has.
 */
export function locationsIn({ plans }: Report): (finding: ReportFinding) => { file: string; line: number } {
  const files = new Map(
    plans.map(({ name, engine, root = "" }) => [name, posix.join(root, entryFiles[engine])]),
  );
  return ({ plan, source }) => source ?? { file: files.get(plan) ?? entryFiles.unknown, line: 1 };
}
