import type { PageChange, PageData, PageFinding, Place } from "./data.ts";
import { byId } from "./element.ts";

/** The report that the page contains, and the findings of its changes. */

export const report: PageData = JSON.parse(byId("report").textContent);

/** Returns the address of an object, after its plan if there are several. */
export const placeOf = ({ plan, address }: Place): string =>
  report.hasSeveralPlans ? `${plan}: ${address}` : address;

const keyOf = ({ plan, address }: { readonly plan: string; readonly address?: string | undefined }): string =>
  `${plan} ${address}`;

const findings = Map.groupBy(report.findings, keyOf);

/** Returns the findings of a change, the most severe first. */
export const findingsOf = (change: PageChange): readonly PageFinding[] => findings.get(keyOf(change)) ?? [];

export const severityOf = (change: PageChange): string => findingsOf(change)[0]?.severity ?? "";
