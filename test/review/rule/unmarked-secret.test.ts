import { unmarkedSecret } from "../../../review/rule/unmarked-secret.ts";
import { testRules } from "./check.ts";

testRules([unmarkedSecret]);
