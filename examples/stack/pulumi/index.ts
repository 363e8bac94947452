// The stack with the native plugin: previews show more, and every resource can be imported.
import { Instance, SecurityGroup, SecurityGroupRule, SshKey, Subnet, Volume, Vpc } from "@kcloud/iac/pulumi";

const network = new Vpc("shop", {
  description: "Everything the shop runs on",
  primarySubnet: { name: "web", cidr: "10.0.0.0/24" },
});

const database = new Subnet("database", {
  vpcId: network.id,
  cidr: "10.0.1.0/24",
});

const guard = new SecurityGroup("database", { vpcId: network.id });
const inGuard = { vpcId: network.id, securityGroupId: guard.id };

new SecurityGroupRule("queries", {
  ...inGuard,
  direction: "ingress",
  protocol: "tcp",
  portRangeMin: 5432,
  portRangeMax: 5432,
  remoteIpPrefix: "10.0.0.0/24",
});

new SecurityGroupRule("out", {
  ...inGuard,
  direction: "egress",
  protocol: "all",
  remoteIpPrefix: "0.0.0.0/0",
});

const deploy = new SshKey("deploy", {
  publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ deploy@shop",
});

const machine = new Instance("database", {
  vpcId: network.id,
  subnetId: database.id,
  instanceType: "c1.small",
  sshkeyName: deploy.name,
  securityGroups: [guard.id],
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    sizeGb: 10,
    volumeType: "ssd",
  },
});

const orders = new Volume("orders", {
  vpcId: network.id,
  sizeGb: 20,
  volumeType: "ssd",
  metadata: { team: "orders" },
});

export const vpcId = network.id;
export const networkName = network.networkName;
export const databaseSubnet = database.id;
export const databaseAddress = machine.ipAddress;
export const ordersStatus = orders.status;
