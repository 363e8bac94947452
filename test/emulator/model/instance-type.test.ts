import { expect, test } from "@jest/globals";
import { emulatorWith, instance, krnOf, rows, subnet, vpc } from "../inventory/sample.ts";

const flavor = {
  kind: "instance_type",
  krn: krnOf("vm", "flavor", 12),
  name: "m7.huge",
  cpus: 96,
  memory: 768,
};
const image = { kind: "image", krn: krnOf("vm", "image", 11), name: "golden" };
const group = { kind: "security_group", krn: krnOf("sg", "sg", 13), name: "web", vpc };
const port = { ...rows.port, instance };
const base = [rows.vpc, rows.network, rows.subnet, port, rows.bootVolume, rows.instance, group];

test("instance types and images of an inventory can be used beside those of the catalogue; others cannot", async () => {
  const emulator = await emulatorWith([...base, image, flavor]);
  const { body } = await emulator.call("GET /api/v1/flavor/compute");
  expect(JSON.stringify(body)).toMatch(/"c1.small".*"m7.huge","cpus":96,"cpuram":768/);
  const create = async (instanceType: string) => {
    const { status, body } = await emulator.call("POST /vm/v1/create_instance_async", {
      body: {
        ...{ vpc_id: vpc, subnet_id: subnet, region: "In-Bangalore-1", sshkey_name: "demo-key" },
        ...{ instanceName: "new", instanceType, image_krn: image.krn, security_groups: [group.krn] },
        ...{ volume_name: "new-boot", volume_size: 20, volumetype: "ssd" },
      },
    });
    return [status < 300, JSON.stringify(body)];
  };
  expect(await create("m8.none")).toEqual([
    false,
    expect.stringContaining(
      "instance type m8.none not found; there are c1.small, c1.medium, c1.large, g1.large, m7.huge",
    ),
  ]);
  expect(await create("m7.huge")).toEqual([true, expect.anything()]);
});

test("an instance type of an inventory replaces that of the catalogue with its name", async () => {
  const emulator = await emulatorWith([{ ...flavor, name: "c1.small" }]);
  const { body } = await emulator.call("GET /api/v1/flavor/compute");
  expect(JSON.stringify(body).match(/"c1.small"/g)).toHaveLength(1);
});
