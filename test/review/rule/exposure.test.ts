import { expect, test } from "@jest/globals";
import { groupKeys } from "../../../review/rule/exposure.ts";
import { changeOf } from "../change-of.ts";

/** Security groups with very many rules. */

/** Limit of the CPU time in s: many times that of linear growth, a fraction of that of quadratic growth. */
const limit = 5;

/** Returns the result of a function. Throws if the function needs more CPU time than the limit. */
function limited<T>(run: () => T): T {
  const start = process.cpuUsage();
  const result = run();
  const seconds = process.cpuUsage(start).user / 1e6;
  if (seconds > limit) throw new Error(`took ${seconds} s`);
  return result;
}

const rule = {
  securityGroupId: "group",
  direction: "ingress",
  protocol: "tcp",
  portRangeMin: 22,
  portRangeMax: 22,
};

test("security-group rules of a count of 100,000 are assigned to their groups", () => {
  const one = changeOf("security-group-rule", undefined, rule);
  const rules = Array.from({ length: 100_000 }, (_, at) => ({
    ...one,
    address: `kcloud_security_group_rule.open[${at}]`,
  }));
  const keyOf = limited(() => groupKeys(rules));
  expect(new Set(rules.map((change) => keyOf(change, change.after)))).toEqual(new Set(["plan group"]));
});
