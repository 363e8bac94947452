import { expect, test } from "@jest/globals";
import { sshKeys } from "../../../functions/ssh-keys.ts";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { endpoint } from "../../../provider/definition/endpoint.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { counts, everyRow, pageSize } from "../../../resources/wire/page.ts";
import { type Cloud, resource } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/** Tests listings of several pages: each returns every object or fails, so that no existing object looks deleted. */

const route = endpoint("read", "GET /things", counts.total_count);

/** Serves page after page, and fails the test if a listing never stops requesting pages. */
function server(answer: (page: number, shown: number) => object) {
  const asked: number[] = [];
  const rows = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => ({ id: `${from + at}` }));
  const ask = async (page: number, shown: number) => {
    asked.push(page);
    if (asked.length > 20) throw new Error("asked without end");
    return { rows: [] as { id: string }[], ...answer(page, shown) };
  };
  const read = () =>
    everyRow<{ id: string }>({ route, what: "things", keyOf: ({ id }) => id || undefined, ask });
  return { rows, read, asked };
}

test.each([
  ["every page is the first one, without a total", { total: undefined, first: pageSize }],
  ["every page is the first one, with a total", { total: 3, first: 2 }],
  ["every page is the first one, with a number of pages", { pages: 2, first: 2 }],
])(
  "%s: the listing is incomplete",
  async (_, { total, first, pages }: Record<string, number | undefined>) => {
    const { rows, read, asked } = server(() => ({
      rows: rows(first ?? 0),
      totalCount: total,
      totalPages: pages,
    }));
    await expect(read()).rejects.toMatchObject({
      reason:
        total === undefined
          ? "page 2 of the listing contains no further things"
          : "the listing contains 2 of 3 things",
    });
    expect(asked).toEqual([1, 2]);
  },
);

test("every page is the first one, and every page has another total: the listing is incomplete", async () => {
  const { rows, read, asked } = server(() => ({ rows: rows(2), totalCount: 4 + asked.length }));
  await expect(read()).rejects.toMatchObject({ reason: "the listing contains 2 of 9 things" });
  expect(asked).toEqual([1, 2, 1, 2, 1, 2]);
});

test("a row is returned once if a second pass spells its id in another way", async () => {
  const spellings = ["krn:vm:In-Bangalore-1:1:c:instance:a", "krn:vm:in-bangalore-1:1:c:instance:a"];
  const { read, asked } = server(() => ({
    rows: [{ id: spellings[asked.length > 2 ? 1 : 0] }, { id: `b${(asked.length - 1) % 2}` }],
    totalCount: asked.length === 2 ? undefined : 3,
  }));
  expect((await read())?.map(({ id }) => id)).toEqual([spellings[1], "b0", "b1"]);
});

test("rows that are created during each pass, on pages that were read, do not make a listing incomplete", async () => {
  let created = 0;
  const { rows, read } = server((page) => {
    created += page === 2 ? 1 : 0;
    // Newest first, two on a page.
    const all = rows(4 + created).toReversed();
    return { rows: all.slice(2 * page - 2, 2 * page), totalCount: all.length };
  });
  expect(await read()).toHaveLength(6);
});

test("rows that pages repeat do not count twice", async () => {
  const { rows, read } = server((page) => ({
    rows: page === 1 ? rows(2) : rows(2, 1),
    totalCount: 4,
    totalPages: 2,
  }));
  await expect(read()).rejects.toMatchObject({ reason: "the listing contains 3 of 4 things" });
});

test("rows without an id count one by one, and a later page of such rows is no repetition", async () => {
  const nameless = [{ id: "" }, { id: "" }];
  const { rows, read } = server((page) => ({
    rows: page === 1 ? [...rows(1), ...nameless] : nameless.slice(1),
    totalCount: 4,
    totalPages: 2,
  }));
  expect(await read()).toHaveLength(4);
});

const incomplete =
  /The listing contains \d+ of \d+ |page \d of the listing contains no further |the listing returned page 1 of the buckets/i;

/** Page sizes so small that a few objects fill several pages. */
const pages = {
  instancePageMax: 2,
  portPageMax: 2,
  groupPageMax: 2,
  templatePageMax: 2,
  bucketPageMax: 2,
};

const settings = { accountId: "000000000000", customerId: "00000000-0000-4000-8000-000000000000" };

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ somebody";

/** Returns the names of the objects of a kind, as one listing shows them. */
async function listed(cloud: Cloud, kind: string, scope: Values): Promise<unknown[]> {
  if (kind === "ssh-key") {
    const found = await cloud.run(engine.lookup(cloud.reopen(), sshKeys, {}, cloud.call));
    return (found.sshKeys as Values[]).map(({ name }) => name);
  }
  const rows = await cloud.run(engine.list(cloud.reopen(), resource(kind), scope, cloud.call));
  return rows.map(({ name }) => name);
}

const ofNetwork = ["ignored-page", "repeated-row"];

test.each([
  ["instance", "search_instances", ofNetwork, 5],
  ["port", "search_port", ofNetwork, 5],
  ["security-group", "list_security_groups", ofNetwork, 5],
  ["instance-template", "list_templates", ofNetwork, 5],
  ["bucket", "list_buckets", ofNetwork, 5],
  // The list has no total: a single repeated row proves nothing.
  ["ssh-key", "list_ssh_keys", ["ignored-page"], 12],
] as const)(
  "a listing of %s whose pages repeat rows is complete or an error",
  async (kind, target, faults, count) => {
    const { cloud, vpcId, written } = await openNetwork({ assume: pages }, settings);
    const inputs: Record<typeof kind, Values> = {
      instance: written,
      port: { vpcId, subnetId: written.subnetId ?? null },
      "security-group": { vpcId },
      "instance-template": written,
      bucket: {},
      "ssh-key": { publicKey },
    };
    const names = Array.from({ length: count }, (_, at) => `thing-${at}`);
    for (const name of names) await cloud.run(cloud.create(kind, { ...inputs[kind], name }));
    const scope: Values = ["bucket", "instance-template"].includes(kind) ? {} : { vpcId };
    const complete = await listed(cloud, kind, scope);
    expect(complete).toEqual(expect.arrayContaining(names));
    for (const fault of faults) {
      cloud.emulator.faults.add({ target, kind: fault });
      const outcome = await listed(cloud, kind, scope).catch((error: unknown) => explain(error).detail);
      expect(outcome).toEqual(Array.isArray(outcome) ? complete : expect.stringMatching(incomplete));
      cloud.emulator.faults.clear();
    }
  },
);
