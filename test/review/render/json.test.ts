import { expect, test } from "@jest/globals";
import { readPlan } from "../../../review/read/read.ts";
import { renderHtml } from "../../../review/render/html.ts";
import { renderJson } from "../../../review/render/json.ts";
import type { Report } from "../../../review/report/report.ts";
import { planOf } from "../plan-of.ts";
import { reportOf } from "./outputs.ts";

/** Returns the changes in the data of the page. */
function changesOfPage(report: Report): unknown {
  const page = [...renderHtml(report)].join("");
  const [, data = ""] = /<script type="application\/json" id="report">([^<]*)<\/script>/.exec(page) ?? [];
  return (JSON.parse(data) as Report).changes;
}

/** Returns the changes as the page has them: without engine, type, and the paths of differences. */
const shownChanges = ({ changes }: Report) =>
  changes.map(({ engine, type, differences, ...change }) => ({
    ...change,
    differences: differences.map(({ path, ...difference }) => difference),
  }));

test.each([0, 1, 63, 64, 65, 300])(
  "the JSON of a report with %s changes equals that of JSON.stringify, and the page has the same changes",
  (count) => {
    const changes = Array.from({ length: count }, (_, at) => {
      // Sequences of objects with equal changes, some without name or id.
      const own = {
        ...(at % 11 === 0 ? {} : { name: `"<${at}>"` }),
        ...(at % 7 === 0 ? {} : { id: `id-${at}` }),
      };
      return {
        before: { ...own, size: 1 },
        after: { ...own, size: 2 + (Math.floor(at / 20) % 3), note: "<\n>" },
      };
    });
    for (const name of ["\u0001", "shop"]) {
      const report = reportOf([readPlan(name, planOf(changes))]);
      expect([...renderJson(report)].join("")).toBe(`${JSON.stringify(report, null, 1)}\n`);
      expect(JSON.stringify(changesOfPage(report))).toBe(JSON.stringify(shownChanges(report)));
    }
  },
);
