import { expect, test } from "@jest/globals";
import { formats } from "../../account/command/format.ts";
import { projectOf } from "../../account/export/project.ts";
import { type Inventory, InventoryError } from "../../account/inventory.ts";
import type { Emulator } from "../../emulator/emulator.ts";
import { comparable } from "../../provider/core/krn.ts";
import { readOnly } from "../../provider/engine/engine.ts";
import type { Transport } from "../../provider/platform/ports.ts";
import { createDraw, type Draw } from "../simulation/draw.ts";
import { read } from "./account.ts";
import { drawAccount, drawName, renameObjects } from "./drawn.ts";

/**
 * Drawn accounts under which a listing is wrong or changes while it is read. The result is complete, or names what it lacks, or is
 * an error; and every request is a read.
 */

const count = Number(process.env.KCLOUD_ACCOUNTS ?? 12);
const first = Number(process.env.KCLOUD_ACCOUNT_SEED ?? Math.floor(Date.now() / 1000) % 100_000);
const seeds = Array.from({ length: count }, (_, index) => String(first + index));

/** Pages with few rows, so that a drawn account has several. */
const smallPages = {
  portPageMax: 2,
  groupPageMax: 2,
  instancePageMax: 2,
  templatePageMax: 2,
  bucketPageMax: 2,
  equalNames: true,
} as const;

/** Makes the work of some objects fail, or never end. */
function breakWork({ inventory }: Emulator, draw: Draw): void {
  const kinds = ["security_group", "volume", "instance", "port", "template", "image"];
  for (const { kind, krn, work } of inventory.list()) {
    if (!kinds.includes(kind) || !draw.chance(0.2)) continue;
    const half = draw.pick([{ failure: "no space" }, { endsAt: Number.MAX_SAFE_INTEGER }]);
    inventory.change(krn, { work: { ...work, ...half } });
  }
}

const faultKinds = [
  ...["foreign-row", "repeated-row", "doubled-row", "missing-row", "empty-list", "moved-rows", "masked-ids"],
  ...["503", "403", "html-200", "cut-json", "no-content", "empty-200"],
];

const listings = [
  ...["get_vpc_list", "list_volumes", "list_security_groups", "search_port", "list_floating_ips"],
  ...[
    "search_instances",
    "list_templates",
    "list_images",
    "list_buckets",
    "list_access_keys",
    "search_subnet",
  ],
];

/** Adds faults to some listings: rows of others, rows twice, refusals and responses that are no listing. */
function addFaults({ faults }: Emulator, draw: Draw): string[] {
  return Array.from({ length: draw.int(0, 2) }, () => {
    const fault = { target: draw.pick(listings), kind: draw.pick(faultKinds), from: draw.int(1, 3) };
    faults.add(fault);
    return `${fault.target}#${fault.from}+=${fault.kind}`;
  });
}

/** Kinds of the emulator by a part of the path of their listing, for the listings that have pages. */
const paged: Readonly<Record<string, string>> = {
  search_port: "port",
  search_instances: "instance",
  instance_template: "template",
  buckets: "bucket",
  securityGroup: "security_group",
  images: "image",
};

/**
 * Deletes an object, or creates one, as another person does at the same time: often one of those that the listing at the path has
 * shown, so that its next page begins with another row. Returns a description.
 */
async function changeSomething({ inventory, fetch }: Emulator, draw: Draw, path: string): Promise<string> {
  const shown = Object.entries(paged).find(([part]) => path.includes(part))?.[1];
  const [row] = inventory.list().filter(({ kind }) => kind === shown);
  if (row !== undefined && draw.chance(0.6)) {
    inventory.remove(row.krn);
    return `deletes the first ${row.kind} of its listing`;
  }
  const items = inventory.list().filter(({ kind }) => !["network", "object_session"].includes(kind));
  const vpc = items.find(({ kind }) => kind === "vpc")?.krn;
  if (items.length > 0 && draw.chance(0.6)) {
    const { krn, kind, name } = draw.pick(items);
    inventory.remove(krn);
    return `deletes ${kind} ${name.slice(0, 20)}`;
  }
  const isBucket = vpc === undefined || draw.chance(0.3);
  const response = await fetch(`http://emulator${isBucket ? "/kos/v1/buckets" : "/kbs/v1/volumes"}`, {
    method: "POST",
    headers: {
      authorization: "Bearer emulator-key",
      "x-region": "In-Bangalore-1",
      "x-account-id": "000000000000",
      ...(isBucket ? {} : { "k-tenant-id": vpc }),
    },
    body: JSON.stringify(
      isBucket
        ? { name: `bucket-${draw.int(1, 1e9)}` }
        : { name: drawName(draw), size: 1, volumetype: "ssd", availability_zone: "nova" },
    ),
  });
  return `creates a ${isBucket ? "bucket" : "volume"}: ${response.status}`;
}

