import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { ResourceState } from "../../provider/core/state.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { failure, live, openCloud, resource } from "../support/cloud.ts";
import { idOf, problemsOf } from "../support/problem.ts";

test.each<[string, Values, string[]]>([
  ["the required fields", {}, []],
  ["a range with host bits", { cidr: "10.0.0.7/24" }, []],
  ["its network and a router", { networkId: idOf("network"), routerKrn: "krn:vpc:router" }, []],
])("checked: %s", (_, change, expected) => {
  expect(problemsOf("subnet", { vpcId: idOf("vpc"), name: "a", cidr: "10.0.0.0/24", ...change })).toEqual(
    expected,
  );
});

const net = { name: "net" };

async function withVpc(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpc = await cloud.run(cloud.create("vpc", net));
  return { cloud, vpcId: String(vpc.id) };
}

test("subnets with the same name and different ranges are different subnets", async () => {
  const { cloud, vpcId } = await withVpc();
  const create = (cidr: string) => cloud.create("subnet", { vpcId, name: "a", cidr });
  await cloud.run(Promise.all([create("10.0.0.0/24"), create("10.0.1.0/24")]));
  expect(live(cloud, "subnet")).toHaveLength(2);
});

const data = (vpcId: string) => ({ vpcId, name: "data", sizeGb: 20, volumeType: "HNSS" });

async function withAll(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpc = await cloud.run(
    cloud.create("vpc", { name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } }),
  );
  const vpcId = String(vpc.id);
  const subnet = await cloud.run(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" }));
  const volume = await cloud.run(cloud.create("volume", data(vpcId)));
  const state: Record<string, ResourceState> = { vpc, subnet, volume };
  const remove = (kind: string, call: object = {}, from = state[kind] as ResourceState) =>
    engine.delete(cloud.session, resource(kind), from, { ...cloud.call, ...call });
  return { cloud, vpcId, stored: state, remove };
}

test.each([400, 403] as const)(
  "a primary subnet that the API does not delete alone (%i) stays in the state",
  async (status) => {
    const { cloud, vpcId } = await withAll({ assume: { primarySubnetRefusal: status } });
    const [first] = live(cloud, "subnet");
    const id = `${vpcId},${first?.krn}`;
    const stored = await cloud.run(engine.import(cloud.session, resource("subnet"), id, cloud.call));
    const failed = await cloud.run(
      failure(engine.delete(cloud.session, resource("subnet"), stored, cloud.call)),
    );
    expect(explain(failed).detail).toContain(
      "The API reports: a is the primary subnet: you cannot delete this subnet individually.",
    );
    expect([failed.existence.is, live(cloud, "subnet").length]).toEqual(["still exists", 2]);
  },
);
