import { accessRules } from "../../../review/rule/access.ts";
import { testRules } from "./check.ts";

testRules(accessRules);
