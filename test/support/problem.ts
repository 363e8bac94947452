import type { Values } from "../../provider/core/value.ts";
import { check } from "../../provider/definition/check.ts";
import { resource } from "./cloud.ts";

/** What is wrong with what is written for a resource, each with its place. */
export const problemsOf = (kind: string, written: Values): string[] =>
  check(resource(kind), written).problems.map(({ path, problem }) => `${path.join(".")} ${problem}`);

/** An id of a kind, as the cloud writes one. */
export const idOf = (kind: string, region = "In-Bangalore-1", account = "1"): string =>
  `krn:some:${region}:${account}:2:${kind}:3`;
