import { expect, test } from "@jest/globals";
import { secret } from "../../../provider/core/value.ts";
import type { Change } from "../../../review/model/change.ts";
import { changeOf, planOf, unchanged } from "../change-of.ts";
import { reviewed, rule, text } from "./reviewed.ts";

const open = { ...rule, remoteIpPrefix: "0.0.0.0/0" };

const volume = { vpcId: "vpc-1", name: "data", sizeGb: 10, volumeType: "ssd" };

/** Returns the drift of an object; a plan lists it as an update. */
const drifted = (kind: string, from: object, to: object): Change =>
  changeOf(kind, from as never, to as never, { action: "update", forcedBy: [] });

const opened = drifted("security-group-rule", rule, open);

test("an opening outside the engine is found, and blocks a plan only with failOnDrift", () => {
  const plan = planOf([unchanged("security-group-rule", open)], { drift: [opened] });
  const { code, findings } = reviewed(plan);
  expect(findings).toContainEqual(["NET-01", "critical", "untouched", `${text} The plan leaves it.`]);
  expect([code, reviewed(plan, { failOnDrift: true }).code]).toEqual([0, 3]);
});

test("it blocks a plan that changes the object and keeps it", () => {
  const after = { ...open, description: "new" };
  const planned = changeOf("security-group-rule", open, after, { action: "update" });
  const { code, findings } = reviewed(planOf([planned], { drift: [opened] }));
  expect(findings).toContainEqual(["NET-01", "critical", "touched", text]);
  expect(code).toBe(3);
});

test("an opening that the plan undoes is information", () => {
  const planned = changeOf("security-group-rule", open, rule, { action: "update" });
  const { code, findings } = reviewed(planOf([planned], { drift: [opened] }), { failOnDrift: true });
  expect(findings).toContainEqual(["NET-01", "low", "undone", `${text} The plan undoes it.`]);
  expect(code).toBe(0);
});

test("a harmless change outside the engine is one finding with its values, unless the plan undoes it", () => {
  const drift = [drifted("volume", volume, { ...volume, metadata: { team: "web" } })];
  const kept = reviewed(planOf([unchanged("volume", { ...volume, metadata: { team: "web" } })], { drift }));
  expect(kept.findings).toEqual([
    [
      "OPS-13",
      "medium",
      "untouched",
      'Volume "data" was changed outside the engine: metadata from none to {"team":"web"}. The plan leaves it.',
    ],
  ]);
  const undone = changeOf("volume", { ...volume, metadata: { team: "web" } }, volume);
  expect(reviewed(planOf([undone], { drift })).findings).toEqual([]);
});

test("a finding about drift shows no sensitive value", () => {
  const hidden = drifted("volume", volume, volume);
  const canary = "canary-5f2a9c-secret";
  const drift = [
    {
      ...hidden,
      before: { ...hidden.before, description: secret(canary) },
      after: { ...hidden.after, description: secret(`other-${canary}`) },
    },
  ];
  const { findings } = reviewed(planOf([unchanged("volume", volume)], { drift }));
  expect(findings.map(([id]) => id)).toEqual(["OPS-13"]);
  expect(JSON.stringify(findings)).not.toContain("canary");
});
