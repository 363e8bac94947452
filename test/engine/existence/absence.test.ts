import { beforeAll, describe, expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import type { Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { type Cloud, failure, live, openCloud, requests, resource, settle } from "../../support/cloud.ts";
import { createEveryKind, type Made, oneOfEach, openEveryKind } from "../../support/every-kind.ts";
import { openNetwork } from "../../support/instance-world.ts";

const settings = {
  accountId: "000000000000",
  accessKey: "emulator-access-key",
  secretKey: "emulator-secret-key",
};
const routes = { "bucket-policy": "bucket_policy", "account-policy": "account_policy", object: "object" };
type Kind = keyof typeof routes;

/** Creates one object of each kind; returns the operations on one of them. */
async function withStorage(kind: Kind) {
  const cloud = openCloud({}, settings);
  const bucketId = String((await cloud.run(cloud.create("bucket", { name: "data" }))).id);
  const written: Readonly<Record<Kind, (name: string) => Values>> = {
    "bucket-policy": () => ({ bucketId, readWriteIps: ["10.0.0.0/8"] }),
    "account-policy": (name) => ({ name, statements: "[]" }),
    object: (key) => ({ bucketId, key, content: "one" }),
  };
  const make = (name: string) => cloud.run(cloud.create(kind, written[kind](name)));
  const state = await make("first");
  // Another process that has read no other object.
  const session = cloud.reopen();
  const { call } = cloud;
  const fault = (target: string, times?: number) => cloud.emulator.faults.add({ target, kind: "404", times });
  return {
    cloud,
    make,
    state,
    fault,
    kind: resource(kind),
    read: (from: ResourceState = state, given: object = {}) =>
      cloud.run(engine.read(session, resource(kind), from, { ...call, ...given })),
    remove: (given: object = {}) =>
      cloud.run(engine.delete(session, resource(kind), state, { ...call, ...given })),
    isThere: () => live(cloud, routes[kind]).length === 1,
  };
}

const reads: Readonly<Record<Kind, string>> = {
  "bucket-policy": "get_bucket_policy",
  "account-policy": "get_account_policy",
  object: "get_object_metadata",
};
const deletes: Readonly<Record<Kind, string>> = {
  "bucket-policy": "delete_bucket_policy",
  "account-policy": "delete_account_policy",
  object: "delete_object",
};
const kinds = Object.keys(routes) as Kind[];

test.each(kinds)(
  "a %s that a gateway does not find for most of a minute stays in the state",
  async (kind) => {
    const { fault, state, read } = await withStorage(kind);
    fault(reads[kind], 8);
    expect((await read())?.values).toEqual(state.values);
  },
);

test("the pause after a 429 does not count as absence", async () => {
  const { cloud, fault, state, read } = await withStorage("bucket-policy");
  await settle(cloud);
  const pause = { kind: "429", from: 2, times: 1, retryAfter: "90" };
  cloud.emulator.faults.add({ target: reads["bucket-policy"], ...pause });
  fault(reads["bucket-policy"], 8);
  expect((await read())?.values).toEqual(state.values);
});

test.each(kinds)("the destroy of a %s that a gateway does not find fails", async (kind) => {
  const { fault, remove, isThere } = await withStorage(kind);
  fault(reads[kind]);
  fault(deletes[kind]);
  const failed = await failure(remove({ timeout: 60 }));
  expect([failed.existence.is, isThere()]).toEqual(["may exist", true]);
});

test.each(kinds)(
  "a %s that was deleted outside the engine leaves the state after settle_seconds at the latest",
  async (kind) => {
    const { cloud, state, read, remove } = await withStorage(kind);
    await settle(cloud);
    for (const row of live(cloud, routes[kind])) cloud.emulator.inventory.remove(row.krn);
    const began = cloud.elapsed();
    expect(await read()).toBeUndefined();
    const elapsed = cloud.elapsed() - began;
    // A listing by prefix shows that the object does not exist although the bucket does.
    if (kind === "object") expect(elapsed).toBeLessThan(20_000);
    else expect(elapsed).toBeGreaterThanOrEqual(120_000);
    await remove();
    expect(state.id).toBeDefined();
  },
);

test("a deleted policy leaves the state sooner if the same route has shown another policy in this run", async () => {
  const { cloud, make, state, read } = await withStorage("account-policy");
  const other = await make("second");
  await settle(cloud);
  cloud.emulator.inventory.remove(String(state.id));
  await read(other);
  const began = cloud.elapsed();
  expect(await read()).toBeUndefined();
  expect(cloud.elapsed() - began).toBeLessThan(20_000);
});

test("an object that the listing of its bucket shows stays in the state, even after settle_seconds", async () => {
  const { cloud, fault, state, read } = await withStorage("object");
  await settle(cloud);
  fault("get_object_metadata", 8);
  // The third listing hangs three times, a minute each.
  cloud.emulator.faults.add({ target: "list_objects", kind: "hang", when: "before", from: 3, times: 3 });
  const began = cloud.elapsed();
  expect((await read(state, { timeout: 600 }))?.values).toEqual(state.values);
  expect(cloud.elapsed() - began).toBeGreaterThan(120_000);
});

test("a delete that the API accepted is confirmed by one read that finds nothing", async () => {
  for (const kind of kinds) {
    const { cloud, remove, isThere } = await withStorage(kind);
    const began = cloud.elapsed();
    await remove();
    expect([isThere(), cloud.elapsed() - began < 2_000]).toEqual([false, true]);
  }
});

test("an object that a listing shows stays in the state although its delete was accepted and no read finds it", async () => {
  for (const kind of ["account-policy", "object"] as const) {
    const { cloud, fault, remove, isThere } = await withStorage(kind);
    cloud.emulator.faults.add({ target: deletes[kind], kind: "no-content", when: "before", times: 1 });
    fault(reads[kind]);
    const failed = await failure(remove({ timeout: 60 }));
    expect([failed.existence.is, isThere()]).toEqual(["may exist", true]);
  }
});

test("the security groups of a port that a gateway does not find stay in the state", async () => {
  const { cloud, ...network } = await openNetwork();
  const machine = await cloud.run(network.create());
  const inputs = {
    portId: String(machine.values.portId),
    securityGroups: machine.values.securityGroups as string[],
  };
  const state = await cloud.run(cloud.create("port-security-groups", inputs));
  await settle(cloud);
  const naming = String(machine.values.portId);
  cloud.emulator.faults.add({ target: "search_port", kind: "404", naming, times: 8 });
  const read = engine.read(cloud.reopen(), resource("port-security-groups"), state, cloud.call);
  expect((await cloud.run(read))?.values).toEqual(state.values);
  const answers = requests(cloud, "search_port").filter(({ outcome }) => outcome === 404);
  expect(answers).toHaveLength(8);
});

test("the pause before a late 404 does not count as absence after a delete with an unclear response", async () => {
  const { cloud, fault, remove, isThere } = await withStorage("bucket-policy");
  await settle(cloud);
  cloud.emulator.faults.add({ target: deletes["bucket-policy"], kind: "303", when: "before", times: 1 });
  const pause = { kind: "429", from: 6, times: 1, retryAfter: "110" };
  cloud.emulator.faults.add({ target: reads["bucket-policy"], ...pause });
  fault(reads["bucket-policy"], 12);
  await remove({ timeout: 900 });
  expect(isThere()).toBe(false);
});

test("a delete starts to wait for settle_seconds again if a read shows the object between two spells of 404", async () => {
  const { cloud, remove, fault, isThere } = await withStorage("bucket-policy");
  await settle(cloud);
  const { clock } = cloud.session.ports;
  const hide = () => {
    fault(reads["bucket-policy"]);
    fault(deletes["bucket-policy"]);
  };
  const spells = async () => {
    for (const ms of [90_000, 20_000, 90_000]) {
      if (ms > 20_000) hide();
      else cloud.emulator.faults.clear();
      await clock.sleep(ms);
    }
    cloud.emulator.faults.clear();
  };
  // The clock advances only while the delete runs.
  void spells();
  await remove({ timeout: 900 });
  expect(isThere()).toBe(false);
});

describe("a new object with its own read route, for which a gateway answers 404 while listings do not show it yet", () => {
  /** Operations that read one object of the kind. */
  const reads: Readonly<Record<string, string>> = {
    vpc: "get_vpc",
    volume: "get_volume",
    instance: "get_instance",
    "instance-template": "get_template",
    bucket: "get_bucket",
    "bucket-policy": "get_bucket_policy",
    "lifecycle-rule": "get_lifecycle_rule",
    object: "get_object_metadata",
    "account-policy": "get_account_policy",
    "inference-task": "get_inference_task",
  };

  let cloud: Cloud;
  let made: readonly Made[];

  beforeAll(async () => {
    cloud = openEveryKind({}, { accountId: "000000000000", settleSeconds: 600 });
    made = oneOfEach(await createEveryKind(cloud));
    cloud.emulator.configure({ listingLagMs: 600_000 });
    for (const target of Object.values(reads)) cloud.emulator.faults.add({ target, kind: "404" });
  });

  test.each(Object.entries(reads))(
    "a new %s stays in the state, with a warning (%s)",
    async (kind, target) => {
      const { state } = made.find((one) => one.kind === kind) as Made;
      cloud.warnings.length = 0;
      const before = requests(cloud, target).length;
      expect(await cloud.run(engine.read(cloud.reopen(), resource(kind), state, cloud.call))).toEqual(state);
      expect(requests(cloud, target).length).toBeGreaterThan(before);
      expect(cloud.warnings).toEqual([
        {
          summary: expect.stringMatching(/^The .+ is not/),
          detail: expect.stringContaining(`(${state.id})`),
        },
      ]);
    },
  );
});
