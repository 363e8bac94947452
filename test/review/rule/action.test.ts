import { rules } from "../../../review/rule/catalogue.ts";
import { actionCases } from "./case/action.ts";
import { testRules } from "./check.ts";

testRules(rules, actionCases);