const keysOf = ({ objects }: Inventory): Set<string> =>
  new Set(objects.map(({ resource, id }) => `${resource.name} ${comparable(id)}`));

test.each(seeds)("account %s: its export is complete, names what it lacks, or is an error", async (seed) => {
  const draw = createDraw(`hostile ${seed}`);
  const events: string[] = [];
  /** Numbers of the reads after which another person changes something; empty outside of the hostile read. */
  let moments: readonly number[] = [];
  let reads = 0;
  /** Changes by another person, one after the other: each object exists when its change ends. */
  let changes = Promise.resolve();
  /** Ids of all objects that existed at any time. */
  const ids = new Set<string>();
  const wrap = (transport: Transport): Transport => ({
    async send(request, signal) {
      const reply = await transport.send(request, signal);
      reads += 1;
      if (moments.includes(reads)) {
        const { pathname } = new URL(request.url);
        changes = changes.then(async () => {
          events.push(
            `${await changeSomething(emulator, draw, pathname)} after ${request.method} ${pathname}`,
          );
          for (const { krn } of emulator.inventory.list()) ids.add(comparable(krn));
        });
        await changes;
      }
      return reply;
    },
  });
  const { cloud } = await drawAccount(seed, { wrap, assume: smallPages });
  const { emulator } = cloud;
  renameObjects(emulator, draw);
  breakWork(emulator, draw);
  const calm = () => read(cloud, {}, readOnly(cloud.reopen()));
  const before = await calm();
  events.push(...addFaults(emulator, draw));
  emulator.log.clear();
  reads = 0;
  moments = Array.from({ length: draw.int(0, 3) }, () => draw.int(1, 40));
  const session = readOnly(cloud.reopen());
  const result = await read(cloud, {}, session).catch((error: unknown) => {
    if (error instanceof InventoryError) return undefined;
    throw error;
  });
  moments = [];
  const sent = emulator.log
    .entries()
    .filter(({ method, operation }) => method !== "GET" && operation !== "get_vpc");
  expect(
    sent.filter(({ operation }) => !["create_volume", "create_bucket"].includes(operation ?? "")),
  ).toEqual([]);
  emulator.faults.clear();
  if (result === undefined) return;
  const after = await calm();
  const [early, late, found] = [keysOf(before), keysOf(after), keysOf(result)];
  const project = projectOf(session, result.objects);
  const isIncomplete = result.gaps.some((gap) => gap.isIncomplete);
  const written = result.objects.filter((object) => !project.parts.includes(object));
  // Only the instance shows which attachment is that of its boot volume.
  const unclear = written.filter(
    ({ resource }, at) => resource.name === "volume-attachment" && project.blocks[at]?.problems.length !== 0,
  );
  const strange = written.flatMap((object) => {
    const { resource, id } = object;
    const key = `${resource.name} ${comparable(id)}`;
    const isKnown = early.has(key) || late.has(key) || ids.has(comparable(id));
    return isKnown || unclear.includes(object) ? [] : [key];
  });
  expect([events, strange]).toEqual([events, []]);
  const lost = [...early].filter((key) => late.has(key) && !found.has(key));
  // Nothing shows that a listing lacks an object to which no other one refers.
  const isShortened = events.some((event) => /=(missing-row|empty-list)$/.test(event));
  if (!isIncomplete && !isShortened) expect([events, lost]).toEqual([events, []]);
  for (const format of Object.values(formats)) expect(format.write(project, "kind").size).toBeGreaterThan(0);
  expect(project.blocks.length + project.parts.length).toBe(result.objects.length);
});
