import { expect, test } from "@jest/globals";
import { explain } from "../../../provider/core/error.ts";
import type { Values } from "../../../provider/core/value.ts";
import { inWordsOf, type Words } from "../../../provider/core/wording.ts";
import { importableFields, importForm } from "../../../provider/definition/import-id.ts";
import { engine } from "../../../provider/engine/engine.ts";
import { resources } from "../../../resources/index.ts";
import { type Cloud, failure, live, openCloud, resource } from "../../support/cloud.ts";
import { openNetwork } from "../../support/instance-world.ts";

/** Tests imports by the name of the object, which users know without looking up its id. */

const importText = (cloud: Cloud, kind: string, text: string) =>
  cloud.run(engine.import(cloud.reopen(), resource(kind), text, cloud.call));

async function withVolumes(...names: string[]) {
  const cloud = openCloud();
  const vpcId = String((await cloud.run(cloud.create("vpc", { name: "net" }))).id);
  const volume = (name: string) => ({ vpcId, name, sizeGb: 1, volumeType: "ssd" });
  for (const name of names) await cloud.run(cloud.create("volume", volume(name)));
  return { cloud, vpcId, ids: live(cloud, "volume").map(({ krn }) => krn) };
}

test("a listed object is imported by its name with any characters, with one listing", async () => {
  const { cloud, vpcId, ids } = await withVolumes("data", "my data: Größe/1 ***");
  const before = cloud.emulator.log.entries().length;
  expect((await importText(cloud, "volume", `${vpcId},data`)).id).toBe(ids[0]);
  const sent = cloud.emulator.log.entries().slice(before);
  expect(sent.map(({ operation }) => operation)).toEqual(["list_volumes"]);
  const other = await importText(cloud, "volume", `In-Bangalore-1, ${vpcId} , my data: Größe/1 *** `);
  expect([other.id, other.values.name]).toEqual([ids[1], "my data: Größe/1 ***"]);
});

test("a name of several objects is an error with their import ids", async () => {
  const { cloud, vpcId, ids } = await withVolumes("data", "more", "logs");
  cloud.emulator.inventory.change(ids[1] ?? "", { name: "data" });
  const failed = await failure(importText(cloud, "volume", `${vpcId},data`));
  expect(explain(failed)).toEqual({
    summary: "Importing the volume failed",
    detail: [
      `2 volumes of ${vpcId} in In-Bangalore-1 have the ID or name "data".`,
      "Nothing was changed.",
      `Import the one that belongs to this resource (terraform import kcloud_volume.NAME 'ID', or tofu import with the same arguments): '${vpcId},${ids[0]}', '${vpcId},${ids[1]}'.`,
    ].join("\n"),
  });
});

test("an unknown name is an error that names the searched listing", async () => {
  const { cloud, vpcId, ids } = await withVolumes("data");
  const unknown = await failure(importText(cloud, "volume", `${vpcId},dato`));
  expect(explain(unknown).detail).toBe(
    [
      `No volume of ${vpcId} in In-Bangalore-1 has the ID or name "dato"; did you mean "data"? (1 listed).`,
      "Nothing was changed.",
      `Existing ones: data (${ids[0]}).`,
    ].join("\n"),
  );
  const empty = await failure(importText(cloud, "image", "golden"));
  expect(explain(empty).detail).toBe(
    [
      'No image in In-Bangalore-1 has the ID or name "golden" (0 listed).',
      "Nothing was changed.",
      "Check the ID, the region and the account of the API key.",
    ].join("\n"),
  );
});

test("the error about an unknown attachment names the attribute as the engine spells it", async () => {
  const { cloud, vpcId, ids } = await withVolumes("data");
  const failed = await failure(importText(cloud, "volume-attachment", `${vpcId},${ids[0]},web`));
  expect(explain(failed, "terraform").detail).toContain(' has the ID or instance_id "web" (');
  expect(explain(failed, "pulumi").detail).toContain(' has the ID or instanceId "web" (');
});

