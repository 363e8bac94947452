import { publicationRules } from "../../../review/rule/publication.ts";
import { testRules } from "./check.ts";

testRules(publicationRules);
