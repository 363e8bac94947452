import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { failure, live, openCloud, requests, resource } from "../../support/cloud.ts";

/** Tests deletes of failed volumes, and deletes that fail after the API accepted them. */

const volume = resource("volume");

async function withVolume(name: string, ...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const written = { vpcId, name, sizeGb: 20, volumeType: "HNSS" };
  const made = cloud.run(cloud.create("volume", written));
  const state = await made.catch((error) => error.state as ResourceState);
  const remove = (from = state) => cloud.run(engine.delete(cloud.reopen(), volume, from, cloud.call));
  const read = () => cloud.run(engine.read(cloud.reopen(), volume, state, cloud.call));
  const sent = () => requests(cloud, "delete_volume").map(({ query }) => query);
  return { cloud, state, remove, read, sent };
}

test("a delete that fails after the API accepted it is an error immediately, with the reason of the API", async () => {
  const { cloud, remove } = await withVolume("data-undeletable");
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
  const { cloud, state, remove, read } = await withVolume("data-undeletable");
  await failure(remove());
  const failed = (await read()) as ResourceState;
  expect(failed.values.status).toBe("error_deleting");
  // The cause is corrected: from now on a delete succeeds, which listings show 5 s later.
  cloud.emulator.inventory.remove(String(state.id));
  cloud.emulator.configure({ listingLagMs: 5_000 });
  await remove(failed);
  expect(live(cloud, "volume")).toEqual([]);
});

test("a volume that is no longer failed is deleted without force, even if the state records a failure", async () => {
  const { state, remove, sent } = await withVolume("data");
  await remove({ ...state, values: { ...state.values, status: "error" } });
  expect(sent()).toEqual([{}]);
});

test("a volume whose last action failed is deleted without force", async () => {
  let action = "success";
  const wrap = ({ send }: Transport): Transport => ({
    async send(request, signal) {
      const reply = await send(request, signal);
      if (reply.kind !== "answer") return reply;
      return {
        ...reply,
        body: reply.body.replaceAll(/"last_action_status":"\w+"/g, `"last_action_status":"${action}"`),
      };
    },
  });
  const { cloud, read, remove, sent } = await withVolume("data", {}, {}, { wrap });
  action = "failed";
  const seen = (await read()) as ResourceState;
  expect(seen.values.status).toBe("failed");
  await remove(seen);
  expect(sent()).toEqual([{}]);
  expect(live(cloud, "volume")).toEqual([]);
});

test.each([undefined, "available"])(
  "a failed volume, recorded as %s, that is not deleted without force is deleted by force",
  async (recorded) => {
    const { cloud, state, remove, sent } = await withVolume("data-fails");
    cloud.emulator.faults.add({ target: "delete_volume", kind: "409", times: 1 });
    await remove({ ...state, values: { ...state.values, status: recorded ?? null } });
    expect(sent()).toEqual([{}, { force: "true" }]);
    expect(live(cloud, "volume")).toEqual([]);
  },
);
