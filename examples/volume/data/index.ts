import { Instance, SecurityGroup, Subnet, Volume, VolumeAttachment, Vpc } from "@kcloud/iac/pulumi";

const sizes = { orders: 100, invoices: 50 };

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });

const database = new Instance("database", {
  vpcId: shop.id,
  instanceType: "c1.small",
  subnetId: subnet.id,
  sshkeyName: "demo-key",
  securityGroups: [group.id],
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    sizeGb: 20,
    volumeType: "ssd",
  },
});

const attachments = Object.entries(sizes).map(([name, sizeGb]) => {
  const volume = new Volume(
    name,
    { vpcId: shop.id, name, sizeGb, volumeType: "ssd" },
    // A volume that other tools enlarge, such as a script that runs when it is nearly full, would be an error of each
    // preview after a refresh: a volume never shrinks. With ignoreChanges, the size is used for new volumes only.
    { ignoreChanges: ["sizeGb"] },
  );
  return new VolumeAttachment(name, { vpcId: shop.id, volumeId: volume.id, instanceId: database.id });
});

export const devices = attachments.map(({ device }) => device);
