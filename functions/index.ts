import type { Lookup } from "../provider/define.ts";
import { vpc } from "./vpc.ts";
import { vpcs } from "./vpcs.ts";

/** Every lookup: a data source, an invoke. */
export const lookups: readonly Lookup[] = [vpc, vpcs];
