import { accessCases } from "./access-case.ts";
import type { RuleCase } from "./case.ts";
import { dataCases } from "./data-case.ts";
import { networkCases } from "./network-case.ts";
import { operationCases } from "./operation-case.ts";

/** Cases of all built-in rules. The first case of a rule with a finding is the example of the rule in docs/rules.md. */
export const ruleCases: readonly RuleCase[] = [
  ...dataCases,
  ...networkCases,
  ...accessCases,
  ...operationCases,
];
