import { expect, test } from "@jest/globals";
import { term } from "../../../provider/core/name.ts";
import type { ResourceState } from "../../../provider/core/state.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { failure, live, requests, resource, settle } from "../../support/cloud.ts";
import { openLifecycle } from "../../support/lifecycle-world.ts";
import { replacing, world } from "./respelled.ts";
import { nouns, withAll } from "./stored-network.ts";

test.each(nouns)(
  "a %s that was deleted outside the engine leaves the state after three separate misses, with a warning",
  async (noun) => {
    const { cloud, heldOf, read } = await withAll();
    await settle(cloud);
    const { id } = heldOf(noun);
    cloud.emulator.inventory.remove(String(id));
    const began = cloud.elapsed();
    expect(await cloud.run(read(noun))).toBeUndefined();
    expect(cloud.elapsed() - began).toBeGreaterThanOrEqual(3_000);
    expect(cloud.warnings).toEqual([
      {
        summary: `The ${term(noun)} "${String(heldOf(noun).values.name)}" was deleted outside of Terraform or OpenTofu`,
        detail: `The ${term(noun)} "${String(heldOf(noun).values.name)}" (${id}) no longer exists: 3 reads did not find it. The next terraform apply (or tofu apply) creates it again.${importHint(heldOf(noun))}`,
      },
    ]);
    function importHint({ values }: ResourceState): string {
      if (noun !== "subnet") return "";
      const target = `kcloud_subnet.NAME '${String(values.vpcId)},${String(id)}'`;
      return ` If it appears later, import it before the next run (terraform import ${target}, or tofu import with the same arguments).`;
    }
  },
);

test.each([
  ["vpc", "get_vpc"],
  ["subnet", "get_vpc"],
  ["volume", "get_volume"],
])("a %s whose %s returns 404 while a listing shows it stays in the state", async (noun, target) => {
  const { cloud, vpcId, heldOf, read } = await withAll();
  cloud.emulator.faults.add({ target, kind: "404" });
  if (noun === "volume") cloud.emulator.faults.add({ target: "list_volumes", kind: "404" });
  const failed = await cloud.run(failure(read(noun)));
  expect(failed.existence).toEqual({ is: "unknown" });
  expect([live(cloud, "vpc")[0]?.krn, heldOf(noun).id]).toEqual([vpcId, heldOf(noun).id]);
});

test("a VPC that cannot be read while a listing shows it under a masked id is not gone", async () => {
  const { cloud, read } = await withAll();
  cloud.emulator.faults.add({ target: "get_vpc", kind: "404" });
  cloud.emulator.faults.add({ target: "get_vpc_list", kind: "masked-ids" });
  const failed = await cloud.run(failure(read("vpc")));
  expect([failed.existence, cloud.warnings]).toEqual([{ is: "unknown" }, []]);
});

test("the polls of a missing object use separate listings", async () => {
  const { cloud, heldOf, read } = await withAll();
  const listed = () => requests(cloud, "get_vpc").length;
  cloud.emulator.inventory.remove(String(heldOf("subnet").id));
  const before = listed();
  await cloud.run(read("subnet"));
  expect(listed() - before).toBe(4);
});

/** Creates an instance; all later responses show it under another UUID, with `createdAt` as its creation time. */
async function underOtherUuid(createdAt?: string) {
  let isChanged = false;
  let uuid = "";
  const spell = (body: string): string => {
    if (!isChanged) return body;
    const other = body.replaceAll(uuid, otherUuid);
    return createdAt === undefined
      ? other
      : other.replaceAll(/"created(_at)?":"[^"]*"/g, `"created$1":"${String(createdAt)}"`);
  };
  const { cloud, state } = await openLifecycle("instance", {}, {}, { wrap: replacing(spell) });
  uuid = String(state.id).split(":").at(-1) ?? "";
  isChanged = true;
  cloud.emulator.faults.add({ target: "get_instance", kind: "404", times: 99 });
  const recorded = { ...state, createdAt: undefined };
  const read = engine.read(cloud.reopen(), resource("instance"), recorded, cloud.call);
  return { cloud, state, read, other: String(state.id).replace(uuid, otherUuid) };
}

const otherUuid = "0f2bdb56-b20e-409a-9220-6cce27708ab3";

test("a row under another id with the recorded name and creation time is a doubt, and the error names both ids", async () => {
  const { cloud, state, read, other } = await underOtherUuid();
  const failed = await cloud.run(failure(read));
  expect([failed.existence, failed.step]).toEqual([
    { is: "unknown" },
    `a listing shows ${other}, which may be the object with the recorded ID ${state.id}`,
  ]);
});

test("a later object of the name is another one: the object leaves the state, and the warning names the other one", async () => {
  const { cloud, state, read, other } = await underOtherUuid("2030-01-01T00:00:00Z");
  expect(await cloud.run(read)).toBeUndefined();
  expect(cloud.warnings).toEqual([
    {
      summary: `The instance "${String(state.values.name)}" was deleted outside of Terraform or OpenTofu`,
      detail: `The instance "${String(state.values.name)}" (${state.id}) no longer exists: 3 reads did not find it. A listing shows another object with its name: ${other}. The next terraform apply (or tofu apply) creates it again.`,
    },
  ]);
});

test("a row under another id with the recorded UUID is a doubt: the state stays, and the error names both ids", async () => {
  const short = (body: string) =>
    body.replaceAll(/krn:kbs:In-Bangalore-1:\d+:[^:"]+:volume:/g, "krn:kbs:blr1:volume:");
  const { cloud, volume, read } = await world(short);
  cloud.emulator.faults.add({ target: "get_volume", kind: "404", times: 99 });
  const failed = await cloud.run(failure(read("volume", volume)));
  const listed = short(`"${volume.id}"`).replaceAll('"', "");
  expect(listed).not.toBe(volume.id);
  expect([failed.existence, failed.step]).toEqual([
    { is: "unknown" },
    `a listing shows ${listed}, which may be the object with the recorded ID ${volume.id}`,
  ]);
});
