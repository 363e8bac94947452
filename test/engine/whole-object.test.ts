import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, failure, kept, live, openCloud, requests, resource, settle } from "../support/cloud.ts";
import { openNetwork } from "../support/instance-world.ts";

/** Tests of updates whose endpoint writes a whole object, after somebody changed another field of it. */

/** Object that was created some time ago, and functions that change it. */
interface Made {
  readonly cloud: Cloud;
  readonly state: ResourceState;
  /** Changes fields of the object in the console. */
  outside(change: Readonly<Record<string, unknown>>): void;
  /** Updates the object without a refresh, in a new process. */
  update(change: Values, from?: ResourceState): Promise<ResourceState>;
  /** Returns the stored object. */
  stored(): Readonly<Record<string, unknown>>;
}

async function withObject(
  kind: string,
  written: Values,
  emulatorKind = kind.replaceAll("-", "_"),
  cloud: Cloud = openCloud(),
): Promise<Made> {
  const definition = resource(kind);
  const state = await cloud.run(cloud.create(kind, written));
  await settle(cloud);
  const row = () => live(cloud, emulatorKind)[0] as NonNullable<ReturnType<typeof live>[number]>;
  return {
    cloud,
    state,
    outside: (change) => cloud.emulator.inventory.change(row().krn, change),
    update: (change, from = state) =>
      engine.update(
        cloud.reopen(),
        definition,
        from,
        engine.check(definition, { ...written, ...change }).inputs,
        cloud.call,
      ),
    stored: row,
  };
}

async function withVolume(more: Values = { description: "mine", metadata: { tier: "gold" } }) {
  const cloud = openCloud();
  const vpc = await cloud.run(cloud.create("vpc", { name: "net" }));
  const written = { vpcId: String(vpc.id), name: "data", sizeGb: 20, volumeType: "HNSS", ...more };
  return withObject("volume", written, "volume", cloud);
}

async function withPart(kind: string, written: Values) {
  const cloud = openCloud();
  const bucket = await cloud.run(cloud.create("bucket", { name: "files" }));
  return withObject(kind, { bucketId: String(bucket.id), ...written }, undefined, cloud);
}

/** Returns the number of requests of an operation. */
const reads = ({ cloud }: Made, operation: string) => requests(cloud, operation).length;

test("a changed tag does not open a bucket that was closed in the console, nor turn its versioning off", async () => {
  const made = await withObject("bucket", { name: "files", anonymousAccess: true, tags: { tier: "gold" } });
  made.outside({ anonymous: false, versioning: true });
  const after = await made.cloud.run(made.update({ tags: { tier: "silver" } }));
  expect(made.stored()).toMatchObject({ anonymous: false, versioning: true, tags: { tier: "silver" } });
  expect(after.values).toMatchObject({ anonymousAccess: true, versioning: false, tags: { tier: "silver" } });
  expect(made.cloud.warnings).toEqual([
    {
      summary: 'The bucket "files" was changed outside of Terraform or OpenTofu, and the change was kept',
      detail: `The API shows another value than the state for versioning, anonymous_access of the bucket "files" (${after.id}). The plan did not show this change, so the update kept it. The state has the planned values; the next refresh shows the difference.`,
    },
  ]);
  expect(reads(made, "get_bucket")).toBe(1);
  const refreshed = await made.cloud.run(
    engine.read(made.cloud.reopen(), resource("bucket"), after, made.cloud.call),
  );
  expect(refreshed?.values).toMatchObject({ anonymousAccess: false, versioning: true });
});

test("a rename keeps description and labels of a volume that were written in the console", async () => {
  const made = await withVolume({});
  made.outside({ description: "by hand", metadata: { by: "hand" } });
  const after = await made.cloud.run(made.update({ name: "other" }));
  expect(made.stored()).toMatchObject({ name: "other", description: "by hand", metadata: { by: "hand" } });
  expect(after.values).toMatchObject({ name: "other", description: null, metadata: null });
  expect(reads(made, "get_volume")).toBe(1);
  expect(made.cloud.warnings).toHaveLength(1);
});

test("a rename does not restore a description and labels that were removed in the console", async () => {
  const made = await withVolume();
  made.outside({ description: "", metadata: {} });
  await made.cloud.run(made.update({ name: "other" }));
  expect(made.stored()).toMatchObject({ name: "other", description: "", metadata: {} });
});

