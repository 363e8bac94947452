import { expect } from "@jest/globals";
import type { Item } from "../adapter/adapter.ts";
import { destroy, network, testWithProject, up } from "../support/engine/stack.ts";

/** Machines that Pulumi must not replace: in a stack of another region, by another spelling, for a larger volume. */

const there = { environment: { SERVICE_REGION: "In-Hyderabad-1" } };
const script = "#!/bin/sh\necho ready\n";
const image = (region: string) =>
  `krn:vm:${region}:default:default:image:00000000-0000-4000-8000-000000000101`;

const vpc = network({ name: "net", primarySubnet: { name: "a", cidr: "10.0.0.0/24" } });
const machine = (sizeGb: number, own: Item["inputs"], region = "In-Bangalore-1"): Item[] => [
  vpc,
  {
    name: "group",
    resource: "security-group",
    inputs: { vpcId: { ref: "net", property: "id" }, name: "web" },
  },
  {
    name: "lan",
    resource: "subnet",
    inputs: { vpcId: { ref: "net", property: "id" }, name: "lan", cidr: "10.0.1.0/24" },
  },
  {
    name: "web",
    resource: "instance",
    inputs: {
      vpcId: { ref: "net", property: "id" },
      name: "web",
      instanceType: "c1.small",
      subnetId: { ref: "lan", property: "id" },
      sshkeyName: "demo-key",
      securityGroups: [{ ref: "group", property: "id" }],
      bootVolume: { imageKrn: image(region), sizeGb, volumeType: "ssd" },
      ...own,
    },
  },
];

for (const kind of ["pulumi", "dynamic"] as const)
  testWithProject(
    `a machine stays for the same user data in the other attribute, a larger boot volume, and another SERVICE_REGION (${kind})`,
    async ({ emulator, project, stored }) => {
      const sent = (operation: string) => emulator.log.entries({ operation }).length;
      await project.write(kind, machine(20, { userData: script }));
      await project.done(...up);
      const { id } = await stored("web");
      const encoded = { userDataBase64: Buffer.from(script).toString("base64") };
      await project.write(kind, machine(30, encoded));
      expect(await project.done(...up)).toMatch(/~ 1 updated/);
      expect(await project.done("preview", "--expect-no-changes")).toContain("unchanged");
      const after = await stored("web");
      expect([after.id, after.outputs?.bootVolumeSizeGb]).toEqual([id, 30]);

      await project.write(kind, machine(30, encoded, "In-Hyderabad-1"));
      const other = await project.run(up, there);
      expect([other.code === 0, sent("delete_instance"), sent("create_instance")]).toEqual([false, 0, 1]);
      expect(other.output).toContain("its replacement would fail after the existing object is deleted");

      await project.write(kind, machine(30, { ...encoded, region: "In-Hyderabad-1" }));
      const elsewhere = await project.run(up, there);
      expect([elsewhere.code === 0, sent("delete_instance")]).toEqual([false, 0]);
      expect(elsewhere.output).toContain("is In-Hyderabad-1, but vpcId is an ID in In-Bangalore-1");
      const destroyed = await project.run(destroy, there);
      expect([destroyed.code, emulator.inventory.list()]).toEqual([0, []]);
    },
  );

for (const kind of ["pulumi", "dynamic"] as const)
  testWithProject(
    `a replaced VPC stays in its region, in a stack of another region (${kind})`,
    async ({ project, stored }) => {
      await project.write(kind, [network({ name: "one" })]);
      await project.done(...up);
      await project.write(kind, [network({ name: "two" })]);
      const { code, output } = await project.run(up, there);
      if (code !== 0) throw new Error(output);
      const { outputs } = await stored("net");
      expect([outputs?.name, outputs?.region]).toEqual(["two", "In-Bangalore-1"]);
    },
  );
