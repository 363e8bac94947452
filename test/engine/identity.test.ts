import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { openBatches } from "../support/batch-world.ts";
import { failure, kept, live, settle } from "../support/cloud.ts";

/** Tests batches whose create did not finish: nothing but a name identifies them. */

test("a batch whose create was not waited for is deleted once listings show all batches of its name", async () => {
  const { cloud, make, remove, names } = await openBatches({ assume: { batchIdIsJob: false } });
  const began = cloud.elapsed();
  const state = kept(await cloud.run(failure(make({}, 5))));
  expect(state.values.jobIds).toBeNull();
  await remove(state);
  expect(names()).toEqual([]);
  expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(120_000);
});

test("a destroy of a batch that did not finish keeps a larger batch of another user, the only one of that name", async () => {
  const { cloud, make, remove, createElsewhere, names } = await openBatches({
    assume: { batchIdIsJob: false },
  });
  const state = kept(await cloud.run(failure(make({}, 5))));
  for (const { krn } of live(cloud, "instance")) cloud.emulator.inventory.remove(krn);
  await createElsewhere(4, "c1.medium");
  expect((await failure(remove(state))).existence.is).toBe("still exists");
  expect(names()).toHaveLength(4);
});

test("the rest of a batch after a stopped destroy, whose create was not waited for, stays in the state and can be imported", async () => {
  const { cloud, vpcId, make, read, remove, take, names } = await openBatches({
    assume: { batchIdIsJob: false },
  });
  const state = kept(await cloud.run(failure(make({}, 5))));
  cloud.emulator.faults.add({ target: "delete_instance", kind: "403", when: "before", from: 3, times: 1 });
  await cloud.run(failure(remove(state)));
  await settle(cloud);
  expect(names()).toHaveLength(1);
  for (const failed of [await failure(read(state)), await failure(remove(state))]) {
    expect(explain(failed).detail).toContain("nothing shows whether it is the one in the state");
    const [, id = ""] =
      /kcloud_instance_batch.NAME '([^']+)'/.exec(inWordsOf("terraform", failed.next)) ?? [];
    expect(id.split(",")[0]).toBe(vpcId);
    expect((await take(id)).values.machineCount).toBe(1);
  }
  cloud.emulator.inventory.remove(live(cloud, "instance")[0]?.krn ?? "");
  expect(await read(state)).toBeUndefined();
});
