import { expect, test } from "@jest/globals";
import type { Given } from "../../provider/config/setting.ts";
import { explain } from "../../provider/core/error.ts";
import { engine } from "../../provider/engine/engine.ts";
import { bucket, openBuckets } from "../support/bucket-world.ts";
import { failure, live, requests } from "../support/cloud.ts";

test("a bucket is created with account, region and tier, read, and changed in place", async () => {
  const { cloud, make, read, change, plan } = openBuckets({ assume: { tierHeader: "required" } });
  const written = { name: "data", description: "orders", tags: { team: "a" } };
  const state = await make(written);
  expect(state.id).toMatch(/^krn:kos:In-Bangalore-1:.*:bucket:/);
  expect(state.values).toMatchObject({
    ...written,
    tagsAll: { team: "a" },
    tier: "tier-1",
    versioning: false,
    anonymousAccess: false,
    url: "https://data.object.example",
  });
  expect(requests(cloud, "create_bucket")[0]?.headers).toMatchObject({
    "x-region-id": "In-Bangalore-1",
    "x-tier": "tier-1",
  });
  expect(await read(state)).toEqual(state);
  const other = { ...written, versioning: true, anonymousAccess: true, tags: {} };
  expect(plan(state, other).action).toBe("update");
  const changed = await change(state, other);
  expect(changed.values).toMatchObject({ versioning: true, anonymousAccess: true, tagsAll: null });
  expect(plan(await read(changed), other).action).toBe("none");
  expect(plan(state, { ...written, tier: "slow" }).changes).toMatchObject([
    {
      path: ["tier"],
      effect: "replace",
      reason: `All objects in the bucket are destroyed in all versions; copy them to another bucket first.`,
    },
  ]);
});

test.each(["ab", "Store", "a_b", "-store", "a..b", "x".repeat(64)])(
  "the check warns of the name %s, which the API may refuse",
  (name) => {
    const { problems, warnings } = engine.check(bucket, { name });
    expect([problems, warnings.map(({ path }) => path)]).toEqual([[], [["name"]]]);
  },
);

test("the check accepts the name of a bucket that is a DNS name", () => {
  for (const name of ["abc", "logs.2026-11", "x".repeat(63)])
    expect(engine.check(bucket, { name })).toMatchObject({ problems: [], warnings: [] });
});

