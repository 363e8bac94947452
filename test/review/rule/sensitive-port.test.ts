import { rules } from "../../../review/rule/catalogue.ts";
import { sensitivePortCases } from "./case/sensitive-port.ts";
import { testRules } from "./check.ts";

testRules(rules, sensitivePortCases);
