import { expect, test } from "@jest/globals";
import { lookups } from "../functions/index.ts";
import { engine } from "../provider/engine.ts";
import { explain, InputError } from "../provider/errors.ts";
import type { Values } from "../provider/value.ts";
import { type Cloud, failure, live, openCloud } from "./cloud.ts";

function find(cloud: Cloud, name: string, written: Values) {
  const lookup = lookups.find((candidate) => candidate.name === name);
  if (lookup === undefined) throw new Error(`no lookup ${name}`);
  return cloud.run(engine.lookup(cloud.session, lookup, written, cloud.call));
}

async function withVpcs(...names: string[]) {
  const cloud = openCloud();
  for (const name of names) await cloud.run(cloud.create("vpc", { name }));
  return cloud;
}

test("a VPC is found by its name and by its id", async () => {
  const cloud = await withVpcs("one", "two");
  const two = live(cloud, "vpc").find(({ name }) => name === "two")?.krn as string;
  const expected = {
    id: two,
    name: "two",
    networkName: "two-network",
    status: "success",
    region: "In-Bangalore-1",
  };
  expect(await find(cloud, "vpc", { name: "two" })).toMatchObject(expected);
  expect(await find(cloud, "vpc", { id: two })).toMatchObject(expected);
});

test("all VPCs of a region are listed, and no others", async () => {
  const cloud = await withVpcs("one", "two");
  await cloud.run(cloud.create("vpc", { name: "far", region: "In-Hyderabad-1" }));
  const { vpcs, region } = await find(cloud, "vpcs", {});
  expect((vpcs as Values[]).map(({ name }) => name)).toEqual(["one", "two"]);
  expect(region).toBe("In-Bangalore-1");
  const far = await find(cloud, "vpcs", { region: "In-Hyderabad-1" });
  expect((far.vpcs as Values[]).map(({ name }) => name)).toEqual(["far"]);
});

test("a name that nobody or several have is an error that lists what there is", async () => {
  const cloud = await withVpcs("one");
  const [one] = live(cloud, "vpc");
  await expect(find(cloud, "vpc", { name: "x" })).rejects.toThrow(
    new InputError([{ path: ["name"], problem: `no VPC has this name; there are: one (${one?.krn})` }]),
  );
  await expect(find(openCloud(), "vpc", { name: "x" })).rejects.toThrow(
    new InputError([{ path: ["name"], problem: "no VPC has this name; there are: none" }]),
  );
  await cloud.run(cloud.create("vpc", { name: "one-more" }));
  const second = live(cloud, "vpc").find(({ name }) => name === "one-more");
  cloud.emulator.inventory.change(String(second?.krn), { name: "one" });
  await expect(find(cloud, "vpc", { name: "one" })).rejects.toThrow(
    new InputError([
      { path: ["name"], problem: `2 VPCs have this name: one (${one?.krn}), one (${second?.krn})` },
    ]),
  );
});

test("neither or both of id and name is refused, as is an id of another kind", async () => {
  const cloud = openCloud();
  const either = new InputError([{ path: ["id"], problem: "give either id or name" }]);
  await expect(find(cloud, "vpc", {})).rejects.toThrow(either);
  await expect(find(cloud, "vpc", { id: "a", name: "b" })).rejects.toThrow(either);
  await expect(find(cloud, "vpc", { id: "krn:kbs:r:1:2:volume:3" })).rejects.toThrow(
    new InputError([{ path: ["id"], problem: "is the id of a volume, where that of a vpc is due" }]),
  );
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("an id that is not there is told with its region", async () => {
  const id = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
  await expect(find(openCloud(), "vpc", { id })).rejects.toThrow(
    new InputError([{ path: ["id"], problem: `no VPC has the id ${id} in In-Bangalore-1` }]),
  );
});

test("a lookup only reads, also when the cloud fails it", async () => {
  const cloud = await withVpcs("one");
  const before = cloud.emulator.log.entries().length;
  await find(cloud, "vpc", { name: "one" });
  const sent = cloud.emulator.log.entries().slice(before);
  expect(sent.map(({ operation }) => operation)).toEqual(["get_vpc_list", "get_vpc"]);
  cloud.emulator.faults.add({ target: "*", kind: "503" });
  const failed = await failure(find(cloud, "vpcs", {}));
  expect(explain(failed).summary).toBe("Looking up the vpcs failed");
  expect(explain(failed).detail).toMatch(
    /^No clear answer came\.\nThe cloud says: injected fault\. \(status 503, .*\nNothing was changed\.\nRun again\.$/,
  );
});
