import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, live, openCloud, resource } from "../../support/cloud.ts";

const net = { name: "net" };

test("an object that a run adopted cannot be adopted or deleted by another resource in that run", async () => {
  const cloud = openCloud();
  const made = await cloud.run(cloud.create("vpc", net));
  const vpc = resource("vpc");
  const { inputs } = engine.check(vpc, net);
  const session = cloud.reopen({ adoptExisting: true });
  const adopted = await cloud.run(engine.create(session, vpc, inputs, cloud.call));
  expect(adopted.id).toBe(made.id);
  const failed = await cloud.run(failure(engine.create(session, vpc, inputs, cloud.call)));
  expect([failed.step, failed.existence.is]).toEqual([
    "an object with this name was created or adopted by another resource in this run",
    "exists",
  ]);
  await cloud.run(engine.delete(session, vpc, made, cloud.call));
  expect(cloud.warnings.at(-1)?.summary).toBe('The VPC "net" was not deleted');
  expect(live(cloud, "vpc")).toHaveLength(1);
});

test("adopt_existing does not adopt an object that another resource created in the same run", async () => {
  const cloud = openCloud({}, { adoptExisting: true });
  const made = await cloud.run(cloud.create("vpc", net));
  const failed = await cloud.run(failure(cloud.create("vpc", net)));
  expect(failed.existence).toEqual({ is: "exists", id: made.id });
  expect(explain(failed).detail).toContain("by another resource in this run");
  expect([cloud.warnings, live(cloud, "vpc").length]).toEqual([[], 1]);
});
