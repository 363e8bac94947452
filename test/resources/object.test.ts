import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import { UNKNOWN } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import type { Session } from "../../provider/engine/session.ts";
import { failure, live, requests, settle } from "../support/cloud.ts";
import { folder, md5, object, openBucket, sha256, stored } from "../support/object-world.ts";

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  { uploadShape: "pre-signed" },
  { uploadShape: "pre-signed", uploadAddressName: "url", objectListShape: "array" },
  { uploadShape: "multipart", objectListDepth: "all" },
  { objectEtag: "quoted", sessionHeader: "optional" },
  { objectEtag: "opaque" },
] as const)("an object is created, read, changed in place and deleted: %j", async (assume) => {
  const { cloud, bucketId, create, read, plan, update, remove } = await openBucket({ assume });
  const state = await create({ content: "hello", contentType: "text/plain" });
  expect(state.id).toBe("notes/a.txt");
  expect(state.values).toMatchObject({
    bucketId,
    key: "notes/a.txt",
    content: "hello",
    checksum: sha256("hello"),
    contentType: "text/plain",
    sizeBytes: 5,
  });
  expect(await read(state)).toEqual(state);
  expect(plan(state, { content: "hello", contentType: "text/plain" }).action).toBe("none");
  expect(plan(state, { content: "other" }).changes.map(({ path, effect }) => [path[0], effect])).toEqual([
    ["content", "update"],
    ["checksum", "update"],
  ]);
  const changed = await update(state, { contentBase64: Buffer.from("other").toString("base64") });
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("other")]]);
  expect(await read(changed)).toEqual(changed);
  await remove(changed);
  expect(stored(cloud)).toEqual([]);
  expect(cloud.warnings).toEqual([]);
});

test("a file is uploaded, its path and checksum are stored, and a changed file is one update", async () => {
  const { cloud, create, read, plan, update } = await openBucket();
  const source = join(folder, "app.bin");
  writeFileSync(source, "first");
  const state = await create({ source });
  expect(state.values).toMatchObject({
    source,
    checksum: sha256("first"),
    content: null,
    contentBase64: null,
  });
  expect(plan(state, { source }).action).toBe("none");
  writeFileSync(source, "second");
  expect(plan(state, { source }).changes).toEqual([
    { path: ["checksum"], before: sha256("first"), after: UNKNOWN, effect: "update" },
  ]);
  const changed = await update(state, { source });
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("second")]]);
  expect(await read(changed)).toEqual(changed);
  const moved = join(folder, "moved.bin");
  writeFileSync(moved, "second");
  const before = requests(cloud, "upload_object").length;
  expect((await update(changed, { source: moved })).values).toMatchObject({ source: moved });
  expect(requests(cloud, "upload_object")).toHaveLength(before);
});

test("a change of the key renames in place, even with a lost response", async () => {
  const { cloud, create, read, plan, update, remove } = await openBucket();
  const state = await create({ content: "hello" });
  const renamed = { content: "hello", key: "notes/b.txt" };
  expect(plan(state, renamed)).toMatchObject({ action: "update" });
  cloud.emulator.faults.add({ target: "rename_object", kind: "reset", when: "after", times: 1 });
  const after = await update(state, renamed);
  expect(after.id).toBe("notes/b.txt");
  expect(stored(cloud)).toEqual([["notes/b.txt", md5("hello")]]);
  expect(requests(cloud, "upload_object")).toHaveLength(1);
  // An engine may keep the id of the create, so the old id has to work too.
  expect(await read({ ...after, id: "notes/a.txt" })).toEqual(after);
  await remove({ ...after, id: "notes/a.txt" });
  expect(stored(cloud)).toEqual([]);
});

test("a renamed object that a gateway does not find stays in the state while listings may not show its new key", async () => {
  const { cloud, create, update, read } = await openBucket();
  const state = await create({ content: "hello" });
  await settle(cloud);
  cloud.emulator.configure({ listingLagMs: 60_000 });
  const renamed = await update(state, { content: "hello", key: "notes/b.txt" });
  cloud.emulator.faults.add({ target: "get_object_metadata", kind: "404", times: 8 });
  expect((await read(renamed))?.values).toEqual(renamed.values);
});

