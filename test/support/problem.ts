import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { check } from "../../provider/definition/check.ts";
import { resource } from "./cloud.ts";

/** Returns the problems of a resource's inputs, each with its path. */
export const problemsOf = (kind: string, written: Values): string[] =>
  check(resource(kind), written).problems.map(
    ({ path, problem }) => `${path.join(".")} ${inWordsOf("terraform", problem)}`,
  );

/** Returns an id of a kind in the form of the API. */
export const idOf = (kind: string, region = "In-Bangalore-1", account = "1"): string =>
  `krn:some:${region}:${account}:2:${kind}:3`;

/** Valid inputs of an instance. */
export const machine = {
  vpcId: idOf("vpc"),
  name: "web",
  instanceType: "c1.small",
  subnetId: idOf("subnet"),
  sshkeyName: "mine",
  securityGroups: [idOf("sg")],
  bootVolume: { imageKrn: idOf("image"), sizeGb: 10, volumeType: "ssd" },
} as const satisfies Values;
