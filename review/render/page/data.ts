import type { ReportChange, ReportDifference, ReportFinding, ReportGraph } from "../../report/report.ts";

/** Data that the HTML report contains as JSON: the parts of the report that its script shows. */

export interface PageFinding extends Pick<ReportFinding, "plan" | "address" | "severity" | "rule" | "text"> {
  readonly waived?: true;
}

export type PageDifference = Omit<ReportDifference, "path">;

export interface PageChange extends Omit<ReportChange, "engine" | "type" | "differences"> {
  readonly differences: readonly PageDifference[];
}

export interface PageData {
  readonly hasSeveralPlans: boolean;
  /** Titles of the rules with findings, by id. */
  readonly rules: Readonly<Record<string, string>>;
  /** The most severe first. */
  readonly findings: readonly PageFinding[];
  readonly changes: readonly PageChange[];
  readonly graph: ReportGraph;
}

/** Plan and address of an object. */
export type Place = Pick<PageChange, "plan" | "address">;
