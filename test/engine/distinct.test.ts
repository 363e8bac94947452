import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf, wording } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { attachment, openDisk } from "../support/attachment-world.ts";

test("a plan that creates a second attachment with the device name of another one has a warning", async () => {
  const { cloud, written, attach, volume } = await openDisk();
  const first = await attach();
  const other = { ...written, volumeId: await volume("logs") };
  const plan = (prior: ResourceState | undefined, inputs: Values) => {
    const { inputs: checked } = engine.check(attachment, inputs);
    return engine.plan(attachment, prior, checked, cloud.session).warnings;
  };
  cloud.reopen();
  expect(plan(first, written)).toEqual([]);
  expect(plan(undefined, { ...other, mountPartition: "/dev/vdc" })).toEqual([]);
  const [warning, ...more] = plan(undefined, other);
  expect(more).toEqual([]);
  expect(inWordsOf("terraform", wording`${warning?.summary ?? ""}: ${warning?.detail ?? ""}`)).toBe(
    `The mount_partition of the volume attachment of ${other.volumeId} is used twice: Another resource with the same instance_id has "/dev/vdz" as mount_partition: the API may refuse the second, or choose another value for it. Set a different mount_partition for each.`,
  );
});
