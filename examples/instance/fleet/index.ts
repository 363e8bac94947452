import { Instance, SecurityGroup, Subnet, Vpc } from "@kcloud/iac/pulumi";

const servers = { "web-1": { port: 8080 }, "web-2": { port: 8081 } };
const userData = (name: string, port: number) =>
  [
    "#!/bin/sh",
    `hostnamectl set-hostname ${name}`,
    `printf 'PORT=%s\\n' ${port} > /etc/shop.env`,
    "systemctl enable --now shop",
    "",
  ].join("\n");

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });

const instances = Object.entries(servers).map(
  ([name, { port }]) =>
    new Instance(
      name,
      {
        vpcId: shop.id,
        name,
        instanceType: "c1.small",
        subnetId: subnet.id,
        sshkeyName: "demo-key",
        securityGroups: [group.id],
        bootVolume: {
          imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
          sizeGb: 20,
          volumeType: "ssd",
        },
        userData: userData(name, port),
      },
      // User data is read at the first start only, so a change would replace each instance and its boot volume. With
      // ignoreChanges, changed user data applies to instances that are created later, and existing ones are kept.
      { ignoreChanges: ["userData"] },
    ),
);

export const addresses = instances.map(({ ipAddress }) => ipAddress);
