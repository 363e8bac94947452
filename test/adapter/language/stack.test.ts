import { testProgram } from "./language.ts";

/** Runs the program of the whole stack in each language; `program.test.ts` runs those of all groups of resources. */

testProgram("stack");
