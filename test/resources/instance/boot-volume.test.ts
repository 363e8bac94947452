import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { inWordsOf } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, kept, requests, resource, settle } from "../../support/cloud.ts";
import { image, instance, logged, openNetwork, sentSince } from "../../support/instance-world.ts";

/** Tests the size of the boot volume, which is extended in place. */

const boot = (sizeGb: number): Values => ({ bootVolume: { imageKrn: image, sizeGb, volumeType: "ssd" } });
const sizes = ({ values }: ResourceState) => [
  (values.bootVolume as Values | null)?.sizeGb,
  values.bootVolumeSizeGb,
];

test.each(["current", "created", "none"] as const)(
  "a larger boot volume is extended in place, if the size of the instance is that of %j",
  async (instanceVolumeSize) => {
    const { cloud, create, update, read, inputs } = await openNetwork({ assume: { instanceVolumeSize } });
    const state = await cloud.run(create(boot(20)));
    expect(sizes(state)).toEqual([20, 20]);
    expect(engine.plan(instance, state, inputs(boot(30)), cloud.session)).toMatchObject({
      action: "update",
      changes: [{ path: ["bootVolume", "sizeGb"], before: 20, after: 30, effect: "update" }],
    });
    const from = logged(cloud);
    const after = await cloud.run(update(state, boot(30)));
    expect(sentSince(cloud, from)).toEqual([["extend_volume", { input: { newSize: 30 } }]]);
    expect(after.id).toBe(state.id);
    expect(sizes(after)).toEqual([30, 30]);
    const seen = await cloud.run(read(after));
    expect(sizes(seen as ResourceState)).toEqual([30, 30]);
    expect(engine.plan(instance, seen, inputs(boot(30)), cloud.session).action).toBe("none");
    expect(cloud.warnings).toEqual([]);
  },
);

test("a smaller boot volume is an error of the plan", async () => {
  const { cloud, create, inputs } = await openNetwork();
  const state = await cloud.run(create(boot(20)));
  const { problems, action } = engine.plan(instance, state, inputs(boot(10)), cloud.session);
  expect(action).toBe("none");
  expect(problems.map(({ path, problem }) => [path.join("."), inWordsOf("terraform", problem)])).toEqual([
    [
      "bootVolume.sizeGb",
      "cannot shrink from 20 to 10 GB: the volume is 20 GB now; set size_gb = 20, or create a smaller volume and copy the data",
    ],
  ]);
});

test("an extension outside is drift, which a plan does not undo", async () => {
  const { cloud, create, read, inputs, vpcId } = await openNetwork();
  const state = await cloud.run(create(boot(20)));
  const volume = resource("volume");
  const where = `${vpcId},${String(state.values.bootVolumeId)}`;
  const own = await cloud.run(engine.import(cloud.session, volume, where, cloud.call));
  const larger = engine.check(volume, {
    ...{ vpcId, sizeGb: 50, name: String(own.values.name) },
    ...{ volumeType: "ssd", source: own.values.source ?? null },
  });
  await cloud.run(engine.update(cloud.session, volume, own, larger.inputs, cloud.call));
  await settle(cloud);
  const seen = await cloud.run(read(state));
  expect(sizes(seen as ResourceState)).toEqual([50, 50]);
  const plan = (sizeGb: number) => engine.plan(instance, seen, inputs(boot(sizeGb)), cloud.session);
  expect(plan(50).action).toBe("none");
  expect(plan(20).problems).toHaveLength(1);
});

test("an import shows the size, and the first plan extends the volume to the configured one", async () => {
  const { cloud, create, update, inputs, vpcId } = await openNetwork();
  const { id } = await cloud.run(create(boot(20)));
  const imported = await cloud.run(engine.import(cloud.session, instance, `${vpcId},${id}`, cloud.call));
  expect(sizes(imported)).toEqual([undefined, 20]);
  expect(engine.plan(instance, imported, inputs(boot(20)), cloud.session).changes).toMatchObject([
    { path: ["bootVolume"], recordOnly: true },
    { path: ["volumeId"], recordOnly: true },
  ]);
  expect(engine.plan(instance, imported, inputs(boot(10)), cloud.session).problems).toHaveLength(1);
  const after = await cloud.run(update(imported, boot(30)));
  expect(requests(cloud, "extend_volume").map(({ body }) => body)).toEqual([{ input: { newSize: 30 } }]);
  expect(sizes(after)).toEqual([30, 30]);
});

test("a state without the size, of an earlier version, has an empty plan before and after a refresh", async () => {
  const { cloud, create, read, inputs } = await openNetwork();
  const state = await cloud.run(create(boot(20)));
  const old = { ...state, values: { ...state.values, bootVolumeSizeGb: null } };
  await settle(cloud);
  const from = logged(cloud);
  const seen = await cloud.run(read(old));
  expect(logged(cloud) - from).toBe(1);
  for (const each of [old, seen])
    expect(engine.plan(instance, each, inputs(boot(20)), cloud.session).action).toBe("none");
});

test.each([
  [
    400,
    [
      "The API did not confirm the change.",
      "The API refused to extend the boot volume (the API reports: volume web-volume is the boot volume of web).",
      "The object exists. Part of the change may have been made.",
      "Replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS), or restore the former size_gb.",
    ],
  ],
  [
    409,
    [
      "The API did not confirm the change; last seen: the API reports: volume web-volume is the boot volume of web, 599 s.",
      "The timeout of 600 s expired.",
      "The object exists. Part of the change may have been made.",
      "Run again, or set a longer timeout (timeouts).",
    ],
  ],
] as const)(
  "a cloud that answers %d to the extension keeps the machine, and the error says so",
  async (bootVolumeExtend, text) => {
    const { cloud, create, update, read } = await openNetwork({ assume: { bootVolumeExtend } });
    const state = await cloud.run(create(boot(20)));
    const failed = await cloud.run(failure(update(state, boot(30))));
    expect(inWordsOf("terraform", explain(failed).detail).split("\n")).toEqual(text);
    expect(sizes(kept(failed))).toEqual([20, 20]);
    expect(sizes((await cloud.run(read(kept(failed)))) as ResourceState)).toEqual([20, 20]);
    expect(requests(cloud, "delete_instance")).toEqual([]);
  },
);

test("an extension whose response is lost is confirmed by the volume, and a second run sends nothing", async () => {
  const { cloud, create, update } = await openNetwork();
  const state = await cloud.run(create(boot(20)));
  const from = logged(cloud);
  cloud.emulator.faults.add({ target: "extend_volume", kind: "reset", when: "after", times: 1 });
  const after = await cloud.run(update(state, boot(30)));
  expect(sizes(after)).toEqual([30, 30]);
  // Until the extension ends, the API rejects another one of the same size.
  const sent = sentSince(cloud, from).map(([, body]) => body);
  expect(sent.every((body) => JSON.stringify(body) === '{"input":{"newSize":30}}')).toBe(true);
  const before = logged(cloud);
  const again = await cloud.run(update(state, boot(30)));
  expect(sizes(again)).toEqual([30, 30]);
  expect(sentSince(cloud, before)).toEqual([]);
});
