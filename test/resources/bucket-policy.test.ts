import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, operationsOn, requests, resource, settle } from "../support/cloud.ts";
import { find } from "../support/lookup.ts";
import { idOf, problemsOf } from "../support/problem.ts";

const policy = resource("bucket-policy");

/** Creates a bucket; returns the operations on its policy. */
async function withBucket(options: Parameters<typeof openCloud>[0] = {}) {
  const cloud = openCloud(options, { accountId: "000000000000" });
  const bucketId = String((await cloud.run(cloud.create("bucket", { name: "data" }))).id);
  const { inputs, plan, run } = operationsOn(cloud, "bucket-policy", {
    bucketId,
    readWriteIps: ["10.0.0.0/8"],
  });
  const make = (written?: Values, session = cloud.session) =>
    cloud.run(engine.create(session, policy, inputs(written), cloud.call));
  const read = async (state: ResourceState, session = cloud.session) => {
    await cloud.run(session.ports.clock.sleep(6_000));
    return run.read(state, session);
  };
  return { cloud, bucketId, make, read, change: run.update, plan };
}

test("a list and the data source show the policy of a bucket", async () => {
  const { cloud, bucketId, make } = await withBucket();
  await make();
  const [listed, ...others] = await cloud.run(engine.list(cloud.reopen(), policy, { bucketId }, cloud.call));
  expect(others).toEqual([]);
  expect(listed).toMatchObject({
    id: bucketId,
    values: { bucketId },
    state: { values: { readOnlyIps: [] } },
  });
  expect(listed).not.toHaveProperty("problem");
  expect(await find(cloud, "bucket-policy", { bucketId, id: bucketId })).toMatchObject({ id: bucketId });
});

test("a policy is identified by its bucket, replaced completely, and deleted", async () => {
  const { cloud, bucketId, make, read, change, plan } = await withBucket();
  const state = await make();
  expect(state).toMatchObject({ id: bucketId, values: { readWriteIps: ["10.0.0.0/8"], readOnlyIps: [] } });
  expect(state.values.policyKrn).toMatch(/:bucketpolicy:/);
  expect(await read(state)).toEqual(state);
  const other = { readWriteIps: [], readOnlyIps: ["192.0.2.1", "2001:DB8::/32"] };
  const changed = await change(state, other);
  expect(changed.values).toMatchObject(other);
  // The same addresses in another order and notation.
  const same = { ...other, readOnlyIps: ["2001:db8:0::/32", "192.0.2.1/32"] };
  expect(plan(await read(changed), same).action).toBe("none");
  // One of them twice, instead of the other.
  const twice = {
    ...changed,
    values: { ...changed.values, readOnlyIps: ["2001:db8::/32", "2001:DB8::/32"] },
  };
  expect(plan(twice, same).action).toBe("update");
  await cloud.run(engine.delete(cloud.session, policy, changed, cloud.call));
  expect(live(cloud, "bucket_policy")).toEqual([]);
});

test("the delete of a policy that was deleted outside keeps the policy that another resource created in the same run", async () => {
  const { cloud, bucketId, make } = await withBucket();
  const old = await make();
  await cloud.run(cloud.session.ports.clock.sleep(1_000));
  cloud.emulator.inventory.remove(String(old.values.policyKrn));
  const session = cloud.reopen();
  await make({}, session);
  await cloud.run(engine.delete(session, policy, old, cloud.call));
  expect(cloud.warnings.at(-1)).toEqual({
    summary: `The bucket policy (${bucketId}) was not deleted`,
    detail: `Another entry of the state has the bucket policy (${bucketId}), so it was not deleted. Only this entry left the state.`,
  });
  expect(live(cloud, "bucket_policy")).toHaveLength(1);
});

test.each<[string, Values, string[]]>([
  ["addresses and ranges of both versions", { readWriteIps: ["10.0.0.1", "10.0.0.0/8", "::1", "::/0"] }, []],
  [
    "a name",
    { readOnlyIps: ["10.0.0.1", "db.example"] },
    ["readOnlyIps.1 must be an IP address or a range such as 10.0.0.0/16, not db.example"],
  ],
  [
    "a prefix that is too long",
    { readWriteIps: ["10.0.0.0/33"] },
    ["readWriteIps.0 must be an IP address or a range such as 10.0.0.0/16, not 10.0.0.0/33"],
  ],
  ["no bucket", { bucketId: null }, ["bucketId is required"]],
  [
    "the id of something else",
    { bucketId: idOf("vpc") },
    ["bucketId is the ID of a VPC, but the ID of a bucket is required"],
  ],
])("the problem of %s is reported", (_, written, problems) => {
  expect(problemsOf("bucket-policy", { bucketId: idOf("bucket"), ...written })).toEqual(problems);
});

