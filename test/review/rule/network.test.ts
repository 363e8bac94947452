import { networkRules } from "../../../review/rule/network.ts";
import { testRules } from "./check.ts";

testRules(networkRules);