test.each([
  [{ sizeGb: 30 }, 0],
  [{ volumeType: "ssd" }, 0],
  [{ name: "other", sizeGb: 30, volumeType: "ssd" }, 1],
])("the change %j of a volume reads it %i times before it", async (change, count) => {
  const made = await withVolume();
  made.outside({ description: "by hand" });
  const after = await made.cloud.run(made.update(change));
  expect(reads(made, "get_volume")).toBe(count);
  expect(made.stored()).toMatchObject({ description: "by hand" });
  expect(after.values).toMatchObject({ ...change, description: "mine" });
});

test("labels that a plan does not change keep their values, also those that were added in the console", async () => {
  const made = await withVolume({ metadata: { a: "1", b: "1", c: "1" } });
  made.outside({ metadata: { a: "9", b: "1", d: "9" } });
  const after = await made.cloud.run(made.update({ metadata: { a: "1", b: "2", c: "1" } }));
  expect(made.stored()).toMatchObject({ metadata: { a: "9", b: "2", d: "9" } });
  expect(after.values.metadata).toEqual({ a: "1", b: "2", c: "1" });
});

test("changed default tags do not undo tags of a bucket that were changed in the console", async () => {
  const cloud = openCloud({}, { defaultTags: JSON.stringify({ team: "orders" }) });
  const made = await withObject("bucket", { name: "files", tags: { tier: "gold" } }, "bucket", cloud);
  made.outside({ tags: { team: "orders", tier: "silver", by: "hand" } });
  const session = cloud.reopen({ defaultTags: JSON.stringify({ team: "sales" }) });
  const { inputs } = engine.check(resource("bucket"), { name: "files", tags: { tier: "gold" } });
  const after = await cloud.run(engine.update(session, resource("bucket"), made.state, inputs, cloud.call));
  expect(made.stored()).toMatchObject({ tags: { team: "sales", tier: "silver", by: "hand" } });
  expect(after.values).toMatchObject({ tags: { tier: "gold" }, tagsAll: { team: "sales", tier: "gold" } });
});

test("a changed list of a bucket policy keeps the other one, and the addresses that were removed in the console", async () => {
  const made = await withPart("bucket-policy", {
    readWriteIps: ["192.0.2.1"],
    readOnlyIps: ["192.0.2.2", "192.0.2.3"],
  });
  made.outside({ readWriteIps: [], readOnlyIps: ["192.0.2.3", "192.0.2.9"] });
  const after = await made.cloud.run(made.update({ readOnlyIps: ["192.0.2.2", "192.0.2.3", "192.0.2.4"] }));
  expect(made.stored()).toMatchObject({
    readWriteIps: [],
    readOnlyIps: ["192.0.2.3", "192.0.2.4", "192.0.2.9"],
  });
  expect(after.values).toMatchObject({
    readWriteIps: ["192.0.2.1"],
    readOnlyIps: ["192.0.2.2", "192.0.2.3", "192.0.2.4"],
  });
  expect(reads(made, "get_bucket_policy")).toBeGreaterThan(0);
});

test("a renamed lifecycle rule stays disabled, and without an action that was removed, as in the console", async () => {
  const made = await withPart("lifecycle-rule", { name: "old", expirationDays: 30, noncurrentDays: 7 });
  made.outside({ enabled: false, fields: { name: "old", enabled: true, expiration_days: 30 } });
  const after = await made.cloud.run(made.update({ name: "older" }));
  expect(made.stored()).toMatchObject({ enabled: false, fields: { name: "older", expiration_days: 30 } });
  expect(made.stored().fields).not.toHaveProperty("noncurrent_days");
  expect(after.values).toMatchObject({ name: "older", enabled: true, noncurrentDays: 7 });
});

test("a changed account policy keeps the name that it got in the console", async () => {
  const written = { name: "read", statements: '[{"effect":"allow"}]' };
  const made = await withObject("account-policy", written);
  made.outside({ name: "renamed" });
  await made.cloud.run(made.update({ statements: '[{"effect":"deny"}]' }));
  expect(made.stored()).toMatchObject({ name: "renamed", statements: '[{"effect":"deny"}]' });
});

