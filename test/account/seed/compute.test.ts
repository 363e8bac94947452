import { expect, test } from "@jest/globals";
import { instance, instanceBatch, instanceTemplate } from "../../../account/seed/compute.ts";

const owner = { account: "12", customer: "00000000-0000-4000-8000-000000000001" };
const entry = (values: object, kind = "instance") => ({
  ...{ kind, id: "krn:web", region: "In-A-1", values: values as never },
});
const values = {
  vpcId: "krn:net",
  subnetId: "krn:s",
  name: "web",
  instanceType: "c1.small",
  sshkeyName: "ana",
};

test("an instance has its port, its boot volume and its address, unless other entries have them", () => {
  const { rows, parts, changes, assumed } = instance(
    entry({
      ...{
        ...values,
        portId: "krn:port",
        bootVolumeId: "krn:boot",
        bootVolumeSizeGb: 20,
        ipAddress: "10.0.0.9",
      },
      ...{
        bootVolume: { imageKrn: "krn:image", name: "disk", volumeType: "hdd" },
        securityGroups: ["krn:a"],
      },
      ...{ floatingIpId: "krn:ip", floatingIpAddress: "192.0.2.7", powerState: "stopped" },
    }),
    owner,
  );
  expect(rows).toMatchObject([
    {
      port: "krn:port",
      bootVolume: "krn:boot",
      image: "krn:image",
      running: false,
      deleteOnTermination: true,
    },
  ]);
  expect(parts).toMatchObject([
    { kind: "port", krn: "krn:port", ip: "10.0.0.9" },
    { kind: "volume", krn: "krn:boot", name: "disk", size: 20, volumeType: "hdd" },
    { kind: "floating_ip", krn: "krn:ip", address: "192.0.2.7", port: "krn:port" },
  ]);
  expect(changes).toEqual([
    { krn: "krn:port", fields: { instance: "krn:web", securityGroups: ["krn:a"] } },
    { krn: "krn:ip", fields: { port: "krn:port" } },
    { krn: "krn:ip", fields: { deletedWithPort: true }, when: expect.any(Function) },
  ]);
  const [, , released] = changes ?? [];
  const address = { kind: "floating_ip", krn: "krn:ip", name: "public" };
  expect([null, "krn:own"].map((reservedPort) => released?.when?.({ ...address, reservedPort }))).toEqual([
    true,
    false,
  ]);
  expect(assumed).toEqual([]);
});

test("no secret of an instance is in its rows", () => {
  const secrets = { userData: "canary-1", gatewayPassword: "canary-2", modelApiKey: "canary-3" };
  expect(JSON.stringify(instance(entry({ ...values, ...secrets }), owner))).not.toContain("canary");
});

test("user data of a template is that of the API, which returns it", () => {
  const template = { ...values, userDataBase64: Buffer.from("#!/bin/sh").toString("base64") };
  expect(instanceTemplate(entry(template, "instance-template"), owner).rows).toMatchObject([
    { config: { user_data: "#!/bin/sh", vpc_id: "krn:net" } },
  ]);
});

test("a batch has the machines that its state shows", () => {
  const instances = [{ id: "krn:one", name: "herd-1", status: "ERROR", ip: "10.0.0.2" }, { name: "no id" }];
  const { rows, members = [] } = instanceBatch(
    entry({ vpcId: "krn:net", name: "herd", templateId: "krn:t", instances }, "instance-batch"),
    owner,
  );
  expect(rows).toBeUndefined();
  expect(members).toMatchObject([
    {
      rows: [{ krn: "krn:one", batch: "krn:web", failure: "failed", template: "krn:t" }],
      assumed: ['volume and port of the machine "herd-1" of a batch'],
    },
  ]);
});
