import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { engine } from "../../provider/engine/engine.ts";
import { type Cloud, failure, live, openCloud, requests, resource } from "../support/cloud.ts";
import { md5, openBucket, stored } from "../support/object-world.ts";

/** First requests to an object whose id the user or a parent determines: it may be another one than the recorded one. */

/** Stores other content under the key of the only object, as somebody else does. */
function overwrite(cloud: Cloud): void {
  const [row] = live(cloud, "object");
  cloud.emulator.inventory.change(row?.krn ?? "", { etag: md5("strange"), size: 7 });
}

/** Returns the text of a failed operation, as Terraform shows it. */
const refusal = async (work: Promise<unknown>): Promise<string> =>
  inWordsOf("terraform", explain(await failure(work)).detail);

const changed = [
  "The object was changed or replaced outside of Terraform or OpenTofu after it was last read.",
  "Nothing was changed.",
  "Run terraform apply -refresh-only (or tofu apply -refresh-only), then run again.",
].join("\n");

test("an object with other content than the recorded one is neither overwritten, renamed nor deleted", async () => {
  const { cloud, create, update, remove } = await openBucket();
  const state = await create({ content: "one" });
  overwrite(cloud);
  const uploads = requests(cloud, "upload_object").length;
  expect(await refusal(update(state, { content: "two" }))).toBe(changed);
  expect(await refusal(update(state, { content: "one", contentType: "text/html" }))).toBe(changed);
  expect(await refusal(update(state, { content: "one", key: "b" }))).toBe(changed);
  expect(await refusal(remove(state))).toBe(changed);
  expect(requests(cloud, "upload_object")).toHaveLength(uploads);
  expect([...requests(cloud, "rename_object"), ...requests(cloud, "delete_object")]).toEqual([]);
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("strange")]]);
});

test("after a refresh, the plan shows the changed content, and the object is overwritten or deleted", async () => {
  const { cloud, create, read, update, remove } = await openBucket();
  const state = await create({ content: "one" });
  overwrite(cloud);
  const seen = (await read(state)) as ResourceState;
  const mended = await update(seen, { content: "two" });
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("two")]]);
  overwrite(cloud);
  await remove((await read(mended)) as ResourceState);
  expect(stored(cloud)).toEqual([]);
});

test("an object whose create did not finish has no recorded etag, and is deleted", async () => {
  const { cloud, create, remove } = await openBucket();
  const state = await create({ content: "one" });
  overwrite(cloud);
  await remove({ ...state, values: { ...state.values, etag: null } });
  expect(stored(cloud)).toEqual([]);
});

test("a response without the etag is read once more before a delete", async () => {
  const { cloud, create, remove } = await openBucket();
  const state = await create({ content: "one" });
  cloud.emulator.faults.add({
    target: "get_object_metadata",
    kind: "missing-field",
    field: "etag",
    times: 1,
  });
  await remove(state);
  expect(stored(cloud)).toEqual([]);
});

test("one response that does not find an object is no permission to rename or delete it", async () => {
  const { cloud, create, update, remove } = await openBucket();
  const state = await create({ content: "one" });
  overwrite(cloud);
  const miss = () => cloud.emulator.faults.add({ target: "get_object_metadata", kind: "404", times: 1 });
  miss();
  expect(await refusal(update(state, { content: "one", key: "b" }))).toBe(changed);
  miss();
  expect(await refusal(remove(state))).toBe(changed);
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("strange")]]);
});

test("a rename of an object that no read shows records no etag of other content, which the next plan shows", async () => {
  const { cloud, create, read, update, plan } = await openBucket();
  const state = await create({ content: "one" });
  overwrite(cloud);
  cloud.emulator.faults.add({ target: "get_object_metadata", kind: "404", times: 2 });
  const renamed = await update(state, { content: "one", key: "b" });
  expect(renamed.values.etag).toBe(md5("one"));
  const seen = (await read(renamed)) as ResourceState;
  const { changes } = plan(seen, { content: "one", key: "b" });
  expect(changes.map(({ path, recordOnly }) => [path, recordOnly ?? false])).toEqual([[["checksum"], false]]);
});

test("the policy of a bucket is not deleted if it is a later one than the recorded one", async () => {
  const cloud = openCloud();
  const bucket = await cloud.run(cloud.create("bucket", { name: "data" }));
  const written = { bucketId: String(bucket.id), readOnlyIps: ["10.0.0.0/16"] };
  const old = await cloud.run(cloud.create("bucket-policy", written));
  await cloud.run(engine.delete(cloud.session, resource("bucket-policy"), old, cloud.call));
  const later = cloud.reopen();
  const policy = await cloud.run(
    engine.create(
      later,
      resource("bucket-policy"),
      engine.check(resource("bucket-policy"), written).inputs,
      cloud.call,
    ),
  );
  const session = cloud.reopen();
  const text = await refusal(cloud.run(engine.delete(session, resource("bucket-policy"), old, cloud.call)));
  expect(text).toContain("was changed or replaced outside of Terraform or OpenTofu after it was last read");
  expect(live(cloud, "bucket_policy").map(({ krn }) => krn)).toEqual([policy.values.policyKrn]);
});
