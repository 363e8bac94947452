import { planRules } from "../../../review/rule/plan.ts";
import { testRules } from "./check.ts";

testRules(planRules);
