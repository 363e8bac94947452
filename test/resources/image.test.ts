import { expect, test } from "@jest/globals";
import { engine } from "../../provider/engine/engine.ts";
import { failure, kept, live, operationsOn, requests, resource } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";

const image = resource("image");

async function openImages(...args: Parameters<typeof openNetwork>) {
  const { cloud, create } = await openNetwork(...args);
  const instanceId = String((await cloud.run(create())).id);
  const written = { name: "golden", instanceId };
  const { inputs, run } = operationsOn(cloud, "image", written, cloud.reopen);
  return {
    cloud,
    written,
    inputs,
    ...run,
    make: run.create,
    boot: (imageKrn: string) =>
      cloud.run(create({ name: "copy", bootVolume: { imageKrn, sizeGb: 10, volumeType: "ssd" } })),
  };
}

test.each(["image", "task"] as const)(
  "an image is created from an instance, read, used and deleted: the create answers by %s",
  async (imageCreateAnswer) => {
    const { cloud, written, make, read, remove, boot } = await openImages({
      assume: { imageCreateAnswer },
      listingLagMs: 2_000,
    });
    const state = await make({ description: "Ready to serve" });
    expect(state.id).toBe(live(cloud, "image")[0]?.krn);
    expect(state.values).toEqual({
      ...written,
      description: "Ready to serve",
      status: "active",
      deletionProtection: null,
      region: "In-Bangalore-1",
    });
    expect(requests(cloud, "create_image").map(({ body }) => body)).toEqual([
      { name: "golden", instance_krn: written.instanceId, description: "Ready to serve" },
    ]);
    expect(cloud.warnings).toEqual([]);
    expect(await read(state)).toEqual(state);
    await boot(state.id ?? "");
    await remove(state);
    expect(live(cloud, "image")).toEqual([]);
  },
);

test("a failed image stays in the state, and the next run replaces it", async () => {
  const { cloud, inputs, make } = await openImages();
  const state = kept(await failure(make({ name: "golden-fails" })));
  expect([state.id, state.failed]).toEqual([
    live(cloud, "image")[0]?.krn,
    "the API reports the status error",
  ]);
  const plan = engine.plan(image, state, inputs({ name: "golden-fails" }), cloud.session);
  expect(plan.action).toBe("replace");
});

test("an import does not know the source of an image, and public images cannot be managed", async () => {
  const { cloud, inputs, make, take } = await openImages();
  const { id = "" } = await make();
  const state = await take(id);
  expect(state.unread).toEqual(["instanceId", "description"]);
  const { changes } = engine.plan(image, state, inputs(), cloud.session);
  expect(changes.map(({ path, effect, recordOnly }) => [...path, effect, recordOnly])).toEqual([
    ["instanceId", "update", true],
  ]);
  const listed = await cloud.run(engine.list(cloud.reopen(), image, {}, cloud.call));
  expect(listed.map(({ id }) => id)).toEqual([id]);
  const open = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101";
  expect((await failure(take(open))).step).toBe(`no image has the ID ${open} in In-Bangalore-1`);
});
