import { testPage, testProgram } from "./language.ts";

/**
 * Runs the program of the whole stack in each language, and those on the pages of two resources; `program.test.ts` runs the programs
 * of all groups of resources, and `page.test.ts` those of all pages.
 */

testProgram("stack");
testPage("volume", "go");
testPage("security-group-rule", "python");
