import { expect, test } from "@jest/globals";
import { engine } from "../../provider/engine/engine.ts";
import { live, openCloud, operationsOn, resource } from "../support/cloud.ts";

const securityGroup = resource("security-group");

async function withVpc(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const make = (name: string, description = "") =>
    cloud.run(cloud.create("security-group", { vpcId, name, description }));
  return { cloud, vpcId, ...operationsOn(cloud, "security-group").run, make };
}

test("a group is created, read from the list of its VPC, and deleted", async () => {
  const { cloud, vpcId, make, read, remove } = await withVpc();
  const state = await make("web", "What the web servers take");
  expect(state.id).toBe(live(cloud, "security_group")[0]?.krn);
  expect(state.values).toEqual({
    vpcId,
    name: "web",
    description: "What the web servers take",
    region: "In-Bangalore-1",
  });
  expect(await read(state)).toEqual(state);
  await remove(state);
  expect(live(cloud, "security_group")).toEqual([]);
});

test("every change replaces the group, with a warning of the consequences", () => {
  const values = { vpcId: "vpc-1", name: "web", description: "Web", region: "In-Bangalore-1" };
  const state = { id: "group-1", task: undefined, values, unread: [] };
  for (const change of [{ vpcId: "vpc-2" }, { name: "www" }, { description: "WWW" }]) {
    const plan = engine.plan(securityGroup, state, { ...values, ...change }, undefined);
    expect(plan.action).toBe("replace");
    expect(plan.changes.map(({ reason }) => reason)).toEqual([
      "The old group can be deleted only once no port or instance uses it.",
    ]);
  }
});
