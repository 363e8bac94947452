import { rules } from "../../../review/rule/catalogue.ts";
import { testRules } from "./check.ts";
import { sensitivePortCases } from "./sensitive-port-case.ts";

testRules(rules, sensitivePortCases);
