import { expect, test } from "@jest/globals";
import { explain } from "../../provider/core/error.ts";
import type { Values } from "../../provider/core/value.ts";
import { failure, live, openCloud, operationsOn } from "../support/cloud.ts";
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

async function withVpc(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const primarySubnet = { name: "a", cidr: "10.0.0.0/24" };
  const vpc = await cloud.run(cloud.create("vpc", { name: "net", primarySubnet }));
  return { cloud, vpcId: String(vpc.id) };
}

test("subnets with the same name and different ranges are different subnets", async () => {
  const { cloud, vpcId } = await withVpc();
  const create = (cidr: string) => cloud.create("subnet", { vpcId, name: "b", cidr });
  await cloud.run(Promise.all([create("10.0.1.0/24"), create("10.0.2.0/24")]));
  expect(live(cloud, "subnet")).toHaveLength(3);
});

test.each([400, 403] as const)(
  "a primary subnet that the API does not delete alone (%i) stays in the state",
  async (status) => {
    const { cloud, vpcId } = await withVpc({ assume: { primarySubnetRefusal: status } });
    await cloud.run(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" }));
    const [first] = live(cloud, "subnet");
    const { take, remove } = operationsOn(cloud, "subnet").run;
    const failed = await failure(remove(await take(`${vpcId},${first?.krn}`)));
    expect(explain(failed).detail).toContain(
      "The API reports: a is the primary subnet: you cannot delete this subnet individually.",
    );
    expect([failed.existence.is, live(cloud, "subnet").length]).toEqual(["still exists", 2]);
  },
);

test.each(["first", "last"] as const)(
  "the refused delete of a primary subnet that is listed %s says what to remove, and what to import instead",
  async (primarySubnetListed) => {
    const { cloud, vpcId } = await withVpc({ assume: { primarySubnetListed } });
    const other = await cloud.run(cloud.create("subnet", { vpcId, name: "b", cidr: "10.0.1.0/24" }));
    const { take, remove } = operationsOn(cloud, "subnet").run;
    const { detail } = explain(await failure(remove(await take(`${vpcId},a`))));
    const forget =
      "It is the primary subnet, which is deleted with its VPC: remove its resource from the configuration, and it from the state (terraform state rm kcloud_subnet.NAME, or tofu state rm kcloud_subnet.NAME).";
    const instead = ` If nothing manages the subnet "b", which counts as the primary one because it is listed first, import it (terraform import kcloud_subnet.NAME '${vpcId},${other.id}', or tofu import with the same arguments): it is not deleted with the VPC.`;
    expect(detail.split("\n").at(-1)).toBe(primarySubnetListed === "first" ? forget : forget + instead);
  },
);
