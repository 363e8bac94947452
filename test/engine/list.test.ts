import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { listingParents } from "../../provider/definition/resource.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resources } from "../../resources/index.ts";
import { failure, resource } from "../support/cloud.ts";
import { openLifecycle } from "../support/lifecycle-world.ts";

const listed = resources.filter(({ verbs }) => verbs.list !== undefined);

test.each(listed.map((kind) => [kind.name, kind] as const))(
  "a listing of %s that is refused inside a 200 is not empty",
  async (name, kind) => {
    const { cloud, state } = await openLifecycle(name);
    cloud.emulator.faults.add({ target: "*", kind: "refusal-in-200", word: "quota exceeded" });
    const listedIn = listingParents(kind);
    const scope: Values = Object.fromEntries(listedIn.map((name) => [name, state.values[name] ?? null]));
    const failed = await cloud.run(failure(engine.list(cloud.reopen(), kind, scope, cloud.call)));
    expect(explain(failed).summary).toContain("failed");
  },
);

test("a row that lacks only computed values is enough for a configuration; a row without a candidate is not", async () => {
  const { cloud } = await openLifecycle("instance");
  const list = (kind: string, scope: Values) =>
    cloud.run(engine.list(cloud.reopen(), resource(kind), scope, cloud.call));
  const [vpc] = await list("vpc", {});
  expect(vpc).not.toHaveProperty("state");
  expect(vpc).not.toHaveProperty("partial");
  const [machine] = await list("instance", { vpcId: vpc?.id ?? null });
  expect(machine).not.toHaveProperty("state");
  expect(machine?.partial?.values).toMatchObject({ vpcId: vpc?.id, networkPorts: null });
});

test("the row of a bucket policy, whose ID is that of its bucket, can be imported", async () => {
  const { cloud, state } = await openLifecycle("bucket-policy");
  const scope: Values = { bucketId: state.values.bucketId ?? null };
  const rows = await cloud.run(engine.list(cloud.reopen(), resource("bucket-policy"), scope, cloud.call));
  expect(rows).toMatchObject([{ id: state.id, values: scope }]);
  expect(rows[0]).not.toHaveProperty("problem");
});
