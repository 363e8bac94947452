import { detachmentRules } from "../../../review/rule/detachment.ts";
import { testRules } from "./check.ts";

testRules(detachmentRules);