test("without an account id nothing is sent, and the error names the setting", async () => {
  const { cloud, make } = openBuckets({}, { accountId: undefined });
  await expect(make({ name: "data" })).rejects.toThrow(
    "accountId: is required for object storage: set it in the provider, or SERVICE_ACCOUNT_ID",
  );
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("default tags follow the provider's configuration in place, in addition to a bucket's own tags", async () => {
  const tags = (all: object) => ({ defaultTags: JSON.stringify(all) });
  const { cloud, make, read, change, plan } = openBuckets({}, tags({ team: "orders", tier: "any" }));
  const written = { name: "data", tags: { tier: "web" } };
  const state = await make(written);
  expect(state.values.tagsAll).toEqual({ team: "orders", tier: "web" });
  expect(plan(await read(state), written).action).toBe("none");
  const session = cloud.reopen(tags({ team: "billing" }));
  const wanted = plan(state, written, session);
  expect(wanted).toMatchObject({ action: "update", values: { tagsAll: { team: "billing", tier: "web" } } });
  const changed = await change(state, written, session);
  expect([changed.values.tags, changed.values.tagsAll]).toEqual([
    { tier: "web" },
    { team: "billing", tier: "web" },
  ]);
  expect(live(cloud, "bucket")).toMatchObject([{ tags: { team: "billing", tier: "web" } }]);
  expect(plan(changed, written, session).action).toBe("none");
  const own = await change(changed, { name: "data" }, session);
  expect([own.values.tags, own.values.tagsAll]).toEqual([null, { team: "billing" }]);
  cloud.emulator.inventory.change(String(state.id), { tags: {} });
  expect(plan(await read(own, session), { name: "data" }, session).action).toBe("update");
});

test("an update waits until the API shows the default tags", async () => {
  const { cloud, make } = openBuckets();
  const state = await make({ name: "data" });
  const session = cloud.reopen({ defaultTags: JSON.stringify({ team: "orders" }) });
  cloud.emulator.faults.add({ target: "update_bucket", kind: "503", from: 1, times: 1 });
  const { inputs } = engine.check(bucket, { name: "data" });
  const changed = await cloud.run(engine.update(session, bucket, state, inputs, cloud.call));
  expect(changed.values.tagsAll).toEqual({ team: "orders" });
  expect(requests(cloud, "update_bucket")).toHaveLength(2);
});

test("a bucket that is not empty is not deleted: the error has the message of the API and the remedy", async () => {
  const { cloud, make, remove } = openBuckets();
  const state = await make({ name: "data" });
  cloud.emulator.faults.add({
    target: "delete_bucket",
    kind: "409",
    body: { message: "bucket data is not empty" },
  });
  const { detail } = explain(await failure(remove(state)));
  expect(detail).toMatch(/bucket data is not empty\. \(status 409, /);
  expect(detail).toContain("The object still exists and stays in the state.");
  expect(detail).toContain(
    "Delete its content, or set force_destroy = true and run terraform apply (or tofu apply), then run again with a new one-time password (SERVICE_OTP for one delete, otp_command for each): the one that was sent cannot be used again.",
  );
  expect(requests(cloud, "delete_bucket")).toHaveLength(1);
});

/** Creates a bucket with `force_destroy` and an object for each key. */
async function filled(keys: readonly string[], given: Given = {}) {
  const pair = { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" };
  const world = openBuckets({}, { ...pair, ...given });
  const { cloud, make } = world;
  const state = await make({ name: "data", forceDestroy: true });
  const headers = { authorization: "Bearer emulator-key", "x-account-id": "000000000000" };
  const send = async (method: string, path: string, body: object, more = {}) =>
    (
      await cloud.emulator.fetch(`http://127.0.0.1/kos/v1/${path}`, {
        method,
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      })
    ).json() as Promise<Record<string, string>>;
  const session = await send("POST", "sessions/activate", pair);
  for (const key of keys) {
    const token = { "x-session-token": session.sessionToken };
    const slot = await send("PUT", `buckets/${state.id}/objects`, { prefix: key }, token);
    await cloud.emulator.fetch(slot.preSignedUrl ?? "", { method: "PUT", body: key });
  }
  return { ...world, state };
}

test("with force_destroy, a delete empties the bucket first and requests the password last", async () => {
  const { cloud, state, remove } = await filled(["a", "folder/b", "folder/deep/c d"]);
  cloud.emulator.faults.add({ target: "delete_object", kind: "404", from: 2, times: 1 });
  await remove(state);
  expect([live(cloud, "bucket"), live(cloud, "object")]).toEqual([[], []]);
  const sent = cloud.emulator.log.entries().map(({ operation }) => operation);
  expect(sent.lastIndexOf("delete_object")).toBeLessThan(sent.indexOf("delete_bucket"));
  expect(requests(cloud, "delete_bucket")).toHaveLength(1);
});

test("without force_destroy, no object is deleted", async () => {
  const { cloud, state, remove } = await filled(["a"]);
  const { detail } = explain(
    await failure(remove({ ...state, values: { ...state.values, forceDestroy: false } })),
  );
  expect(detail).toContain("The bucket holds 1 object; no one-time password was used.");
  expect(requests(cloud, "delete_object")).toEqual([]);
});

test("no password is used for a bucket while its listing shows objects", async () => {
  const { cloud, state, remove } = await filled(["a", "b"]);
  const kept = { ...state, values: { ...state.values, forceDestroy: false } };
  const { detail } = explain(await failure(remove(kept)));
  expect(detail).toBe(`The object could not be deleted.
The bucket holds 2 objects; no one-time password was used.
The object still exists and stays in the state.
Delete its content, or set force_destroy = true and run terraform apply (or tofu apply), then run again.`);
  expect(requests(cloud, "delete_bucket")).toEqual([]);
  // Emptied outside the engine; the listing shows it with a delay.
  cloud.emulator.configure({ listingLagMs: 10_000 });
  for (const { krn } of live(cloud, "object")) cloud.emulator.inventory.remove(krn);
  await remove(kept);
  expect(requests(cloud, "delete_bucket")).toHaveLength(1);
});

test("a bucket that cannot be emptied is not deleted, and no password is used", async () => {
  const { cloud, state, remove } = await filled(["a", "b"], { secretKey: "another" });
  const { detail } = explain(await failure(remove(state)));
  expect(detail).toContain("The object still exists and stays in the state.");
  expect(detail).not.toContain("one-time password");
  expect(requests(cloud, "delete_bucket")).toEqual([]);
  expect(live(cloud, "object")).toHaveLength(2);
});
