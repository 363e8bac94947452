import type { Action, Lookup } from "../provider/define-function.ts";
import { instanceRestart, instanceStart, instanceStop } from "./instance-power.ts";
import { vpc } from "./vpc.ts";
import { vpcs } from "./vpcs.ts";

/** Every lookup: a data source, an invoke. */
export const lookups: readonly Lookup[] = [vpc, vpcs];

/** Every action: what is done to an object on request, outside of any state. */
export const actions: readonly Action[] = [instanceStart, instanceStop, instanceRestart];
