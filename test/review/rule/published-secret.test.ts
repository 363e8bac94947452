import { secretPublished } from "../../../review/rule/published-secret.ts";
import { testRules } from "./check.ts";

testRules([secretPublished]);