/** Renames with an unclear response, while somebody else stores other content of the same size under the new key. */
async function renameBesides(objectEtag: "md5" | "opaque") {
  const { cloud, create, update } = await openBucket({ assume: { objectEtag } });
  const state = await create({ content: "hello" });
  cloud.emulator.faults.add({ target: "rename_object", kind: "reset", when: "before", times: 1 });
  const renamed = failure(update(state, { content: "hello", key: "b" }));
  await create({ content: "mine!", key: "b" });
  const { detail } = explain(await renamed);
  expect(stored(cloud)).toEqual([
    ["notes/a.txt", md5("hello")],
    ["b", md5("mine!")],
  ]);
  return detail;
}

test("after a rename with an unclear response, an object of other content is not taken for the renamed one", async () => {
  expect(await renameBesides("md5")).toContain("key: b is the key of another object of the bucket");
});

test("if etags do not identify the content, a rename does not replace an object of the same size", async () => {
  expect(await renameBesides("opaque")).toContain(
    "key: b is the key of an object of the same size as notes/a.txt, and their etags do not tell whether it is a copy of it: delete one of the two, or choose another key",
  );
});

test("an existing object is not overwritten, and is adopted on request if it is equal", async () => {
  const { cloud, create } = await openBucket();
  await create({ content: "hello" });
  const found = await failure(create({ content: "other" }));
  expect(found.step).toBe("an object with this key already exists");
  const again = { ...cloud, session: cloud.reopen({ adoptExisting: true }) };
  const adopt = (content: string) =>
    cloud.run(
      engine.create(
        again.session,
        object,
        engine.check(object, { bucketId: String(live(cloud, "bucket")[0]?.krn), key: "notes/a.txt", content })
          .inputs,
        cloud.call,
      ),
    );
  expect((await failure(adopt("other"))).step).toBe(
    "an object with this key already exists with different checksum",
  );
  expect((await adopt("hello")).id).toBe("notes/a.txt");
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("hello")]]);
});

test("equal keys of two buckets are two objects, of which a run adopts one and deletes the other", async () => {
  const { cloud, create } = await openBucket();
  const old = await create({ content: "hello" });
  const { id } = await cloud.run(cloud.create("bucket", { name: "other" }));
  const session = cloud.reopen({ adoptExisting: true });
  const make = (session: Session) => {
    const written = { bucketId: String(id), key: "notes/a.txt", content: "hello" };
    return cloud.run(engine.create(session, object, engine.check(object, written).inputs, cloud.call));
  };
  await make(cloud.session);
  const adopted = await make(session);
  await cloud.run(engine.delete(session, object, old, cloud.call));
  expect(live(cloud, "object").map(({ parents }) => parents[0])).toEqual([adopted.values.bucketId]);
});

test("an object changed or deleted outside the engine is in the next plan", async () => {
  const { cloud, create, read, plan, update } = await openBucket();
  const state = await create({ content: "hello" });
  const [row] = live(cloud, "object");
  cloud.emulator.inventory.change(row?.krn ?? "", { etag: md5("strange") });
  const seen = await read(state);
  if (seen === undefined) throw new Error("it is there");
  expect(plan(seen, { content: "hello" }).changes.map(({ path }) => path[0])).toEqual(["checksum"]);
  const mended = await update(seen, { content: "hello" });
  expect(stored(cloud)).toEqual([["notes/a.txt", md5("hello")]]);
  cloud.emulator.inventory.remove(row?.krn ?? "");
  await settle(cloud);
  expect(await read(mended)).toBeUndefined();
});

