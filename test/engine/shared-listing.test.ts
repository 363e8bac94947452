import { expect, test } from "@jest/globals";
import { manualClock } from "../../emulator/emulator.ts";
import { createListings, ever } from "../../provider/engine/shared-listing.ts";

/** Opens shared listings on a manual clock; `asked` contains every request, to which the test responds. */
function world() {
  const manual = manualClock();
  const clock = { monotonic: () => manual.now(), wall: () => manual.now(), sleep: manual.sleep };
  const asked: { answer: (rows: string[]) => void; fail: (error: Error) => void }[] = [];
  const fetch = () =>
    new Promise<string[]>((answer, fail) => {
      asked.push({ answer, fail });
    });
  return { manual, listings: createListings(clock), asked, fetch };
}

test("concurrent reads share one listing, and so do those of the next five seconds", async () => {
  const { manual, listings, asked, fetch } = world();
  const reads = ["a", "b", "c"].map((object) =>
    listings.share({ scope: "scope", object, after: ever }, fetch),
  );
  asked[0]?.answer(["a"]);
  expect(await Promise.all(reads)).toEqual([["a"], ["a"], ["a"]]);
  await manual.advance(5_000);
  expect(await listings.share({ scope: "scope", object: "d", after: ever }, fetch)).toEqual(["a"]);
  await manual.advance(1);
  const later = listings.share({ scope: "scope", object: "d", after: ever }, fetch);
  asked[1]?.answer(["d"]);
  expect(await later).toEqual(["d"]);
  expect(asked).toHaveLength(2);
});

test("a listing of another scope is another listing", async () => {
  const { listings, asked, fetch } = world();
  const reads = [
    listings.share({ scope: "one", object: "a", after: ever }, fetch),
    listings.share({ scope: "two", object: "a", after: ever }, fetch),
  ];
  for (const { answer } of asked) answer([]);
  await Promise.all(reads);
  expect(asked).toHaveLength(2);
});

test("a written object is not read from a listing that started before, but others are", async () => {
  const { listings, asked, fetch } = world();
  const first = listings.share({ scope: "scope", object: "a", after: ever }, fetch);
  asked[0]?.answer(["old"]);
  await first;
  listings.wrote("scope", "a");
  expect(await listings.share({ scope: "scope", object: "b", after: ever }, fetch)).toEqual(["old"]);
  const again = listings.share({ scope: "scope", object: "a", after: ever }, fetch);
  asked[1]?.answer(["new"]);
  expect(await again).toEqual(["new"]);
});

test("reads that need a newer listing than the running one share the next one", async () => {
  const { manual, listings, asked, fetch } = world();
  const first = listings.share({ scope: "scope", object: "a", after: ever }, fetch);
  const mark = listings.mark();
  const younger = ["b", "c"].map((object) => listings.share({ scope: "scope", object, after: mark }, fetch));
  expect(asked).toHaveLength(1);
  asked[0]?.answer(["first"]);
  expect(await first).toEqual(["first"]);
  await manual.advance(0);
  asked[1]?.answer(["second"]);
  expect(await Promise.all(younger)).toEqual([["second"], ["second"]]);
  expect(asked).toHaveLength(2);
});

test("a failed listing fails for all reads that share it, and the next read starts a new one", async () => {
  const { manual, listings, asked, fetch } = world();
  const reads = ["a", "b"].map((object) => listings.share({ scope: "scope", object, after: ever }, fetch));
  const waiting = listings.share({ scope: "scope", object: "c", after: listings.mark() }, fetch);
  asked[0]?.fail(new Error("broken"));
  for (const read of reads) await expect(read).rejects.toThrow("broken");
  await manual.advance(0);
  asked[1]?.answer(["c"]);
  expect(await waiting).toEqual(["c"]);
  expect(await listings.share({ scope: "scope", object: "d", after: ever }, fetch)).toEqual(["c"]);
});

test("every waiter gets the next listing that started after its mark, even if another read requested it", async () => {
  const { manual, listings, asked, fetch } = world();
  const notified: string[] = [];
  const early = listings.mark();
  void listings.share({ scope: "scope", object: "a", after: ever }, fetch);
  const late = listings.mark();
  listings.watch("scope", early, () => notified.push("early"));
  listings.watch("scope", late, () => notified.push("late"));
  listings.watch("other", early, () => notified.push("other"));
  const unwatch = listings.watch("scope", early, () => notified.push("gone"));
  unwatch();
  await manual.advance(700);
  asked[0]?.answer([]);
  await manual.advance(0);
  expect([notified, listings.took("scope"), listings.took("other")]).toEqual([["early"], 700, 0]);
});

test("a slow listing still serves the reads that waited for it", async () => {
  const { manual, listings, asked, fetch } = world();
  const rows: string[][] = [];
  listings.watch("scope", ever, () => {
    void listings
      .share({ scope: "scope", object: "b", after: ever }, fetch)
      .then((found) => rows.push(found));
  });
  void listings.share({ scope: "scope", object: "a", after: ever }, fetch);
  await manual.advance(9_000);
  asked[0]?.answer(["a", "b"]);
  await manual.advance(0);
  expect([rows, asked.length]).toEqual([[["a", "b"]], 1]);
});

test("an object written by its name is not read by its id from a listing that started before", async () => {
  const { listings, asked, fetch } = world();
  const before = listings.share({ scope: "scope", object: "name a", after: ever }, fetch);
  asked[0]?.answer([]);
  await before;
  listings.wrote("scope", "name a");
  listings.named("scope", "name a", "id-of-a");
  void listings.share({ scope: "scope", object: "id-of-a", after: ever }, fetch);
  expect(asked).toHaveLength(2);
});

test("for few waiters, single reads replace a long listing, unless a recent listing serves them", async () => {
  const { manual, listings, asked, fetch } = world();
  expect(listings.outweighs({ scope: "scope", object: "a", after: ever })).toBe(false);
  const rows = listings.share({ scope: "scope", object: "a", after: ever }, fetch);
  expect(listings.outweighs({ scope: "scope", object: "a", after: ever })).toBe(false);
  asked[0]?.answer(Array.from({ length: 60 }, String));
  await rows;
  expect(listings.outweighs({ scope: "scope", object: "a", after: ever })).toBe(false);
  listings.wrote("scope", "a");
  expect(listings.outweighs({ scope: "scope", object: "a", after: ever })).toBe(true);
  expect(listings.outweighs({ scope: "scope", object: "b", after: ever })).toBe(false);
  await manual.advance(5_001);
  expect(listings.outweighs({ scope: "scope", object: "b", after: ever })).toBe(true);
  const leave = [1, 2].map(() => listings.watch("scope", listings.mark(), () => {}));
  expect(listings.outweighs({ scope: "scope", object: "a", after: ever })).toBe(false);
  for (const end of leave) end();
  expect(listings.outweighs({ scope: "scope", object: "a", after: ever })).toBe(true);
});
