import { decide } from "../../../review/gate/gate.ts";
import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import type { Rehearsed } from "../../../review/model/outcome.ts";
import type { Plan } from "../../../review/model/plan.ts";
import { renderAnnotations, renderGitlab } from "../../../review/render/host.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderJson } from "../../../review/render/json.ts";
import { renderJunit } from "../../../review/render/junit.ts";
import { budgets, renderMarkdown } from "../../../review/render/markdown.ts";
import { renderSarif } from "../../../review/render/sarif.ts";
import { renderText } from "../../../review/render/text.ts";
import { makeReport } from "../../../review/report/make.ts";
import type { Report } from "../../../review/report/report.ts";

/** Returns the report of plans and their rehearsals, without a policy. */
export const reportOf = (
  plans: readonly Plan[],
  key?: string,
  rehearsals: readonly Rehearsed[] = [],
): Report =>
  decide(makeReport(plans, { results: runRules(plans, settingsOf({}), { rehearsals }), key }), {
    policy: {},
    profile: {},
    failOn: "critical",
    today: "2027-01-01",
  });

/** Returns a report in every format, by its name. */
export const outputsOf = (report: Report): Readonly<Record<string, string>> => ({
  text: [...renderText(report, { colour: false, symbols: "letter", width: 100 })].join(""),
  "coloured text": [...renderText(report, { colour: true, symbols: "words", width: 60 })].join(""),
  ...Object.fromEntries(
    Object.entries(budgets).map(([host, budget]) => [
      `Markdown for ${host}`,
      renderMarkdown(report, { budget, reportUrl: "https://ci.example/report", symbols: "emoji" }),
    ]),
  ),
  html: [...renderHtml(report)].join(""),
  json: [...renderJson(report)].join(""),
  sarif: renderSarif(report, "0.0.0"),
  junit: renderJunit(report),
  annotations: renderAnnotations(report),
  gitlab: renderGitlab(report),
});
