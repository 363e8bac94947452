import { foreignDestroyed } from "../../../review/rule/foreign.ts";
import { testRules } from "./check.ts";

testRules([foreignDestroyed]);
