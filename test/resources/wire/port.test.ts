import { expect, test } from "@jest/globals";
import { openPort } from "../../support/port-world.ts";

test.each([
  [{ portIdField: "krn_id" }],
  [{ portIdField: "id" }],
  [{ portSearchShape: "array" }],
  [{ portPageMax: 1 }],
] as const)("a port is created, changed and found under every assumption: %j", async (assume) => {
  const { cloud, securityGroups, create, update, read } = await openPort({ assume, listingLagMs: 500 });
  const other = await cloud.run(create({ name: "other" }));
  const state = await cloud.run(create());
  const changed = await cloud.run(update(state, { securityGroups }));
  expect(await cloud.run(read(changed))).toEqual(changed);
  expect((await cloud.run(read(other)))?.values.name).toBe("other");
});
