import { beforeAll, expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { type Cloud, requests, resource } from "../../support/cloud.ts";
import { createEveryKind, type Made, oneOfEach, openEveryKind } from "../../support/every-kind.ts";

/** Tests new objects with their own read route, for which a gateway answers 404 while listings do not show them yet. */

/** Operations that read one object of the kind. */
const reads: Readonly<Record<string, string>> = {
  vpc: "get_vpc",
  volume: "get_volume",
  instance: "get_instance",
  "instance-template": "get_template",
  bucket: "get_bucket",
  "bucket-policy": "get_bucket_policy",
  "lifecycle-rule": "get_lifecycle_rule",
  object: "get_object_metadata",
  "account-policy": "get_account_policy",
  "inference-task": "get_inference_task",
};

let cloud: Cloud;
let made: readonly Made[];

beforeAll(async () => {
  cloud = openEveryKind({}, { accountId: "000000000000", settleSeconds: 600 });
  made = oneOfEach(await createEveryKind(cloud));
  cloud.emulator.configure({ listingLagMs: 600_000 });
  for (const target of Object.values(reads)) cloud.emulator.faults.add({ target, kind: "404" });
});

test.each(Object.entries(reads))("a new %s stays in the state, with a warning (%s)", async (kind, target) => {
  const { state } = made.find((one) => one.kind === kind) as Made;
  cloud.warnings.length = 0;
  const before = requests(cloud, target).length;
  expect(await cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call))).toEqual(state);
  expect(requests(cloud, target).length).toBeGreaterThan(before);
  expect(cloud.warnings).toEqual([
    { summary: expect.stringMatching(/^The .+ is not/), detail: expect.stringContaining(`(${state.id})`) },
  ]);
});
