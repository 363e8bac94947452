import type { Resource } from "../provider/define.ts";
import { subnet } from "./subnet.ts";
import { volume } from "./volume.ts";
import { vpc } from "./vpc.ts";

/** Every managed resource. The only list: all faces, the docs and the review read it. */
export const resources: readonly Resource[] = [vpc, subnet, volume];
