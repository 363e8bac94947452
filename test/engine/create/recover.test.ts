import { expect, test } from "@jest/globals";
import type { Values } from "../../../provider/core/value.ts";
import { perEngine } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { failure, kept, live, openCloud, resource } from "../../support/cloud.ts";

/** Tests outcomes of ambiguous responses, found by the simulation with seeds 20265, 10073, 20212, 3, 602 and 1925. */

const checkOrReplace = perEngine({
  terraform:
    "Check the object in the cloud's console, or replace it with terraform apply -replace=ADDRESS (or tofu apply -replace=ADDRESS)",
  pulumi: "Check the object in the cloud's console, or replace it with pulumi up --replace URN",
});

const data = (vpcId: string) => ({ vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" });

const update = (
  cloud: ReturnType<typeof openCloud>,
  kind: string,
  state: Parameters<typeof engine.read>[2],
  to: Values,
) =>
  engine.update(
    cloud.session,
    resource(kind),
    state,
    engine.check(resource(kind), { ...to }).inputs,
    cloud.call,
  );

test("the end of a search depends on the time of its last request, not of the last response", async () => {
  const cloud = openCloud({ listingLagMs: 100 });
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  cloud.emulator.faults.add({ target: "create_volume", kind: "409", when: "after", times: 1 });
  cloud.emulator.faults.add({
    target: "list_volumes",
    kind: "delay",
    when: "after",
    delayMs: 8_000,
    from: 2,
    times: 1,
  });
  const failed = await cloud.run(failure(cloud.create("volume", data(String(vpc.id)))));
  expect(live(cloud, "volume").map(({ krn: id }) => ({ is: "exists", id }))).toEqual([failed.existence]);
});

test("a volume whose response was lost is recorded when the listing shows all of its fields", async () => {
  let shows = "size_late";
  const wrap = ({ send }: Transport): Transport => ({
    async send(request, signal) {
      const reply = await send(request, signal);
      if (reply.kind !== "answer" || request.method !== "GET") return reply;
      return { ...reply, body: reply.body.replaceAll('"size"', `"${shows}"`) };
    },
  });
  const cloud = openCloud({}, {}, { wrap });
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  cloud.emulator.faults.add({ target: "create_volume", kind: "reset", when: "after", times: 1 });
  const later = cloud.session.ports.clock.sleep(30_000).then(() => {
    shows = "size";
  });
  const [volume] = await cloud.run(Promise.all([cloud.create("volume", data(String(vpc.id))), later]));
  expect(live(cloud, "volume").map(({ krn }) => krn)).toEqual([volume.id]);
  expect(volume.values.sizeGb).toBe(20);
});

test("a change that sends nothing and that the API does not show fails within a minute with a remedy", async () => {
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const imported = await cloud.run(engine.import(cloud.session, resource("vpc"), String(vpc.id), cloud.call));
  const before = cloud.elapsed();
  const wanted = { name: "net", primarySubnet: { name: "first", cidr: "10.0.0.0/24" } };
  const failed = await cloud.run(failure(update(cloud, "vpc", imported, wanted)));
  expect(failed.next).toEqual(checkOrReplace);
  expect(cloud.elapsed() - before).toBeLessThan(90_000);
});

test("changes of a failed object are not polled until the deadline", async () => {
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const wanted = { ...data(String(vpc.id)), name: "data-fails" };
  const { failed: _, ...state } = kept(await cloud.run(failure(cloud.create("volume", wanted))));
  const before = cloud.elapsed();
  const failed = await cloud.run(failure(update(cloud, "volume", state, { ...wanted, sizeGb: 30 })));
  expect(failed.next).toEqual(checkOrReplace);
  expect(cloud.elapsed() - before).toBeLessThan(5_000);
});
