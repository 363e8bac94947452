import { createHash } from "node:crypto";
import type { Draft } from "./make.ts";
import type { Report, ReportChange } from "./report.ts";

/** Returns the difference between two reports: names of changes and findings that are new, gone, or other than before. */
export function compareReports(
  before: Pick<Draft, "changes" | "findings">,
  after: typeof before,
): Report["since"] {
  const old = partsOf(before);
  const current = partsOf(after);
  const added = [...current.keys()].filter((key) => !old.has(key));
  const removed = [...old.keys()].filter((key) => !current.has(key));
  const changed = [...current].flatMap(([key, digest]) =>
    old.has(key) && old.get(key) !== digest ? [key] : [],
  );
  return { added: added.toSorted(), removed: removed.toSorted(), changed: changed.toSorted() };
}

/** Returns a digest of each change and finding, by its name. */
function partsOf({ changes, findings }: Pick<Draft, "changes" | "findings">): Map<string, string> {
  const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
  return new Map([
    ...changes.map((change): [string, string] => [nameOf(change), digest(change)]),
    ...findings.map(({ rule, address, plan, severity, text }): [string, string] => [
      `${rule} ${address ?? plan}`,
      digest([severity, text]),
    ]),
  ]);
}

const nameOf = ({ plan, action, address }: ReportChange): string => `${plan}: ${action} ${address}`;
