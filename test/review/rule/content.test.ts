import { contentRules } from "../../../review/rule/content.ts";
import { testRules } from "./check.ts";

testRules(contentRules);
