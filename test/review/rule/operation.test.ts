import { operationRules } from "../../../review/rule/operation.ts";
import { testRules } from "./check.ts";

testRules(operationRules);
