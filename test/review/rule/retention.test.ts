import { discardedEarlier } from "../../../review/rule/retention.ts";
import { testRules } from "./check.ts";

testRules([discardedEarlier]);
