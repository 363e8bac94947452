import { openingRules } from "../../../review/rule/opening.ts";
import { testRules } from "./check.ts";

testRules(openingRules);
