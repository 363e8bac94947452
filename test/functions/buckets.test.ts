import { expect, test } from "@jest/globals";
import type { Values } from "../../provider/core/value.ts";
import { requests } from "../support/cloud.ts";
import { open } from "../support/object-function.ts";

test("buckets are searched by a part of their names", async () => {
  const { cloud, ask } = await open();
  await cloud.run(cloud.create("bucket", { name: "logs" }));
  await cloud.run(cloud.create("bucket", { name: "data-far", region: "In-Hyderabad-1" }));
  const { buckets } = await ask("buckets", { search: "dat" });
  expect((buckets as Values[]).map(({ name }) => name)).toEqual(["data"]);
  expect(requests(cloud, "list_buckets").at(-1)?.query).toMatchObject({
    name_filter: "dat",
    refresh: "true",
  });
});
