import { describe, expect, test } from "@jest/globals";
import { contradictingFields, danglingReferences, otherParent } from "../../account/contradiction.ts";
import { incompleteBlocks, projectOf } from "../../account/export/project.ts";
import type { Gap } from "../../account/object.ts";
import { inWordsOf } from "../../provider/core/wording.ts";
import { readOnly } from "../../provider/engine/engine.ts";
import type { Reply, Transport } from "../../provider/platform/ports.ts";
import { openCloud, resource } from "../support/cloud.ts";
import { createStack, read, shop } from "./account.ts";

const described = (gaps: readonly Gap[]) =>
  gaps
    .filter(({ isIncomplete }) => isIncomplete)
    .map(({ kind, scope, reason }) => `${kind} ${scope}: ${inWordsOf("terraform", reason)}`);

/** Response to a listing; a read has one row without a list. */
type Rows = readonly Readonly<Record<string, unknown>>[];

/** Opens the shop, whose responses `change` rewrites. `raw` sends a request past it. */
async function openChanged(
  change: (path: string, json: Rows, raw: (path: string, headers?: object) => Promise<unknown>) => unknown,
) {
  let isOn = false;
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal): Promise<Reply> {
      const reply = await transport.send(request, signal);
      const url = new URL(request.url);
      if (!isOn || reply.kind !== "answer" || request.method !== "GET") return reply;
      const raw = async (path: string, headers = {}) => {
        const again = await transport.send(
          { ...request, url: new URL(path, url).href, headers: { ...request.headers, ...headers } },
          signal,
        );
        return JSON.parse(again.kind === "answer" ? again.body : "[]");
      };
      const changed = await change(
        `${url.pathname}${url.search} ${request.headers["K-Tenant-ID"] ?? ""}`,
        JSON.parse(reply.body),
        raw,
      );
      return changed === undefined ? reply : { ...reply, body: JSON.stringify(changed) };
    },
  });
  const cloud = openCloud({}, { user: "ana" }, { wrap });
  const states = await createStack(cloud, shop);
  isOn = true;
  const id = (name: string) => String(states.get(name)?.id);
  return { id, inventory: () => read(cloud, {}, cloud.reopen()), session: () => readOnly(cloud.reopen()) };
}

describe("a row that belongs to another VPC is left out, and the inventory is incomplete:", () => {
  test("an instance that states its VPC", async () => {
    const { id, inventory } = await openChanged(async (path, _, raw) =>
      path.includes("search_instances") && path.includes(encodeURIComponent(id("lab")))
        ? raw(path.replace(encodeURIComponent(id("lab")), encodeURIComponent(id("shop"))).trim())
        : undefined,
    );
    const { objects, gaps } = await inventory();
    expect(described(gaps)).toContainEqual(
      `instance web: the listing of "lab" shows it, but it belongs to ${id("shop")}`,
    );
    expect(objects.filter(({ name }) => name === "web").map(({ parents }) => parents)).toEqual([
      { vpcId: id("shop") },
    ]);
  });

  test("a volume, and the attachments on it, that state none", async () => {
    const { id, inventory } = await openChanged(async (path, _, raw) =>
      path.startsWith("/kbs/v1/volumes ") && path.includes(id("lab"))
        ? raw("/kbs/v1/volumes", { "K-Tenant-ID": id("shop") })
        : undefined,
    );
    const { objects, gaps } = await inventory();
    expect(described(gaps)).toContainEqual("volume orders: the listings of several VPCs show it");
    expect(described(gaps).filter((gap) => gap.startsWith("volume-attachment "))).not.toEqual([]);
    const left = objects.filter(({ resource: { name } }) => /^volume/.test(name));
    expect(left.map(({ resource: { name }, parents: { vpcId } }) => [name, vpcId])).toEqual([
      ["volume-attachment", id("shop")],
    ]);
  });

  test("an attachment to an instance of another VPC", async () => {
    const { id, inventory } = await openChanged((path, json) =>
      path.startsWith("/kbs/v1/volumes ") && path.includes(id("lab"))
        ? json.map((row) => ({
            ...row,
            attachments: [{ instance_id: id("web"), remote_attachment_id: "other", device: "/dev/vdc" }],
          }))
        : undefined,
    );
    const { objects, gaps } = await inventory();
    expect(described(gaps)).toContainEqual("volume-attachment other: its instance_id is in another VPC");
    expect(objects.filter(({ resource: { name } }) => name === "volume-attachment")).toHaveLength(1);
  });
});

