import { accessRules } from "./access.ts";
import { dataRules } from "./data.ts";
import { networkRules } from "./network.ts";
import { operationRules } from "./operation.ts";
import { planRules } from "./plan.ts";
import type { Rule } from "./rule.ts";
import { unmarkedSecret } from "./unmarked-secret.ts";

/** Every built-in rule, by id. */
export const rules: readonly Rule[] = [
  ...dataRules,
  ...networkRules,
  ...accessRules,
  unmarkedSecret,
  ...operationRules,
  ...planRules,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));
