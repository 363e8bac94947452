import { expect, test } from "@jest/globals";
import { paged } from "../../library/page.ts";
import { openClientCloud } from "./client-cloud.ts";

/** Listing by page number with the totals of the API. */
const listing = { rows: ["items"], page: { number: "page" }, size: "size" } as const;

interface Answer {
  readonly items: readonly { readonly id: number }[];
  readonly total_count?: number;
}

/** Iterates a listing with these responses, in their order; returns the ids and the pages that were requested. */
async function iterate(answers: readonly Answer[], written = { size: 2 }) {
  const pages: unknown[] = [];
  const left = [...answers];
  const rows = paged({
    listing,
    written,
    route: "GET /things",
    send: async ({ page }) => {
      pages.push(page);
      return left.shift();
    },
  });
  const ids: number[] = [];
  for await (const row of rows) ids.push((row as { readonly id: number }).id);
  return { ids, pages };
}

const rows = (...ids: number[]) => ids.map((id) => ({ id }));

test("all pages are read until the total is reached", async () => {
  const answers = [
    { items: rows(1, 2), total_count: 5 },
    { items: rows(3, 4), total_count: 5 },
    { items: rows(5), total_count: 5 },
  ];
  expect(await iterate(answers)).toEqual({ ids: [1, 2, 3, 4, 5], pages: [1, 2, 3] });
});

test("without totals, a page with fewer rows than requested is the last one", async () => {
  expect(await iterate([{ items: rows(1, 2) }, { items: rows(3) }])).toEqual({
    ids: [1, 2, 3],
    pages: [1, 2],
  });
});

test("a listing with fewer rows than its total is an error: its rows would look deleted", async () => {
  const answers = [
    { items: rows(1, 2), total_count: 5 },
    { items: [], total_count: 5 },
  ];
  await expect(iterate(answers)).rejects.toThrow("the listing contains 2 of 5 rows: GET /things");
});

test("a listing that ignores the page is an error, and not an endless loop", async () => {
  const answers = Array.from({ length: 9 }, () => ({ items: rows(1, 2), total_count: 5 }));
  await expect(iterate(answers)).rejects.toThrow("page 2 of the listing contains no further rows");
});

test("a listing whose total changes is read again, and each row is returned once", async () => {
  const answers = [
    { items: rows(1, 2), total_count: 5 },
    // The row 1 was deleted, so that the row 3 moved to the first page.
    { items: rows(4, 5), total_count: 4 },
    { items: rows(2, 3), total_count: 4 },
    { items: rows(4, 5), total_count: 4 },
  ];
  expect(await iterate(answers)).toEqual({ ids: [1, 2, 4, 5, 3], pages: [1, 2, 1, 2] });
});

test("a listing whose total changes each time is an error", async () => {
  const pass = [
    { items: rows(1, 2), total_count: 9 },
    { items: rows(3, 4), total_count: 4 },
  ];
  await expect(iterate([...pass, ...pass, ...pass])).rejects.toThrow(
    "the listing changed each of the 3 times that it was read: GET /things",
  );
});

test("equal rows without an ID are different rows, also when the listing is read again", async () => {
  const plain = (...names: string[]) => names.map((name) => ({ name })) as never;
  const once = await iterate([{ items: plain("a", "a", "b"), total_count: 3 }], { size: 5 });
  expect(once.ids).toHaveLength(3);
  const twice = await iterate(
    [
      { items: plain("a", "a"), total_count: 4 },
      { items: plain("b"), total_count: 3 },
      { items: plain("a", "a"), total_count: 3 },
      { items: plain("b"), total_count: 3 },
    ],
    { size: 2 },
  );
  expect(twice.ids).toHaveLength(3);
});

test("nothing is sent before the listing is used, and a loop that ends early reads no further page", async () => {
  const { cloud, client, run } = openClientCloud();
  for (const name of ["one", "two", "three"])
    await run(client.bucket.createBucket({ name: `bucket-${name}` }));
  cloud.emulator.log.clear();
  const listed = client.bucket.listBuckets({ pageSize: 1 });
  expect(cloud.emulator.log.count()).toBe(0);
  await run(
    (async () => {
      for await (const _ of listed) break;
    })(),
  );
  expect(cloud.emulator.log.count({ operation: "list_buckets" })).toBe(1);
  const names = await run(
    (async () => {
      const found: unknown[] = [];
      for await (const { name } of client.bucket.listBuckets({ pageSize: 1 })) found.push(name);
      return found;
    })(),
  );
  expect(names.toSorted()).toEqual(["bucket-one", "bucket-three", "bucket-two"]);
});

test("an awaited listing is its first page", async () => {
  const { client, run } = openClientCloud();
  await run(client.bucket.createBucket({ name: "bucket-one" }));
  expect(await run(client.bucket.listBuckets())).toMatchObject({ items: [{ name: "bucket-one" }] });
  await expect(run(client.bucket.listBuckets().finally(() => {}))).resolves.toBeDefined();
  await expect(run(client.volume.listVolumes({ vpcId: "" }).catch(() => "refused"))).resolves.toBe("refused");
});
