import { expect, test } from "@jest/globals";
import { objectsIn, openObjects } from "../../../mcp/object/object.ts";
import type { Call } from "../../../mcp/tool/tool.ts";
import { effectOf } from "../../../operation/operation.ts";
import { allOperations } from "../../../operation/operations.ts";
import { readOnly } from "../../../provider/engine/engine.ts";
import { openAccount } from "../../account/account.ts";
import { openCloud } from "../../support/cloud.ts";

const account = await openAccount();
const { cloud } = account;
const objects = objectsIn(readOnly(cloud.session), ["emulator-key"]);
const reports: string[] = [];
const call: Call = {
  ...{ signal: new AbortController().signal, canAsk: false, answer: undefined },
  report: (message) => void reports.push(message),
  log: () => {},
};
// biome-ignore lint/suspicious/noExplicitAny: the content differs by the kind.
const data = async (work: Promise<object>): Promise<any> => {
  const found = (await cloud.run(work)) as { data?: object; error?: string };
  if (found.data === undefined) throw new Error(found.error);
  return found.data;
};
const error = async (work: Promise<object>) => ((await cloud.run(work)) as { error?: string }).error;
const list = (kind: string, attributes = {}, more = {}) =>
  objects.list({ kind, attributes, limit: undefined, cursor: undefined, ...more }, call);

const { objects: vpcs } = await data(list("vpc"));
const shop = vpcs.find(({ name }: { name: string }) => name === "shop").id;

test("objects of a kind are listed, filtered and read by their id or by attributes", async () => {
  expect(vpcs.map(({ name }: { name: string }) => name).toSorted()).toEqual(["lab", "shop"]);
  const orders = await data(list("volume", { vpc_id: shop, size_gb: 20 }));
  expect(orders).toMatchObject({ kind: "volume", region: "In-Bangalore-1", count: 1 });
  const [{ id }] = orders.objects;
  const byId = await data(objects.get({ kind: "volume", attributes: { vpc_id: shop, id } }, call));
  expect(byId.object).toMatchObject({ id, size_gb: 20, metadata: { team: "orders" } });
  const bySize = await data(objects.get({ kind: "volume", attributes: { vpcId: shop, sizeGb: 20 } }, call));
  expect(bySize.object.id).toBe(id);
});

test("a list is read in pages from the same answer, also after an object was created", async () => {
  const first = await data(list("volume", { vpc_id: shop }, { limit: 2 }));
  expect(first.objects).toHaveLength(2);
  await cloud.run(cloud.create("volume", { vpcId: shop, name: "late", sizeGb: 1, volumeType: "ssd" }));
  const next = await data(list("volume", {}, { limit: 200, cursor: first.next_cursor }));
  expect([next.count, next.objects.length, next.next_cursor]).toEqual([
    first.count,
    first.count - 2,
    undefined,
  ]);
  const ids = [...first.objects, ...next.objects].map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(first.count);
  for (const cursor of ["x", "00000000-0000-4000-8000-000000000000.2"])
    expect(await error(list("volume", {}, { cursor }))).toMatch(/^The cursor is not valid/);
});

test("the whole account is listed, with the parts that the API does not list", async () => {
  const request = { kinds: [], vpcs: [], names: [], tags: [], limit: 200, cursor: undefined };
  const all = await data(objects.account(request, call));
  expect(all.count).toBeGreaterThan(25);
  expect(all.not_read).toContainEqual({
    kind: "ai-pod",
    reason: "no route of the API lists AI pods",
    may_lack_objects: false,
  });
  expect(reports.at(-1)).toMatch(/^\d+ of \d+ listings, \d+ objects$/);
  const kinds = new Set();
  for (const { kind, name: _, region: __, ...attributes } of all.objects) {
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    const { object } = await data(objects.get({ kind, attributes }, call));
    expect([kind, object.id]).toEqual([kind, attributes.id]);
  }
  const tagged = await data(objects.account({ ...request, kinds: ["instance"], tags: ["stage=live"] }, call));
  expect(tagged.objects).toMatchObject([{ kind: "instance", name: "web", vpc_id: shop }]);
  expect(await error(objects.account({ ...request, vpcs: ["none"] }, call))).toMatch(/^No VPC has the name/);
});

test("secrets of objects are in no result", async () => {
  const web = await data(objects.get({ kind: "instance", attributes: { vpc_id: shop, name: "web" } }, call));
  expect(JSON.stringify(web)).not.toContain("secret-user-data");
});

test("only reads are sent", async () => {
  cloud.emulator.log.clear();
  const all = { kinds: [], vpcs: [], names: [], tags: [], limit: 200, cursor: undefined };
  await data(objects.account(all, call));
  const [bucket] = (await data(list("bucket"))).objects;
  expect(await error(list("object", { bucket_id: bucket.id }))).toContain(
    "with --allow-writes, or use kcloud call",
  );
  const sent = new Set(cloud.emulator.log.entries().map(({ operation }) => operation));
  const effects = new Map(allOperations().map(({ name, operation }) => [name, effectOf(operation)]));
  expect(sent.size).toBeGreaterThan(10);
  expect([...sent].filter((name) => effects.get(name ?? "") !== "reads")).toEqual([]);
});

test("problems of attributes and of the kind are errors with what to do", async () => {
  expect(await error(list("volume", { vpcid: shop }))).toMatch(
    /^unknown attribute "vpcid"; did you mean "vpc_id"\?\nmissing: vpc_id\n/,
  );
  expect(await error(list("volume", { vpc_id: shop, size_gb: "many" }))).toMatch(/size_gb/);
  expect(await error(objects.get({ kind: "ai-pod", attributes: { nme: "x" } }, call))).toMatch(
    /^unknown attribute "nme"\nmissing: id/,
  );
  expect(await error(objects.get({ kind: "vpc", attributes: { name: "none" } }, call))).toMatch(
    /^Invalid value for name: name: no VPC has this name\. Existing VPCs: shop \(/,
  );
});

test("a key that the API rejects is a clear error, and missing settings are one before any request", async () => {
  const other = openCloud({}, { apiKey: "wrong-key-of-nobody" });
  const found = await other.run(
    objectsIn(readOnly(other.session), ["wrong-key-of-nobody"]).list(
      { kind: "vpc", attributes: {}, limit: undefined, cursor: undefined },
      call,
    ),
  );
  expect(found).toEqual({
    error: expect.stringMatching(
      /^Looking up the VPCs failed: The API rejected the API key\.\n.*\(status 401, .*\n.*\nSet a valid api_key/,
    ),
  });
  expect(JSON.stringify(found)).not.toContain("wrong-key-of-nobody");
  expect(openObjects({ baseUrl: "https://cloud.example" })).toEqual({
    problem: expect.stringMatching(/^Missing api_key: api_key: the API key is missing/),
  });
});

test("a call that is cancelled sends no further request", async () => {
  const left = new AbortController();
  left.abort();
  const before = cloud.emulator.log.entries().length;
  const found = await cloud.run(
    objects.list(
      { kind: "instance-type", attributes: {}, limit: undefined, cursor: undefined },
      { ...call, signal: left.signal },
    ),
  );
  expect(found).toEqual({ error: expect.any(String) });
  expect(cloud.emulator.log.entries().length).toBe(before);
});
