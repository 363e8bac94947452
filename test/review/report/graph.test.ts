import { expect, test } from "@jest/globals";
import { settingsOf } from "../../../review/gate/policy.ts";
import { runRules } from "../../../review/gate/run.ts";
import { makeReport } from "../../../review/report/make.ts";
import { changeOf, planOf } from "../change-of.ts";

const volume = { vpcId: "vpc-one", name: "data", sizeGb: 10, volumeType: "ssd" };

test("a report with more than 50,000 references has the number of the omitted ones", () => {
  const uses = Array.from({ length: 240 }, (_, at) =>
    changeOf("volume", undefined, volume, { address: `a.use_${at}`, dependsOn: ["b.used"] }),
  );
  const used = Array.from({ length: 240 }, (_, at) =>
    changeOf("volume", undefined, volume, { address: `b.used[${at}]` }),
  );
  const plans = [planOf([...uses, ...used])];
  const { graph } = makeReport(plans, { results: runRules(plans, settingsOf({})) });
  expect([graph?.edges.length, graph?.omitted]).toEqual([50_000, 240 * 240 - 50_000]);
});