test("an import accepts any characters in the key, and the first update sends no content", async () => {
  const { cloud, bucketId, create, take, plan, update } = await openBucket();
  await create({ content: "hello", key: "a, b/c d.txt" });
  const state = await take(`${bucketId},a, b/c d.txt`);
  expect(state.id).toBe("a, b/c d.txt");
  const wanted = { content: "hello", key: "a, b/c d.txt" };
  expect(plan(state, wanted).action).toBe("update");
  const before = requests(cloud, "upload_object").length;
  const known = await update(state, wanted);
  expect(requests(cloud, "upload_object")).toHaveLength(before);
  expect(plan(known, wanted).action).toBe("none");
  expect((await take(`In-Bangalore-1,${bucketId},a, b/c d.txt`)).id).toBe("a, b/c d.txt");
});

/** Changes of a plan, each with "recorded" for one that sends nothing, and the computed values that the plan keeps. */
const plannedImport = (
  { changes, values }: ReturnType<typeof engine.plan>,
  { values: imported }: ResourceState,
) => ({
  changes: changes.map(({ path, recordOnly }) => [path.join("."), recordOnly ? "recorded" : "sent"]),
  kept: ["etag", "lastModified", "sizeBytes", "storageClass"].filter(
    (name) => imported[name] !== null && values[name] === imported[name],
  ),
});

test("the plan after an import keeps the computed values if the etag proves the configured content, and only then", async () => {
  const { bucketId, create, take, plan } = await openBucket();
  await create({ content: "hello" });
  const state = await take(`${bucketId},notes/a.txt`);
  const kept = ["etag", "lastModified", "sizeBytes", "storageClass"];
  const recorded = (form: string) => [
    [form, "recorded"],
    ["checksum", "recorded"],
  ];
  expect(plannedImport(plan(state, { content: "hello" }), state)).toEqual({
    changes: recorded("content"),
    kept,
  });
  const contentBase64 = Buffer.from("hello").toString("base64");
  expect(plannedImport(plan(state, { contentBase64 }), state)).toEqual({
    changes: recorded("contentBase64"),
    kept,
  });
  expect(plannedImport(plan(state, { content: "other" }), state)).toEqual({
    changes: [
      ["content", "recorded"],
      ["checksum", "sent"],
    ],
    kept: [],
  });
  // The same apply may write the file before the update reads it.
  const source = join(folder, "imported.bin");
  writeFileSync(source, "hello");
  expect(plannedImport(plan(state, { source }), state)).toEqual({ changes: recorded("source"), kept: [] });
  writeFileSync(source, "other");
  expect(plannedImport(plan(state, { source }), state).changes).toContainEqual(["checksum", "sent"]);
});

test("an etag that is no digest of the content proves nothing, so that an update after an import sends the content", async () => {
  const { cloud, bucketId, create, take, plan, update } = await openBucket({
    assume: { objectEtag: "opaque" },
  });
  await create({ content: "hello" });
  const state = await take(`${bucketId},notes/a.txt`);
  expect(plannedImport(plan(state, { content: "hello" }), state)).toMatchObject({ kept: [] });
  const before = requests(cloud, "upload_object").length;
  expect((await update(state, { content: "hello" })).values.checksum).toBe(sha256("hello"));
  expect(requests(cloud, "upload_object")).toHaveLength(before + 1);
});

test("the objects of a bucket are listed with those in its folders", async () => {
  const { cloud, bucketId, create } = await openBucket();
  for (const key of ["a", "b/one", "b/c/two"]) await create({ content: "x", key });
  const listed = await cloud.run(engine.list(cloud.session, object, { bucketId }, cloud.call));
  expect(listed.map(({ id }) => id).toSorted()).toEqual(["a", "b/c/two", "b/one"]);
});

test("a media type that is no longer configured stays when other content is sent", async () => {
  const { create, update, plan } = await openBucket();
  const state = await create({ content: "one", contentType: "text/plain" });
  expect(plan(state, { content: "two" }).values.contentType).toBe("text/plain");
  expect((await update(state, { content: "two" })).values.contentType).toBe("text/plain");
});
