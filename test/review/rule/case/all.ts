import { accessCases } from "./access.ts";
import { actionCases } from "./action.ts";
import type { RuleCase } from "./case.ts";
import { dataCases } from "./data.ts";
import { networkCases } from "./network.ts";
import { operationCases } from "./operation.ts";
import { rehearsalCases } from "./rehearsal.ts";
import { sensitivePortCases } from "./sensitive-port.ts";

/** Cases of the rules by family, without those of actions and of sensitive ports, which several families share. */
export const familyCases: readonly RuleCase[] = [
  ...dataCases,
  ...networkCases,
  ...accessCases,
  ...operationCases,
  ...rehearsalCases,
];

/** Cases of all built-in rules. The first case of a rule with a finding is the example of the rule in docs/rules.md. */
export const ruleCases: readonly RuleCase[] = [...familyCases, ...actionCases, ...sensitivePortCases];