test("an imported account policy is not changed while its conditions are not known, which a change would remove", async () => {
  const written = { name: "read", statements: '[{"effect":"allow"}]', conditions: '{"ip":"192.0.2.1"}' };
  const made = await withObject("account-policy", written);
  const policy = resource("account-policy");
  const imported = await made.cloud.run(
    engine.import(made.cloud.reopen(), policy, String(made.state.id), made.cloud.call),
  );
  const { inputs } = engine.check(policy, { name: "other", statements: '[{"effect":"allow"}]' });
  const failed = await made.cloud.run(
    failure(engine.update(made.cloud.reopen(), policy, imported, inputs, made.cloud.call)),
  );
  expect(explain(failed)).toEqual({
    summary: 'Changing the account policy "read" failed',
    detail: [
      "The configuration is invalid.",
      "conditions: is not known since the import: the API does not return it, and this change would remove it.",
      "Nothing was changed.",
      "Set conditions first.",
    ].join("\n"),
  });
  expect(made.stored()).toMatchObject({ name: "read", conditions: '{"ip":"192.0.2.1"}' });
  await made.cloud.run(made.update({ name: "other" }, imported));
  expect(made.stored()).toMatchObject({ name: "other", conditions: '{"ip":"192.0.2.1"}' });
});

test("a response that lacks a field is completed by a second one, otherwise by the record", async () => {
  const made = await withVolume();
  made.outside({ description: "by hand", metadata: {} });
  made.cloud.emulator.faults.add({
    target: "get_volume",
    kind: "missing-field",
    field: "description",
    times: 1,
  });
  await made.cloud.run(made.update({ name: "second" }));
  expect(made.stored()).toMatchObject({ name: "second", description: "by hand", metadata: {} });
  await settle(made.cloud);
  made.outside({ description: "mine" });
  made.cloud.emulator.faults.add({ target: "get_volume", kind: "missing-field", field: "description" });
  await made.cloud.run(made.update({ name: "third" }));
  expect(made.stored()).toMatchObject({ name: "third", description: "mine", metadata: {} });
});

test("responses that lack the name of a bucket do not prove that a tag was removed, a complete one does", async () => {
  const made = await withObject("bucket", { name: "files", tags: { tier: "gold" } });
  // Removes the first member of each object.
  made.cloud.emulator.faults.add({ target: "get_bucket", kind: "missing-field", times: 2 });
  const after = await made.cloud.run(made.update({ versioning: true }));
  expect(made.stored()).toMatchObject({ versioning: true, tags: { tier: "gold" } });
  made.cloud.emulator.faults.clear();
  await settle(made.cloud);
  made.outside({ tags: {} });
  await made.cloud.run(made.update({ versioning: false }, after));
  expect(made.stored()).toMatchObject({ versioning: false, tags: {} });
});

test.each(["403", "503", "404"])("an update whose read is answered %s sends nothing", async (kind) => {
  const made = await withVolume();
  made.outside({ description: "by hand" });
  made.cloud.emulator.faults.add({ target: "get_volume", kind });
  const failed = await made.cloud.run(failure(made.update({ name: "other" })));
  expect(failed.existence).toEqual({ is: "nothing changed" });
  expect(kept(failed).values).toMatchObject({ name: "data" });
  expect(requests(made.cloud, "update_volume")).toEqual([]);
  expect(made.stored()).toMatchObject({ name: "data", description: "by hand" });
});

test("until settle_seconds after our own write, recorded values are sent: a read may show what was there before", async () => {
  const made = await withVolume();
  const second = await made.cloud.run(made.update({ description: "second" }));
  made.outside({ description: "mine" });
  const third = await made.cloud.run(made.update({ name: "other", description: "second" }, second));
  expect(made.stored()).toMatchObject({ name: "other", description: "second" });
  expect(made.cloud.warnings).toEqual([]);
  await settle(made.cloud);
  made.outside({ description: "by hand" });
  await made.cloud.run(made.update({ name: "third", description: "second" }, third));
  expect(made.stored()).toMatchObject({ name: "third", description: "by hand" });
});

test("the next attempt after a conflict reads the object again", async () => {
  const made = await withVolume();
  made.cloud.emulator.faults.add({ target: "update_volume", kind: "409", times: 1 });
  await made.cloud.run(made.update({ name: "other" }));
  expect(reads(made, "get_volume")).toBe(2);
});

