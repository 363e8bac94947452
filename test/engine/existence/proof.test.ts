import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { failure, live } from "../../support/cloud.ts";
import { withDeletableVolume } from "../../support/deletable-volume.ts";

/** Tests deletes of failed volumes, and deletes that fail after the API accepted them. */

test("a delete that fails after the API accepted it is an error immediately, with the reason of the API", async () => {
  const { cloud, remove } = await withDeletableVolume("data-undeletable");
  const began = cloud.elapsed();
  expect(explain(await failure(remove()))).toEqual({
    summary: 'Deleting the volume "data-undeletable" failed',
    detail: [
      "The API accepted the delete, but the delete failed.",
      "The API reports the status error_deleting: not deleted because of the name data-undeletable.",
      "The object still exists and stays in the state.",
      "Check the object in the cloud's console, then run again.",
    ].join("\n"),
  });
  expect(cloud.elapsed() - began).toBeLessThan(10_000);
  expect(live(cloud, "volume")).toHaveLength(1);
});

test("the failure of an earlier delete does not end the next one", async () => {
  const { cloud, state, remove, read } = await withDeletableVolume("data-undeletable");
  await failure(remove());
  const failed = (await read()) as ResourceState;
  expect(failed.values.status).toBe("error_deleting");
  // The cause is corrected: from now on a delete succeeds, which listings show 5 s later.
  cloud.emulator.inventory.remove(String(state.id));
  cloud.emulator.configure({ listingLagMs: 5_000 });
  await remove(failed);
  expect(live(cloud, "volume")).toEqual([]);
});
