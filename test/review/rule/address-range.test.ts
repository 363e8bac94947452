import { addressesShort } from "../../../review/rule/address-range.ts";
import { testRules } from "./check.ts";

testRules([addressesShort]);
