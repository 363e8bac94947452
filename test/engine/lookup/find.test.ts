import { expect, test } from "@jest/globals";
import { InputError } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { live, openCloud } from "../../support/cloud.ts";
import { find, withVpcs } from "../../support/lookup.ts";

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

test("a name of no object or of several is an error that lists the candidates", async () => {
  const cloud = await withVpcs("one");
  const [one] = live(cloud, "vpc");
  await expect(find(cloud, "vpc", { name: "x" })).rejects.toThrow(
    new InputError([{ path: ["name"], problem: `no VPC has this name. Existing VPCs: one (${one?.krn})` }]),
  );
  await expect(find(openCloud(), "vpc", { name: "x" })).rejects.toThrow(
    new InputError([{ path: ["name"], problem: "no VPC has this name. Existing VPCs: none" }]),
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

test("the error about a missing id names the region", async () => {
  const id = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
  await expect(find(openCloud(), "vpc", { id })).rejects.toThrow(
    new InputError([{ path: ["id"], problem: `no VPC has the ID ${id} in In-Bangalore-1` }]),
  );
});

test("an SSH key is looked up by its name alone", async () => {
  const cloud = openCloud();
  const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7wF0JXQ1hP0C1aUJBvGFzr9LkXv0Zx9Jm8eV0Vt3aB me";
  const { id } = await cloud.run(cloud.create("ssh-key", { name: "deploy", publicKey }));
  const found = await find(cloud, "ssh-key", { name: "deploy" });
  expect(found).toMatchObject({ id, name: "deploy" });
  await expect(find(cloud, "ssh-key", { name: "none" })).rejects.toThrow(
    new InputError([{ path: ["name"], problem: "no SSH key has this name. Existing SSH keys: none" }]),
  );
});

test("a lookup by a name that no object has suggests the nearest one", async () => {
  const cloud = await withVpcs("Ubuntu-24.04");
  const [one] = live(cloud, "vpc");
  await expect(find(cloud, "vpc", { name: "ubuntu-2404" })).rejects.toThrow(
    new InputError([
      {
        path: ["name"],
        problem: `no VPC has this name; did you mean "Ubuntu-24.04"? Existing VPCs: Ubuntu-24.04 (${one?.krn})`,
      },
    ]),
  );
});