test("a listing that shows other values than a read of the object makes the inventory incomplete, with two reads each of two objects of the kind", async () => {
  let reads = 0;
  const { inventory } = await openChanged((path, json) => {
    if (/^\/kbs\/v1\/volumes\/krn/.test(path)) reads += 1;
    return path.startsWith("/kbs/v1/volumes ")
      ? json.map((row) => ({ ...row, size: 77, Size: 77 }))
      : undefined;
  });
  const { gaps } = await inventory();
  expect(described(gaps).map((gap) => gap.replace(/^volume .*?: /, ""))).toEqual([
    "the listing and a read show different size_gb, so the listing may be wrong for other objects, too",
    "the listing and a read show different size_gb, so the listing may be wrong for other objects, too",
  ]);
  // Two reads each of the first and the last volume, and one of the attachment, which the volume shows.
  expect(reads).toBe(5);
});

test("an object that changed between its listing and its read is no contradiction", async () => {
  let listings = 0;
  const { inventory } = await openChanged((path, json) => {
    if (!path.startsWith("/kbs/v1/volumes ") || !Array.isArray(json)) return undefined;
    listings += 1;
    return listings <= 2 ? json.map((row) => ({ ...row, size: 77, Size: 77 })) : undefined;
  });
  expect(described((await inventory()).gaps)).toEqual([]);
});

test.each<[string, (path: string, json: Rows) => unknown, RegExp]>([
  [
    "a row that is no object",
    (path, json) => (path.startsWith("/kbs/v1/volumes ") ? [...json, "volume"] : undefined),
    /^volume \w+: looking for every volume failed: .*unexpected format/,
  ],
  [
    "a row without an ID",
    (path, json) =>
      path.startsWith("/kbs/v1/volumes ") ? json.map(({ id: _, krn: __, ...row }) => row) : undefined,
    /^volume .*: its ID must not be empty|^volume-attachment .*: the response lacks its volume_id$/,
  ],
  [
    "rows without a value that each of them has",
    (path, json) =>
      path.startsWith("/kbs/v1/volumes")
        ? JSON.parse(JSON.stringify(json, (key, value) => (/^size$/i.test(key) ? undefined : value)))
        : undefined,
    /^volume .*: the response lacks size_gb$/,
  ],
])("%s makes the export incomplete", async (_, change, expected) => {
  const { inventory, session } = await openChanged(change);
  const { objects, gaps } = await inventory();
  const incomplete = [...gaps, ...incompleteBlocks(projectOf(session(), objects))];
  expect(described(incomplete)).toContainEqual(expect.stringMatching(expected));
});

test("a parent, a reference and a value are compared by their meaning", () => {
  const [a, b] = ["krn:vpc:r:a:c:vpc:00000000-0000-4000-8000-00000000000A", "krn:vpc:r:a:c:vpc:b"];
  expect([
    otherParent({ vpcId: a }, { vpcId: a.toLowerCase() }),
    otherParent({ vpcId: a }, { vpcId: b }),
    otherParent({ vpcId: a }, {}),
    otherParent({ vpcId: a }, { vpcId: "krn:vpc:r:a:***:vpc:00000000-0000-4000-8000-00000000000a" }),
  ]).toEqual([undefined, b, undefined, undefined]);
  expect(danglingReferences([], new Set(["vpc"]), [])).toEqual([]);
  const volume = { vpcId: a, name: "data", sizeGb: 1, volumeType: "ssd", status: "available" };
  expect(contradictingFields(resource("volume"), volume, { ...volume, status: "in-use" })).toEqual([]);
  expect(contradictingFields(resource("volume"), volume, { ...volume, sizeGb: 2 })).toEqual(["sizeGb"]);
});
