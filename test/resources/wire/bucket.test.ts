import { expect, test } from "@jest/globals";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { bucket, openBuckets } from "../../support/bucket-world.ts";
import { failure } from "../../support/cloud.ts";

test("buckets are listed to the last page, including new ones", async () => {
  const { cloud, make, read } = openBuckets({ assume: { bucketPageMax: 2, bucketListCachedMs: 600_000 } });
  const made = [];
  for (const name of ["one", "two", "three", "four", "five"]) made.push(await make({ name }));
  for (const state of made) expect(await read(state)).toEqual(state);
  const rows = await cloud.run(engine.list(cloud.session, bucket, {}, cloud.call));
  expect(rows.map(({ name }) => name)).toEqual(["one", "two", "three", "four", "five"]);
});

test("a list that ignores pages is an error, and no bucket counts as deleted", async () => {
  const { cloud, make, read } = openBuckets({ assume: { bucketPageDefault: 2 } });
  const made = [await make({ name: "one" }), await make({ name: "two" }), await make({ name: "three" })];
  cloud.emulator.configure({ assume: { bucketListNames: "others" } });
  const { cause } = await failure(read(made[2] as ResourceState));
  expect(String(cause)).toContain("the listing returned page 1 of the buckets instead of page 2");
  cloud.emulator.configure({ assume: { bucketListShape: "array" } });
  expect(await read(made[2] as ResourceState)).toEqual(made[2]);
});
