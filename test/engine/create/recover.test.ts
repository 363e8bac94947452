import { describe, expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { inWordsOf, perEngine } from "../../../provider/core/wording.ts";
import { engine } from "../../../provider/engine/engine.ts";
import type { Transport } from "../../../provider/platform/ports.ts";
import { type Cloud, failure, kept, live, openCloud, requests, resource } from "../../support/cloud.ts";

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

describe("Another user or a second process creates an object with the same name", () => {
  const data = { name: "data", sizeGb: 20, volumeType: "HNSS" };

  async function withVpc(given: Parameters<typeof openCloud>[1] = {}, latencyMs = 0) {
    const cloud = openCloud({ latencyMs }, given);
    const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
    return { cloud, vpcId: String(vpc.id) };
  }

  /** Creates a volume as another, independent process. */
  const createElsewhere = (cloud: Cloud, written: Values) => {
    const { inputs } = engine.check(resource("volume"), written);
    return engine.create(cloud.reopen(), resource("volume"), inputs, cloud.call);
  };

  test("another user's volume with that name is not adopted after a lost response", async () => {
    const { cloud, vpcId } = await withVpc({ settleSeconds: 20 });
    cloud.emulator.faults.add({ target: "create_volume", kind: "reset", times: 1 });
    const ours = failure(cloud.create("volume", { vpcId, ...data }));
    await cloud.run(cloud.session.ports.clock.sleep(1_000));
    const theirs = await cloud.run(createElsewhere(cloud, { vpcId, ...data, sizeGb: 500 }));
    const failed = await cloud.run(ours);
    expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
    const { detail } = explain(failed);
    expect(detail).toContain(
      "The only matching new object has different size_gb, so it may have been created by someone else.",
    );
    expect(detail).toContain(
      `import it before the next run (terraform import kcloud_volume.NAME '${vpcId},${theirs.id}'`,
    );
  });

  test("another user's VPC with a subnet is not that of a create without one", async () => {
    const cloud = openCloud({}, { settleSeconds: 20 });
    cloud.emulator.faults.add({ target: "create_vpc", kind: "reset", when: "before", times: 1 });
    const ours = failure(cloud.create("vpc", { name: "net" }));
    await cloud.run(cloud.session.ports.clock.sleep(1_000));
    const primarySubnet = { name: "web", cidr: "10.7.0.0/24" };
    const { inputs } = engine.check(resource("vpc"), { name: "net", primarySubnet });
    const theirs = await cloud.run(engine.create(cloud.reopen(), resource("vpc"), inputs, cloud.call));
    const failed = await cloud.run(ours);
    expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
    expect(explain(failed).detail).toContain(
      "The only matching new object has different primary_subnet, so it may have been created by someone else.",
    );
    expect(explain(failed).detail).toContain(String(theirs.id));
  });

  test("two new volumes with that name stop the create, even if a listing shows the second one later than the first", async () => {
    const { cloud, vpcId } = await withVpc();
    cloud.emulator.faults.add({ target: "create_volume", kind: "reset", when: "after", times: 1 });
    cloud.emulator.configure({ listingLagMs: 250 });
    const ours = failure(cloud.create("volume", { vpcId, ...data }));
    await cloud.run(cloud.session.ports.clock.sleep(200));
    const { inputs } = engine.check(resource("volume"), { vpcId, ...data, sizeGb: 500 });
    const theirs = engine.create(cloud.reopen(), resource("volume"), inputs, cloud.call);
    const failed = await cloud.run(ours);
    await cloud.run(theirs);
    expect([failed.existence.is, failed.step]).toEqual(["may exist", "several new objects match"]);
  });

  test.each(["404", "429"])(
    "a %s of a create that was executed does not lead to a second object",
    async (kind) => {
      const { cloud, vpcId } = await withVpc();
      cloud.emulator.faults.add({ target: "create_volume", kind, when: "after", times: 1 });
      const made = await cloud.run(cloud.create("volume", { vpcId, ...data }));
      expect(live(cloud, "volume").map(({ krn }) => krn)).toEqual([made.id]);
      expect(requests(cloud, "create_volume")).toHaveLength(1);
    },
  );

  test("a 429 before the execution costs five seconds and one listing, which all waiting creates share", async () => {
    const run = async (times: number) => {
      const { cloud, vpcId } = await withVpc({}, 200);
      if (times > 0) cloud.emulator.faults.add({ target: "create_volume", kind: "429", times });
      const before = cloud.elapsed();
      const names = ["a", "b", "c", "d", "e"];
      await cloud.run(Promise.all(names.map((name) => cloud.create("volume", { vpcId, ...data, name }))));
      expect(live(cloud, "volume")).toHaveLength(5);
      const elapsed = cloud.elapsed() - before;
      return [elapsed, requests(cloud, "create_volume").length, requests(cloud, "list_volumes").length];
    };
    const [baseline = 0, posts = 0, listings = 0] = await run(0);
    const [elapsed = 0, ...sent] = await run(5);
    expect(sent).toEqual([posts + 5, listings + 1]);
    expect(Math.round((elapsed - baseline) / 1000)).toBe(5);
  });

  /**
   * Runs a create during which another user creates an object after the last listing of this run and more than two seconds before
   * its request.
   */
  async function afterOtherUser(kind: string, written: Values, others: Values) {
    const { cloud, vpcId } = await withVpc({ settleSeconds: 20 });
    const given = (values: Values) => ({ vpcId, ...values });
    await cloud.run(cloud.create(kind, given(others)));
    const session = cloud.reopen();
    const { inputs } = engine.check(resource(kind), given(written));
    const theirs = await cloud.run(engine.create(session, resource(kind), inputs, cloud.call));
    await cloud.run(cloud.session.ports.clock.sleep(2_000));
    cloud.emulator.faults.add({ target: `create_${kind.replaceAll("-", "_")}`, kind: "reset", times: 1 });
    return { theirs, failed: await cloud.run(failure(cloud.create(kind, given(written)))) };
  }

  test("a volume of another user that a shared listing does not show yet is not adopted", async () => {
    const { failed } = await afterOtherUser("volume", data, { ...data, name: "other" });
    expect([failed.existence.is, failed.state]).toEqual(["may exist", undefined]);
  });

  test("if rows have no creation time, the search before a create is a new listing", async () => {
    const { theirs, failed } = await afterOtherUser(
      "subnet",
      { name: "web", cidr: "10.0.0.0/24" },
      { name: "other", cidr: "10.0.1.0/24" },
    );
    expect(failed.existence).toEqual({ is: "exists", id: theirs.id });
    expect(failed.step).toBe("an object with this name already exists");
  });

  test.each(["404", "429"])(
    "a create that was executed, answered %s and listed after the search warns of a duplicate, once per run and kind",
    async (kind) => {
      const { cloud, vpcId } = await withVpc();
      cloud.emulator.configure({ listingLagMs: 30_000 });
      cloud.emulator.faults.add({ target: "create_volume", kind, when: "after", times: 1 });
      await cloud.run(cloud.create("volume", { vpcId, ...data }));
      cloud.emulator.faults.add({ target: "create_volume", kind, when: "before", times: 1 });
      await cloud.run(cloud.create("volume", { vpcId, ...data, name: "more" }));
      expect(live(cloud, "volume").map(({ name }) => name)).toEqual(["data", "data", "more"]);
      const repeated = cloud.warnings.filter(({ summary }) =>
        inWordsOf("terraform", summary).endsWith("was sent again"),
      );
      expect(repeated).toEqual([
        {
          summary: 'The create of the volume "data" was sent again',
          detail: `The API returned ${kind} for the create of the volume "data". A listing 5 s later did not show it, so the create was sent again. If two objects with this name appear later, one of them is a duplicate.`,
        },
      ]);
    },
  );

  test("the error of a create that is throttled until its deadline has the status and request id of the last response", async () => {
    const { cloud, vpcId } = await withVpc();
    cloud.emulator.faults.add({ target: "create_volume", kind: "429" });
    const failed = await cloud.run(failure(cloud.create("volume", { vpcId, ...data })));
    const last = requests(cloud, "create_volume").at(-1);
    expect(explain(failed).detail).toContain(`(status 429, request id ${last?.id}, POST /kbs/v1/volumes)`);
    expect(failed.existence.is).toBe("may exist");
  });

  test("a create that was executed and answered 404 does not report that nothing was created if a listing lags", async () => {
    const { cloud, vpcId } = await withVpc();
    cloud.emulator.configure({ listingLagMs: 30_000 });
    await cloud.run(cloud.session.ports.clock.sleep(70_000));
    cloud.emulator.faults.add({ target: "create_volume", kind: "404", when: "after", times: 1 });
    const failed = await cloud.run(failure(cloud.create("volume", { vpcId, ...data })));
    expect(failed.existence).toEqual({ is: "not listed", seconds: 5 });
    expect(explain(failed).detail).toContain(
      `import it before the next run (terraform import kcloud_volume.NAME '${vpcId},ID'`,
    );
  });
});
