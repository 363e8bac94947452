import { expect, test } from "@jest/globals";
import type { Entry } from "../../../account/seed/row.ts";
import { seedOf } from "../../../account/seed/seed.ts";
import { parseInventory } from "../../../emulator/inventory/inventory.ts";
import { reveal, type Values } from "../../../provider/core/value.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { krnOf } from "../../emulator/inventory/sample.ts";
import { resource } from "../../support/cloud.ts";
import { createEveryKind, type Made, openEveryKind } from "../../support/every-kind.ts";

const entryOf = ({ kind, state }: Made): Entry => ({
  kind,
  id: String(state.id),
  region: String(state.values.region ?? ""),
  values: reveal(state.values) as Values,
  createdAt: state.createdAt,
});

/** Returns the seed of entries as an emulator reads it. */
const written = (...args: Parameters<typeof seedOf>) =>
  parseInventory(JSON.parse(JSON.stringify(seedOf(...args).inventory)));

const region = "In-Bangalore-1";
const vpc = krnOf("vpc", "vpc", 1);
const volume: Entry = {
  kind: "volume",
  id: krnOf("kbs", "volume", 2),
  region,
  values: { vpcId: vpc, name: "data", sizeGb: 10, volumeType: "ssd" },
};
const instance: Entry = {
  kind: "instance",
  id: krnOf("vm", "instance", 3),
  region,
  values: {
    ...{ vpcId: vpc, name: "web", instanceType: "m7.huge", subnetId: krnOf("vpc", "subnet", 4) },
    ...{ sshkeyName: "ana", securityGroups: [krnOf("sg", "sg", 5)], ipAddress: "10.7.0.9" },
  },
};

test("a provider reads the objects of a state from an emulator that began with its seed as from the cloud", async () => {
  const first = openEveryKind();
  const made = await createEveryKind(first);
  const { inventory, assumed } = seedOf(made.map(entryOf));
  const second = openEveryKind({ seed: "another" });
  await second.run(second.session.ports.clock.sleep(first.elapsed() - second.elapsed()));
  second.emulator.load(parseInventory(JSON.parse(JSON.stringify(inventory))));
  for (const { kind, state } of made) {
    const read = (from: typeof first) =>
      from.run(engine.read(from.reopen(), resource(kind), state, from.call));
    expect([kind, await read(second)]).toEqual([kind, await read(first)]);
  }
  expect(assumed.map((fact) => fact.replace(/krn:\S+:|[\da-f-]{36}/g, "…"))).toEqual([
    "the address of the port ……",
    ...Array.from({ length: 4 }, () => "the result of the document job …"),
    'the secret of the access key "life"',
    'the user of the inference task "life"',
    ...["herd-1", "herd-2"].map((name) => `volume and port of the machine "${name}" of a batch`),
  ]);
});

test("two seeds of the same entries have the same bytes, in any order of the entries", async () => {
  const world = openEveryKind();
  const entries = (await createEveryKind(world)).map(entryOf);
  const text = JSON.stringify(seedOf(entries));
  expect(JSON.stringify(seedOf(entries))).toBe(text);
  expect(JSON.stringify(seedOf(entries.toReversed()))).toBe(text);
});

test("objects to which a state refers and which it lacks are invented and listed", () => {
  const { assumed } = seedOf([volume, instance]);
  const kinds = written([volume, instance]).objects.map(({ kind }) => kind);
  expect(kinds).toEqual([
    ...["instance", "instance_type", "network", "port", "security_group", "ssh_key", "subnet", "volume"],
    ...["volume", "vpc"],
  ]);
  expect(assumed.map((fact) => fact.replace(/krn:\S+:/, "…"))).toEqual([
    expect.stringMatching(/^network …/),
    expect.stringMatching(/^security group …/),
    expect.stringMatching(/^ssh key …/),
    expect.stringMatching(/^subnet …/),
    'the boot volume of the instance "web"',
    "the size of the instance type m7.huge",
    expect.stringMatching(/^vpc …/),
  ]);
});

test("an invented subnet contains the addresses of its ports", () => {
  const subnet = written([instance]).objects.find(({ kind }) => kind === "subnet");
  expect(subnet).toMatchObject({ cidr: "10.7.0.0/24" });
});

test("rows of an inventory of the account replace invented ones, and not the objects of a state", () => {
  const known = [
    { kind: "vpc", krn: vpc, name: "real" },
    { kind: "volume", krn: volume.id, name: "older name", vpc, size: 1, volumeType: "hdd" },
  ];
  const { objects } = written([volume], { known });
  expect(objects.map(({ kind, name }) => [kind, name])).toEqual([
    ["network", "network"],
    ["volume", "data"],
    ["vpc", "real"],
  ]);
});

test("machines of a batch are those of an inventory, if it has them", () => {
  const id = krnOf("vm", "instance", 8);
  const batch: Entry = {
    ...{ kind: "instance-batch", id: "00000000-0000-4000-8000-000000000009", region },
    values: { vpcId: vpc, name: "herd", instances: [{ id, name: "herd-1" }] },
  };
  const known = written([{ ...instance, id }]).objects;
  const { inventory, assumed } = seedOf([batch], { known });
  expect(inventory.objects).toEqual(known);
  expect(assumed).toEqual([]);
});

test("what a planned object uses exists too, and the planned object does not", () => {
  const image = krnOf("vm", "image", 6);
  const used = [{ ...instance, id: "", values: { ...instance.values, bootVolume: { imageKrn: image } } }];
  const kinds = written([], { used }).objects.map(({ kind }) => kind);
  expect(kinds).toEqual(["image", "instance_type", "network", "security_group", "ssh_key", "subnet", "vpc"]);
});

test("a rule whose content is not known counts as open", () => {
  const rule: Entry = {
    ...{ kind: "security-group-rule", id: krnOf("sgr", "sgr", 7), region },
    values: { vpcId: vpc, securityGroupId: krnOf("sg", "sg", 5), direction: null },
  };
  expect(written([rule]).objects).toContainEqual(
    expect.objectContaining({ direction: "ingress", protocol: "all", remote: "0.0.0.0/0" }),
  );
  expect(seedOf([rule]).assumed).toContainEqual(expect.stringContaining("remote of the rule"));
});

test("ids that differ in the case of their letters are one object", () => {
  const upper = { ...volume, id: volume.id.replace("krn:kbs:In-Bangalore-1", "krn:kbs:in-bangalore-1") };
  expect(written([volume, upper]).objects.filter(({ kind }) => kind === "volume")).toHaveLength(1);
});

test("a state without objects makes an inventory without objects", () => {
  expect(written([])).toMatchObject({ objects: [], time: "2000-01-01T00:00:00Z" });
});
