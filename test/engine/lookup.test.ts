import { expect, test } from "@jest/globals";
import { lookups } from "../../functions/index.ts";
import { explain, InputError } from "../../provider/core/error.ts";
import { plural, terraformType } from "../../provider/core/name.ts";
import type { Values } from "../../provider/core/value.ts";
import { engine } from "../../provider/engine/engine.ts";
import { resources } from "../../resources/index.ts";
import { text } from "../repository/repository.ts";
import { type Cloud, failure, live, openCloud, requests } from "../support/cloud.ts";
import { createEveryKind, type Made, openEveryKind } from "../support/every-kind.ts";

function find(cloud: Cloud, name: string, written: Values, session = cloud.session) {
  const lookup = lookups.find((candidate) => candidate.name === name);
  if (lookup === undefined) throw new Error(`no lookup ${name}`);
  return cloud.run(engine.lookup(session, lookup, written, cloud.call));
}

async function withVpcs(...names: string[]) {
  const cloud = openCloud();
  for (const name of names) await cloud.run(cloud.create("vpc", { name }));
  return cloud;
}

/** Sleeps 6 s, so that earlier listings are no longer shared. */
const later = (cloud: Cloud) => cloud.run(cloud.session.ports.clock.sleep(6_000));

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

test("a lookup with neither or both of id and name is rejected, as is an id of another kind", async () => {
  const cloud = openCloud();
  const either = new InputError([
    { path: ["id"], problem: "set either the ID or other attributes, not both" },
  ]);
  await expect(find(cloud, "vpc", {})).rejects.toThrow(either);
  await expect(find(cloud, "vpc", { id: "a", name: "b" })).rejects.toThrow(either);
  await expect(find(cloud, "vpc", { id: "krn:kbs:r:1:2:volume:3" })).rejects.toThrow(
    new InputError([{ path: ["id"], problem: "is the ID of a volume, but the ID of a VPC is required" }]),
  );
  expect(cloud.emulator.log.entries()).toEqual([]);
});

test("the error about a missing id names the region", async () => {
  const id = "krn:vpc:In-Bangalore-1:1:2:vpc:3";
  await expect(find(openCloud(), "vpc", { id })).rejects.toThrow(
    new InputError([{ path: ["id"], problem: `no VPC has the ID ${id} in In-Bangalore-1` }]),
  );
});

test("lookups of a run share one listing, and the next listing has objects that were created since", async () => {
  const cloud = await withVpcs("one", "two");
  const listed = () => requests(cloud, "get_vpc_list").length;
  const before = listed();
  const all = await Promise.all([
    find(cloud, "vpcs", {}),
    find(cloud, "vpcs", { name: "one" }),
    find(cloud, "vpc", { name: "two" }),
    find(cloud, "vpc", { name: "one", status: "active" }),
  ]);
  expect(listed() - before).toBe(1);
  expect((all[1].vpcs as Values[]).map(({ name }) => name)).toEqual(["one"]);
  expect(all[3]).toMatchObject({ name: "one", status: "active", networkName: "one-network" });
  await cloud.run(cloud.create("vpc", { name: "three" }));
  expect(await find(cloud, "vpc", { name: "three" })).toMatchObject({ name: "three" });
});

test("objects in a VPC are looked up by any scalar field that is always set", async () => {
  const cloud = await withVpcs("net");
  const vpcId = live(cloud, "vpc")[0]?.krn as string;
  const volume = (name: string, sizeGb: number) =>
    cloud.run(cloud.create("volume", { vpcId, name, sizeGb, volumeType: "ssd" }));
  const [small] = [await volume("a", 1), await volume("b", 2)];
  expect(await find(cloud, "volume", { vpcId, sizeGb: 1 })).toMatchObject({ id: small.id, name: "a", vpcId });
  const { volumes } = await find(cloud, "volumes", { vpcId, sizeGb: 2 });
  expect(volumes).toMatchObject([{ name: "b", sizeGb: 2, volumeType: "ssd" }]);
  const ids = live(cloud, "volume").map(({ krn, name }) => `${name} (${krn})`);
  await expect(find(cloud, "volume", { vpcId, volumeType: "ssd" })).rejects.toThrow(
    new InputError([{ path: ["volumeType"], problem: `2 volumes have these values: ${ids.join(", ")}` }]),
  );
  await expect(find(cloud, "volume", { vpcId, name: "a", sizeGb: 2 })).rejects.toThrow(
    new InputError([
      { path: ["name"], problem: `no volume has these values. Existing volumes: ${ids.join(", ")}` },
    ]),
  );
});

