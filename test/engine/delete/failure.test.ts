import { expect, test } from "@jest/globals";
import { inWordsOf, type Text } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, live, openCloud, requests, resource } from "../../support/cloud.ts";
import { openBucket } from "../../support/object-world.ts";

async function withVolume() {
  const reports: string[] = [];
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const written = { vpcId: String(vpc.id), name: "data", sizeGb: 20, volumeType: "HNSS" };
  const state = await cloud.run(cloud.create("volume", written));
  const call = { ...cloud.call, report: (status: Text) => reports.push(inWordsOf("terraform", status)) };
  return { cloud, vpc, state, reports, call };
}

test("an object that another user stored under the key is not deleted after an ambiguous response", async () => {
  const { cloud, create, remove } = await openBucket(
    {},
    {},
    {
      wrap: ({ send }) => ({
        async send(request, signal) {
          const reply = await send(request, signal);
          const [row] = request.url.endsWith("/objects/delete") ? live(cloud, "object") : [];
          if (row !== undefined) cloud.emulator.inventory.change(row.krn, { etag: "of other content" });
          return reply;
        },
      }),
    },
  );
  const state = await create({ content: "mine" });
  cloud.emulator.faults.add({ target: "delete_object", kind: "503", times: 1 });
  const failed = await failure(remove(state));
  expect([failed.existence.is, live(cloud, "object").length]).toEqual(["unknown", 1]);
  expect(requests(cloud, "delete_object")).toHaveLength(1);
});

test("a delete that is blocked by a dependent fails within 120 s, and its progress names the dependent", async () => {
  const { cloud, vpc, state, call, reports } = await withVolume();
  const began = cloud.elapsed();
  const failed = await cloud.run(failure(engine.delete(cloud.session, resource("vpc"), vpc, call)));
  expect(cloud.elapsed() - began).toBeLessThanOrEqual(120_000);
  expect(failed.next).toBe(
    `Remove or detach the objects that use it, then run again: the volume "data" (${state.id}).`.slice(0, -1),
  );
  expect(reports[0]).toContain(`in use by the volume "data" (${state.id})`);
  const late = await cloud.run(
    failure(engine.delete(cloud.session, resource("vpc"), vpc, { ...call, timeout: 300 })),
  );
  expect(late.step).toContain("the timeout of 300 s expired");
});
