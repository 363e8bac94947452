import { Instance, PortSecurityGroups, SecurityGroup, SshKey, Subnet, Vpc } from "@kcloud/iac/pulumi";

const shop = new Vpc("shop");
const subnet = new Subnet("web", { vpcId: shop.id, cidr: "10.0.0.0/24" });
const group = new SecurityGroup("web", { vpcId: shop.id });
const audit = new SecurityGroup("audit", { vpcId: shop.id });
const deploy = new SshKey("deploy", {
  publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ deploy@shop",
});

// After the create, the list of PortSecurityGroups counts.
const web = new Instance(
  "web",
  {
    vpcId: shop.id,
    instanceType: "c1.small",
    subnetId: subnet.id,
    sshkeyName: deploy.name,
    securityGroups: [group.id],
    bootVolume: {
      imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
      sizeGb: 20,
      volumeType: "ssd",
    },
  },
  { ignoreChanges: ["securityGroups"] },
);

new PortSecurityGroups("web", { portId: web.portId, securityGroups: [group.id, audit.id] });
