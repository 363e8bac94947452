import { rules } from "../../../review/rule/catalogue.ts";
import { actionCases } from "./action-case.ts";
import { testRules } from "./check.ts";

testRules(rules, actionCases);
