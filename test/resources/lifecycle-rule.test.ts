import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../provider/core/state.ts";
import { UNKNOWN, type Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, operationsOn, requests, resource, settle } from "../support/cloud.ts";
import { idOf, problemsOf } from "../support/problem.ts";

const rule = resource("lifecycle-rule");

/** Creates a bucket; returns the operations on a lifecycle rule in it. */
async function withBucket(options: Parameters<typeof openCloud>[0] = {}) {
  const cloud = openCloud(options, { accountId: "000000000000", otpRequired: false });
  const bucket = await cloud.run(cloud.create("bucket", { name: "data" }));
  const written = { bucketId: String(bucket.id), name: "old", expirationDays: 30 };
  const make = operationsOn(cloud, "lifecycle-rule", written).run.create;
  const read = async (state: ResourceState) => {
    await cloud.run(cloud.session.ports.clock.sleep(6_000));
    return cloud.run(engine.read(cloud.session, rule, state, cloud.call));
  };
  return { cloud, bucket, written, make, read, change: operationsOn(cloud, "lifecycle-rule").run.update };
}

test("a rule is created, read, replaced completely, and deleted", async () => {
  const { cloud, written, make, read, change } = await withBucket();
  const state = await make({ attribute: "created" });
  expect(state.values).toMatchObject({ ...written, attribute: "created", enabled: true, status: "Enabled" });
  expect(await read(state)).toEqual(state);
  const { expirationDays: _, ...rest } = written;
  const other = { ...rest, name: "older", enabled: false, noncurrentDays: 7, newerNoncurrentVersions: 3 };
  const changed = await change(state, other);
  expect(changed.id).toBe(state.id);
  expect(changed.values).toMatchObject({
    ...other,
    expirationDays: null,
    attribute: null,
    status: "Disabled",
  });
  expect(engine.plan(rule, await read(changed), engine.check(rule, other).inputs, cloud.session).action).toBe(
    "none",
  );
  await cloud.run(engine.delete(cloud.session, rule, changed, cloud.call));
  expect(live(cloud, "lifecycle_rule")).toEqual([]);
});

test.each<[string, Values, string[]]>([
  ["days", { expirationDays: 1 }, []],
  ["days that are not known yet", { expirationDays: UNKNOWN }, []],
  ["marks alone", { expiredObjDeleteMarker: true }, []],
  ["nothing", {}, ["expirationDays is required if the rule has no other effect"]],
  [
    "nothing but a mark that is off",
    { expiredObjDeleteMarker: false },
    ["expirationDays is required if the rule has no other effect"],
  ],
])("a rule of %s is checked", (_, written, problems) => {
  expect(problemsOf("lifecycle-rule", { bucketId: idOf("bucket"), name: "old", ...written })).toEqual(
    problems,
  );
});

test.each([
  ["the response has no id", { assume: { lifecycleRuleAnswer: "message" } } as const, undefined],
  ["the response is lost", {}, "reset"],
])("a rule is found by its name in the list if %s", async (_, options, kind) => {
  const { cloud, make } = await withBucket(options);
  if (kind !== undefined) cloud.emulator.faults.add({ target: "create_lifecycle_rule", kind, when: "after" });
  const state = await make();
  expect(live(cloud, "lifecycle_rule").map(({ krn }) => krn.endsWith(`:${state.id}`))).toEqual([true]);
  expect(requests(cloud, "create_lifecycle_rule")).toHaveLength(1);
});

test("a rule is deleted with its bucket, and while the bucket is listed a 404 proves nothing", async () => {
  const { cloud, bucket, make, read } = await withBucket();
  const state = await make();
  cloud.emulator.faults.add({ target: "list_lifecycle_rules", kind: "404" });
  cloud.emulator.faults.add({ target: "get_lifecycle_rule", kind: "404" });
  const { cause } = await failure(read(state));
  expect(String(cause)).toContain("the bucket is listed, but its content cannot be read");
  cloud.emulator.faults.clear();
  cloud.emulator.inventory.remove(String(bucket.id));
  await settle(cloud);
  expect(await read(state)).toBeUndefined();
});
