import { programs, testProgram } from "./language.ts";

/** Runs programs with every group of resources in each language; `stack.test.ts` runs that of the whole stack. */

for (const name of Object.keys(programs) as (keyof typeof programs)[])
  if (name !== "stack") testProgram(name);
