import type { Case } from "./case.ts";
import { examples } from "./example.ts";
import { features } from "./feature.ts";
import { lifecycles } from "./lifecycle.ts";

/** All cases. */
export const cases: readonly Case[] = [...lifecycles, ...examples, ...features];