test("every listed resource has a lookup of one object, and of all objects if names are not unique", () => {
  const names = lookups.map(({ name }) => name);
  const missing = resources.flatMap(({ name, parents = [], verbs }) =>
    verbs.list === undefined
      ? []
      : [name, ...(parents.includes("name") ? [] : [plural(name)])].filter((due) => !names.includes(due)),
  );
  expect(missing).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

test("the page of the provider names the lookups of every resource", () => {
  const rows = text("docs/index.md").matchAll(/^\| \[`(\w+)`\]\(resources[^|]+\|[^|]*\|[^|]*\|([^|]*)\|$/gm);
  const documented = [...rows].map(([, type = "", by = ""]) => [
    type,
    by.replaceAll(/\]\([^)]*\)|\[/g, "").trim(),
  ]);
  const names = lookups.map(({ name }) => name);
  const due = resources.map(({ name }) => [
    terraformType(name),
    [name, plural(name)]
      .filter((lookup) => names.includes(lookup))
      .map((lookup) => `\`${terraformType(lookup)}\``)
      .join(", "),
  ]);
  expect(documented.toSorted()).toEqual(due.toSorted());
});

test("no lookup returns a secret except the URL of a document's result, or a field that the API never returns", () => {
  const returned = lookups.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, { kind, options }]) =>
      (kind === "computed" && options.secret) || "unreadable" in options ? [`${name}.${field}`] : [],
    ),
  );
  expect(returned).toEqual(["document-result.url"]);
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

test("instance types are listed by kind, and one is found by its name", async () => {
  const cloud = openCloud();
  const names = async (written: Values) => {
    const { instanceTypes } = await find(cloud, "instance-types", written);
    return (instanceTypes as Values[]).map(({ name, type }) => `${String(name)} ${String(type)}`);
  };
  const all = await names({});
  const [cpu, gpu] = [await names({ type: "CPU" }), await names({ type: "GPU" })];
  expect(all).toEqual([...cpu, ...gpu]);
  expect(gpu).toEqual(["g1.large GPU"]);
  const { id, region, ...found } = await find(cloud, "instance-type", { name: "c1.medium" });
  expect([id, region]).toEqual([expect.stringMatching(/./), "In-Bangalore-1"]);
  expect(found).toEqual({
    name: "c1.medium",
    type: "CPU",
    cpus: 2,
    memory: 8,
    cost: 3,
    currency: "XXX",
    unit: "hour",
    status: "active",
  });
  await expect(find(cloud, "instance-type", { name: "c9" })).rejects.toThrow(
    new InputError([
      {
        path: ["name"],
        problem: `no instance type has this name. Existing instance types: ${all.map((text) => text.split(" ")[0]).join(", ")}`,
      },
    ]),
  );
  expect(requests(cloud, "list_flavors")).toHaveLength(2);
});

test("volume types are looked up in a VPC; regions need no request", async () => {
  const cloud = await withVpcs("net");
  const vpcId = live(cloud, "vpc")[0]?.krn as string;
  const { volumeTypes } = await find(cloud, "volume-types", { vpcId });
  expect(volumeTypes).toEqual(["standard", "ssd", "HNSS", "HNSS_Encrypted"]);
  const before = cloud.emulator.log.entries().length;
  expect(await find(cloud, "regions", {})).toEqual({ regions: ["In-Bangalore-1", "In-Hyderabad-1"] });
  expect(cloud.emulator.log.entries()).toHaveLength(before);
});

test("a lookup sends only reads, and its error says that nothing was changed", async () => {
  const cloud = await withVpcs("one");
  const before = cloud.emulator.log.entries().length;
  await find(cloud, "vpc", { name: "one" });
  const sent = cloud.emulator.log.entries().slice(before);
  expect(sent.map(({ operation }) => operation)).toEqual(["get_vpc_list", "get_vpc"]);
  cloud.emulator.faults.add({ target: "*", kind: "503" });
  await later(cloud);
  const failed = await failure(find(cloud, "vpcs", {}));
  expect(explain(failed).summary).toBe("Looking up the VPCs failed");
  expect(explain(failed).detail).toMatch(
    /^The API gave no clear response\.\nThe API reports: injected fault\. \(status 503, .*\nNothing was changed\.\nRun again\.$/,
  );
});

test.each<[string, string, string]>([
  ["vpc", "get_vpc", "krn"],
  ["subnet", "get_vpc", "cidr"],
  ["volume", "list_volumes", "size"],
  ["bucket", "list_buckets", "versioning"],
  ["instance-template", "list_templates", "volume_size"],
])("a lookup of a %s has the same result if one response (%s) lacks %s", async (kind, target, field) => {
  const cloud = openEveryKind();
  const { state } = (await createEveryKind(cloud)).find((one) => one.kind === kind) as Made;
  const of: Values = kind === "subnet" || kind === "volume" ? { vpcId: state.values.vpcId ?? "" } : {};
  const ask = () => find(cloud, kind, { ...of, id: state.id ?? "" }, cloud.reopen());
  const whole = await ask();
  cloud.emulator.faults.add({ target, kind: "missing-field", field, times: 1 });
  expect(await ask()).toEqual(whole);
});

test("a lookup of all volumes has the same result if one response lacks the name or the id of an object", async () => {
  const cloud = openEveryKind();
  const { state } = (await createEveryKind(cloud)).find(({ kind }) => kind === "volume") as Made;
  const inputs: Values = { vpcId: state.values.vpcId ?? "", name: state.values.name ?? "" };
  const ask = () => find(cloud, "volumes", inputs, cloud.reopen());
  const whole = await ask();
  expect(whole.volumes).toHaveLength(1);
  for (const field of ["name", "id", "krn"]) {
    cloud.emulator.faults.add({ target: "list_volumes", kind: "missing-field", field, times: 1 });
    expect(await ask()).toEqual(whole);
  }
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