async function withStoredObject(more: Values = {}) {
  const cloud = openCloud({}, { accessKey: "emulator-access-key", secretKey: "emulator-secret-key" });
  const bucket = await cloud.run(cloud.create("bucket", { name: "files" }));
  const written = {
    bucketId: String(bucket.id),
    key: "a.txt",
    content: "one",
    contentType: "text/plain",
    ...more,
  };
  return withObject("object", written, "object", cloud);
}

test("a changed content keeps the content type that the object got in the console", async () => {
  const made = await withStoredObject();
  made.outside({ contentType: "text/html" });
  const after = await made.cloud.run(made.update({ content: "two" }));
  expect(made.stored()).toMatchObject({ contentType: "text/html", size: 3 });
  expect(after.values).toMatchObject({ contentType: "text/plain" });
});

test("a changed content type does not upload over a content that was uploaded outside", async () => {
  const made = await withStoredObject();
  made.outside({ etag: "0123456789abcdef0123456789abcdef", size: 9 });
  const failed = await made.cloud.run(failure(made.update({ contentType: "text/html" })));
  expect(explain(failed)).toEqual({
    summary: 'Changing the object "a.txt" failed',
    detail: [
      "The object was changed or replaced outside of Terraform or OpenTofu after it was last read.",
      "Nothing was changed.",
      "Run terraform apply -refresh-only (or tofu apply -refresh-only), then run again.",
    ].join("\n"),
  });
  expect(made.stored()).toMatchObject({ contentType: "text/plain", size: 9 });
});

test("an object with a new key and a new content is renamed and then written once", async () => {
  const made = await withStoredObject();
  const after = await made.cloud.run(made.update({ key: "b.txt", content: "two" }));
  expect(after.id).toBe("b.txt");
  expect(live(made.cloud, "object").map(({ name }) => name)).toEqual(["b.txt"]);
});

test("a volume grows although its description was changed in the console", async () => {
  const made = await withVolume();
  made.outside({ description: "by hand" });
  const after = await made.cloud.run(made.update({ sizeGb: 30 }));
  expect(after.values).toMatchObject({ sizeGb: 30, description: "mine" });
});

test("after a rename whose upload failed, the state has the object under its new key", async () => {
  const made = await withStoredObject();
  made.cloud.emulator.faults.add({ target: "upload_object", kind: "422" });
  const failed = await made.cloud.run(failure(made.update({ key: "b.txt", content: "two" })));
  expect(kept(failed)).toMatchObject({ id: "b.txt", values: { key: "b.txt" } });
  expect(live(made.cloud, "object").map(({ name }) => name)).toEqual(["b.txt"]);
});

test("groups of a port that were added in the console stay when the list of the port or of its instance changes", async () => {
  const { cloud, vpcId, create, written } = await openNetwork();
  const made = await cloud.run(create());
  const group = async (name: string) =>
    String((await cloud.run(cloud.create("security-group", { vpcId, name }))).id);
  const [outside, added, more] = [await group("outside"), await group("added"), await group("more")];
  const [own] = written.securityGroups as string[];
  const portId = String(made.values.portId);
  const groupsOf = () => live(cloud, "port").find(({ krn }) => krn === portId)?.uses;
  const setOutside = (securityGroups: readonly (string | undefined)[]) =>
    cloud.emulator.inventory.change(portId, { uses: securityGroups });
  await settle(cloud);
  setOutside([own, outside]);
  const changed = engine.check(resource("instance"), {
    ...written,
    securityGroups: [own ?? "", added],
  }).inputs;
  await cloud.run(engine.update(cloud.reopen(), resource("instance"), made, changed, cloud.call));
  expect(groupsOf()?.toSorted()).toEqual([own, outside, added].toSorted());
  const list = await cloud.run(cloud.create("port-security-groups", { portId, securityGroups: [added] }));
  await settle(cloud);
  setOutside([added, outside]);
  const inputs = engine.check(resource("port-security-groups"), { portId, securityGroups: [more] }).inputs;
  await cloud.run(engine.update(cloud.reopen(), resource("port-security-groups"), list, inputs, cloud.call));
  expect(groupsOf()?.toSorted()).toEqual([outside, more].toSorted());
  expect(
    cloud.warnings.filter(({ summary }) => inWordsOf("terraform", summary).endsWith("the change was kept")),
  ).toHaveLength(2);
});
