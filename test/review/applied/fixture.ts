import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decideApplied } from "../../../review/gate/applied.ts";
import { decide } from "../../../review/gate/gate.ts";
import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import type { ApplyLog } from "../../../review/model/apply-log.ts";
import { applyLogIn, logLines } from "../../../review/read/apply-log.ts";
import { readApplyState } from "../../../review/read/apply-state.ts";
import { readPlan } from "../../../review/read/read.ts";
import { appliedOf } from "../../../review/report/applied.ts";
import { makeReport } from "../../../review/report/make.ts";
import type { Report } from "../../../review/report/report.ts";

/** Recorded applies, and the reports that `kcloud review applied` makes of them. */

export const fixtureFolder = new URL("./fixture/", import.meta.url).pathname;

/** Returns the text of a recorded file. */
export const recorded = (
  scene: string,
  file: "plan.json" | "log.jsonl" | "state.json" | "raw.json",
): string => readFileSync(join(fixtureFolder, scene, file), "utf8");

/** Returns the log of a scene. Throws if it is none. */
export function logOf(text: string): ApplyLog {
  const log = applyLogIn(logLines(text));
  if (log === undefined) throw new Error("no log");
  return log;
}

/** Returns the report of plans by their names. */
export function reportOf(plans: Readonly<Record<string, string>>): Report {
  const read = Object.entries(plans).map(([name, text]) => readPlan(name, text));
  return decide(makeReport(read, { results: runRules(read, settingsOf({})) }), {
    ...{ policy: {}, profile: {}, failOn: "none" },
    today: "2027-01-01",
  });
}

/** Texts of an apply; undefined for a missing log, null for no state. */
export interface Texts {
  readonly log?: string | undefined;
  readonly state?: string | null;
}

/** Returns the report after the apply of a scene; `texts` replaces what was recorded. */
export function appliedReport(scene: string, texts: Texts = {}, exitCode?: number): Report {
  const report = reportOf({ net: recorded(scene, "plan.json") });
  const { log = recorded(scene, "log.jsonl"), state = recorded(scene, "state.json") } = texts;
  const apply = { log: applyLogIn(logLines(log)), state: state === null ? undefined : readApplyState(state) };
  return decideApplied(report, appliedOf(report, { applies: new Map([["net", apply]]), exitCode }));
}

/** Returns the outcomes of a report: address, planned effect, outcome, and whether the object exists. */
export const outcomesIn = ({ applied }: Report): string[] =>
  (applied?.objects ?? []).map(
    ({ address, planned, outcome, exists, isTainted, deposed, pending }) =>
      `${planned} ${address}: ${[outcome, exists === undefined ? "" : exists ? "exists" : "absent", isTainted ? "tainted" : "", deposed ? `${deposed} deposed` : "", pending ?? ""].filter(Boolean).join(", ")}`,
  );

/** Returns the outcomes of a scene without what is done. */
export const problemsIn = (...args: Parameters<typeof appliedReport>): string[] =>
  outcomesIn(appliedReport(...args)).filter((line) => !line.includes(": done"));
