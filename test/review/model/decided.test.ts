import { expect, test } from "@jest/globals";
import { secret, type Values } from "../../../provider/core/value.ts";
import { runRules } from "../../../review/gate/run.ts";
import type { Change } from "../../../review/model/change.ts";
import type { Plan } from "../../../review/model/plan.ts";
import { makeReport } from "../../../review/report/make.ts";
import { changeOf, planOf, settingsWith } from "../change-of.ts";
import { ruleCases } from "../rule/case/all.ts";
import type { RuleCase } from "../rule/case/case.ts";

/** Built-in rules decide on sensitive values as on any other, and show none of them. */

const marked = (values: Values | undefined): Values | undefined =>
  values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value && secret(value)]));

const sensitive = (plans: readonly Plan[]): readonly Plan[] => {
  const hidden = (change: Change): Change => ({
    ...change,
    before: marked(change.before),
    after: marked(change.after),
  });
  return plans.map((plan) => ({
    ...plan,
    changes: plan.changes.map(hidden),
    drift: plan.drift.map(hidden),
  }));
};

const findingsOf = (plans: readonly Plan[], settings: RuleCase["settings"]) =>
  makeReport(plans, { results: runRules(plans, settingsWith(settings)) }).findings;

test.each(ruleCases.map((one) => [`${one.rule}: ${one.name}`, one] as const))(
  "%s, has the same findings with sensitive values",
  (_, { plans, settings }) => {
    const verdicts = (given: readonly Plan[]) =>
      findingsOf(given, settings)
        .map(({ rule, severity, confidence }) => [rule, severity, confidence].join(" "))
        .toSorted();
    expect(verdicts(sensitive(plans))).toEqual(verdicts(plans));
  },
);

const opening = {
  securityGroupId: "group-1",
  direction: "ingress",
  protocol: "tcp",
  ethertype: "IPv4",
  portRangeMin: 22,
  portRangeMax: 22,
  remoteIpPrefix: "0.0.0.0/0",
};

test("a finding does not show the sensitive values that it is about", () => {
  const [found] = findingsOf(sensitive([planOf([changeOf("security-group-rule", undefined, opening)])]), {});
  expect([found?.rule, found?.severity]).toEqual(["NET-01", "critical"]);
  expect(found?.text).not.toMatch(/0\.0\.0\.0|22|SSH|tcp/);
});

test.each(["0.0.0.0/0", "ingress", "tcp", "IPv4"])(
  "a sensitive copy of %s elsewhere changes neither a rule nor its finding",
  (value) => {
    const rule = changeOf("security-group-rule", undefined, opening);
    const other: Change = {
      ...changeOf("volume", undefined, { vpcId: "vpc-1", name: "data", sizeGb: 1, volumeType: "ssd" }),
      after: { description: secret(value) },
    };
    const [found] = findingsOf([planOf([rule, other])], {});
    expect([found?.rule, found?.text]).toEqual([
      "NET-01",
      'Security group rule "it" opens port 22 to 0.0.0.0/0: SSH (22).',
    ]);
  },
);
