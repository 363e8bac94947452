import { expect, test } from "@jest/globals";
import { engine } from "../../../provider/engine/engine.ts";
import { live, openCloud, resource } from "../../support/cloud.ts";

async function withVpc(...args: Parameters<typeof openCloud>) {
  const cloud = openCloud(...args);
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  return { cloud, make: (name: string) => cloud.run(cloud.create("security-group", { vpcId, name })) };
}

test.each(["top", "result", "named"] as const)(
  "a create that answers by %s names the group",
  async (shape) => {
    const { cloud, make } = await withVpc({ assume: { groupCreateShape: shape } });
    expect((await make("web")).id).toBe(live(cloud, "security_group")[0]?.krn);
    expect(cloud.warnings).toEqual([]);
  },
);

test.each([
  { groupPageMax: 2, groupTotalSpelling: "totalCount" },
  { groupPageMax: 2, groupTotalSpelling: "total_count" },
  { groupPageMax: 2, groupListShape: "items" },
] as const)("all groups of a VPC are found with any page size: %j", async (assume) => {
  const { cloud, make } = await withVpc({ assume });
  const states = [];
  for (const name of ["a", "b", "c", "d", "e"]) states.push(await make(name));
  const session = cloud.reopen();
  for (const state of states)
    expect(await cloud.run(engine.read(session, resource("security-group"), state, cloud.call))).toEqual(
      state,
    );
});
