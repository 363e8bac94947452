// The stack with CDKTF: `node main.ts` writes a Terraform configuration to cdktf.out.
import {
  Instance,
  KcloudProvider,
  SecurityGroup,
  SecurityGroupRule,
  SshKey,
  Subnet,
  Volume,
  Vpc,
} from "@kcloud/iac/cdktf";
import { App, TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";

const app = new App();
const stack = new TerraformStack(app, "shop");

// Reads SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_REGION from the environment.
new KcloudProvider(stack, "kcloud");

const ordersSizeGb = new TerraformVariable(stack, "orders_size_gb", {
  description: "Size of the orders volume; it can grow.",
  type: "number",
  default: 20,
});

const network = new Vpc(stack, "network", {
  name: "shop",
  description: "Everything the shop runs on",
  primarySubnet: { name: "web", cidr: "10.0.0.0/24" },
});

const database = new Subnet(stack, "database", {
  vpcId: network.id,
  name: "database",
  cidr: "10.0.1.0/24",
});

const guard = new SecurityGroup(stack, "guard", { vpcId: network.id, name: "database" });
const inGuard = { vpcId: network.id, securityGroupId: guard.id };

new SecurityGroupRule(stack, "queries", {
  ...inGuard,
  direction: "ingress",
  protocol: "tcp",
  portRangeMin: 5432,
  portRangeMax: 5432,
  remoteIpPrefix: "10.0.0.0/24",
});

new SecurityGroupRule(stack, "out", {
  ...inGuard,
  direction: "egress",
  protocol: "all",
  remoteIpPrefix: "0.0.0.0/0",
});

const deploy = new SshKey(stack, "deploy", {
  name: "deploy",
  publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ deploy@shop",
});

const machine = new Instance(stack, "machine", {
  vpcId: network.id,
  name: "database",
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

const orders = new Volume(stack, "orders", {
  vpcId: network.id,
  name: "orders",
  sizeGb: ordersSizeGb.numberValue,
  volumeType: "ssd",
  metadata: { team: "orders" },
});

new TerraformOutput(stack, "vpc_id", { value: network.id });
new TerraformOutput(stack, "network_name", { value: network.networkName });
new TerraformOutput(stack, "database_subnet", { value: database.id });
new TerraformOutput(stack, "database_address", { value: machine.ipAddress });
new TerraformOutput(stack, "orders_status", { value: orders.status });

app.synth();