test("an object that is listed with a masked id is not imported by its name", async () => {
  const cloud = openCloud();
  await cloud.run(cloud.create("vpc", { name: "net" }));
  cloud.emulator.faults.add({ target: "get_vpc_list", kind: "masked-ids", when: "after" });
  const failed = await failure(importText(cloud, "vpc", "net"));
  expect(explain(failed).detail).toBe(
    [
      'A listing shows the object that has the ID or name "net" with a masked ID.',
      "Nothing was changed.",
      "Look up its full ID in the cloud's console and import it (terraform import kcloud_vpc.NAME 'ID', or tofu import with the same arguments).",
    ].join("\n"),
  );
});

test("an SSH key is imported by its name alone", async () => {
  const cloud = openCloud();
  const publicKey =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ somebody";
  const { id } = await cloud.run(cloud.create("ssh-key", { name: "of the deployer", publicKey }));
  for (const text of [
    "of the deployer",
    `of the deployer,${id}`,
    "In-Bangalore-1,of the deployer,of the deployer",
  ])
    expect(await importText(cloud, "ssh-key", text)).toMatchObject({
      id,
      values: { name: "of the deployer" },
    });
});

test("a floating IP is imported by its address or its name, and an instance by its name", async () => {
  const { cloud, vpcId, written, create } = await openNetwork();
  const machine = await cloud.run(create());
  const { subnetId = null } = written;
  const address = await cloud.run(cloud.create("floating-ip", { vpcId, name: "front", subnetId }));
  const shown = String(address.values.address);
  for (const name of [shown, "front"])
    expect((await importText(cloud, "floating-ip", `${vpcId},${name}`)).id).toBe(address.id);
  expect((await importText(cloud, "instance", `${vpcId},web`)).id).toBe(machine.id);
});

test("the error about the form of an import id has the names of its adapter", () => {
  const form = (kind: string, words: Words = "pulumi") => inWordsOf(words, importForm(resource(kind)));
  expect(form("vpc")).toBe("id or region,id, where its name can replace the id");
  expect(form("volume", "terraform")).toBe(
    "vpc_id,id or region,vpc_id,id, where its name can replace the id",
  );
  expect(form("ssh-key")).toBe("name or name,id or region,name,id, where its name can replace the id");
  expect(form("security-group-rule")).toBe("vpcId,id or region,vpcId,id");
  expect(form("floating-ip")).toBe(
    "vpcId,id or region,vpcId,id, where its address or its name can replace the id",
  );
});

test("every listed object can be imported by its name, except rules and access keys, which have none", () => {
  const nameless = resources.filter((of) => of.verbs.list !== undefined && importableFields(of).length === 0);
  expect(nameless.map(({ name }) => name)).toEqual(["security-group-rule", "access-key"]);
});

test("an identity consists of ids: a name is rejected", async () => {
  const { cloud, vpcId } = await withVolumes("data");
  const where = (id: string) => ({ id, region: undefined, values: { vpcId } satisfies Values });
  const work = (id: string) => engine.import(cloud.reopen(), resource("volume"), where(id), cloud.call);
  await expect(cloud.run(work("my data"))).rejects.toThrow(
    "id: contains a space or a character that is not allowed in an ID",
  );
  expect(explain(await cloud.run(failure(work("data")))).detail).toContain("No volume has the ID data in");
});

test("a parent's name in place of its ID is named in the error", async () => {
  const { cloud, vpcId } = await withVolumes("data");
  const failed = async (text: string) => explain(await failure(importText(cloud, "volume", text))).detail;
  expect((await failed("net,data")).split("\n")[0]).toBe(
    'No volume of net in In-Bangalore-1 has the ID or name "data" (0 listed); vpc_id "net" looks like a name: it must be the ID of the VPC.',
  );
  expect(await failed(`${vpcId},other`)).not.toContain("looks like a name");
});