test("an existing policy is never overwritten: it is imported, or adopted if it is equal", async () => {
  const { cloud, bucketId, make } = await withBucket();
  const first = await make();
  const { detail } = explain(await failure(make({ readWriteIps: [] }, cloud.reopen())));
  expect(detail).toBe(
    [
      "An object with these values already exists.",
      `The object exists as ${bucketId} and was not changed.`,
      `Import it if nothing manages it (terraform import kcloud_bucket_policy.NAME '${bucketId}', or tofu import with the same arguments), or set adopt_existing = true to adopt it. If this run replaces it, remove create_before_destroy from the lifecycle of this resource and of those that depend on it, to which it extends; if another resource of this configuration gives up the object or its name in this run, run again.`,
    ].join("\n"),
  );
  const adopting = () => cloud.reopen({ adoptExisting: true });
  const other = explain(await failure(make({ readWriteIps: [] }, adopting())));
  expect(other.detail).toContain("An object with these values already exists with different read_write_ips.");
  const found = { ...first, createdAt: undefined };
  expect(await make({}, adopting())).toEqual(found);
  expect(requests(cloud, "update_bucket_policy")).toEqual([]);
  expect(requests(cloud, "create_bucket_policy")).toHaveLength(1);
  const imported = await cloud.run(engine.import(cloud.session, policy, bucketId, cloud.call));
  expect(imported).toEqual(found);
});

test("a policy whose create was executed and answered 404 is found, also after the delete of the policy that it replaces", async () => {
  const { cloud, make } = await withBucket();
  await cloud.run(engine.delete(cloud.session, policy, await make(), cloud.call));
  cloud.emulator.faults.add({ target: "create_bucket_policy", kind: "404", when: "after", times: 1 });
  expect((await make()).values.policyKrn).toBe(live(cloud, "bucket_policy")[0]?.krn);
});

test("an identifier that a read masks keeps its stored value", async () => {
  const { cloud, make, read, change } = await withBucket();
  const state = await make();
  cloud.emulator.faults.add({ target: "get_bucket_policy", kind: "masked-ids" });
  expect(await read(state)).toEqual(state);
  const changed = await change(state, { readWriteIps: ["192.168.0.0/16"] });
  expect(changed.values.policyKrn).toBe(state.values.policyKrn);
});

test("an identifier that was never shown in full stays masked in a change, and a refresh completes it", async () => {
  const { cloud, make, read, plan, change } = await withBucket();
  const fault = cloud.emulator.faults.add({ target: "get_bucket_policy", kind: "masked-ids" });
  const state = await make();
  expect(state.values.policyKrn).toContain("***");
  cloud.emulator.faults.remove(fault);
  const other = { readWriteIps: ["192.168.0.0/16"] };
  expect(plan(state, other).values.policyKrn).toContain("***");
  const changed = await change(state, other);
  expect(changed.values.policyKrn).toBe(state.values.policyKrn);
  expect((await read(changed))?.values.policyKrn).not.toContain("***");
});

test.each([
  ["404", "after"],
  ["404", "before"],
  ["409", "after"],
] as const)(
  "a policy whose create is answered %s (%s), and which one read does not find, may exist",
  async (kind, when) => {
    const { cloud, make } = await withBucket();
    await settle(cloud);
    cloud.emulator.faults.add({ target: "create_bucket_policy", kind, when, times: 1 });
    cloud.emulator.faults.add({ target: "get_bucket_policy", kind: "404" });
    const failed = await failure(make());
    expect([failed.existence.is, live(cloud, "bucket_policy").length]).toEqual([
      "may exist",
      when === "after" ? 1 : 0,
    ]);
    expect(explain(failed).detail).toContain("terraform import kcloud_bucket_policy.NAME");
  },
);

test("a response without an empty list of addresses is complete", async () => {
  const { cloud, make, read } = await withBucket();
  const state = await make();
  cloud.emulator.faults.add({
    target: "get_bucket_policy",
    kind: "missing-field",
    field: "s3_read_only_ips",
  });
  expect(await read(state, cloud.reopen())).toEqual(state);
  expect(cloud.warnings).toEqual([]);
});
