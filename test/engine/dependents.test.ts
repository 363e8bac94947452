import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import { live } from "../support/cloud.ts";
import { openWorld } from "../support/conflict-world.ts";

const volume = { name: "data", sizeGb: 10, volumeType: "ssd" };

test("an error names at most five dependents, and the number of the others", async () => {
  const { vpc, make, end } = await openWorld();
  for (const at of [1, 2, 3, 4, 5, 6]) await make("volume", { ...volume, name: `data-${at}` });
  expect((await end("vpc", vpc)).next).toMatch(/the volume "data-5" \(krn:[\w:-]+\) and 2 more$/);
});

test("the conflict of a volume names the instance that it is attached to", async () => {
  const { make, machine, end } = await openWorld();
  const web = await machine();
  const data = await make("volume", volume);
  await make("volume-attachment", { volumeId: String(data.id), instanceId: String(web.id) });
  const { detail } = explain(await end("volume", data));
  expect(detail.replace(/request-\d+/, "request-N")).toBe(
    [
      "The object is in use, or another operation on it is running: the timeout of 30 s expired.",
      "The API reports: volume data is in use. (status 409, request id request-N, DELETE /kbs/v1/volumes/{volume})",
      "The object still exists and stays in the state.",
      `Remove or detach the objects that use it, then run again: the instance "web" (${web.id}).`,
    ].join("\n"),
  );
});

const unnamed = "Remove the conflicting object or wait until its operation has finished, then run again";

test("an object that is being deleted is not named, and nothing is named if the read fails", async () => {
  const leaving = await openWorld();
  const data = await leaving.make("volume", volume);
  leaving.cloud.emulator.inventory.remove(String(leaving.group.id));
  leaving.cloud.emulator.configure({ taskMs: 3_600_000 });
  await leaving.end("volume", data);
  expect((await leaving.end("vpc", leaving.vpc)).next).toBe(unnamed);
  const blind = await openWorld();
  await blind.make("volume", volume);
  blind.cloud.emulator.faults.add({ target: "list_volumes", kind: "403" });
  expect((await blind.end("vpc", blind.vpc)).next).toBe(unnamed);
  expect(live(blind.cloud, "vpc")).toHaveLength(1);
});
