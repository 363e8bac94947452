import { accessCases } from "./access-case.ts";
import { actionCases } from "./action-case.ts";
import type { RuleCase } from "./case.ts";
import { dataCases } from "./data-case.ts";
import { networkCases } from "./network-case.ts";
import { operationCases } from "./operation-case.ts";
import { sensitivePortCases } from "./sensitive-port-case.ts";

/** Cases of the rules by family, without those of actions and of sensitive ports, which several families share. */
export const familyCases: readonly RuleCase[] = [
  ...dataCases,
  ...networkCases,
  ...accessCases,
  ...operationCases,
];

/** Cases of all built-in rules. The first case of a rule with a finding is the example of the rule in docs/rules.md. */
export const ruleCases: readonly RuleCase[] = [...familyCases, ...actionCases, ...sensitivePortCases];
