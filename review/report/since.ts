import { createHash } from "node:crypto";
import type { Draft } from "./make.ts";
import type { Report } from "./report.ts";

/** Parts of a report that are compared. */
type Compared = Pick<Draft, "changes" | "findings" | "outputs">;

/** Part of a report under its displayed name. Two parts with the same name have different keys. */
interface Part {
  readonly name: string;
  readonly digest: string;
}

/** Returns the names of changes, findings and outputs that were added, removed or changed. */
export function compareReports(before: Compared, after: Compared): NonNullable<Report["since"]> {
  const [old, current] = [partsOf(before), partsOf(after)];
  const names = (
    parts: ReadonlyMap<string, Part>,
    isWanted: (key: string, part: Part) => boolean,
  ): string[] =>
    [
      ...new Set([...parts].filter(([key, part]) => isWanted(key, part)).map(([, { name }]) => name)),
    ].toSorted();
  return {
    added: names(current, (key) => !old.has(key)),
    removed: names(old, (key) => !current.has(key)),
    changed: names(current, (key, { digest }) => old.has(key) && old.get(key)?.digest !== digest),
  };
}

/** Returns the parts by key; merges parts with equal keys. */
function partsOf({ changes, findings, outputs }: Compared): Map<string, Part> {
  const parts = new Map<string, Part>();
  const add = (key: string, name: string, content: unknown) =>
    parts.set(key, { name, digest: digestOf([parts.get(key)?.digest, content]) });
  for (const change of changes) {
    const name = `${change.plan}: ${change.action} ${change.address}`;
    add(name, name, change);
  }
  for (const { fingerprint, plan, rule, address, severity, text, waiver } of findings)
    add(fingerprint, `${plan}: ${rule}${address === undefined ? "" : ` ${address}`}`, [
      severity,
      text,
      waiver,
    ]);
  for (const output of outputs) {
    const name = `${output.plan}: output ${output.name}`;
    add(name, name, output);
  }
  return parts;
}

const digestOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
