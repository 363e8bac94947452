// The stack with CDKTN: `node main.ts` writes a Terraform configuration to cdktf.out.
import { KcloudProvider, Subnet, Volume, Vpc } from "@kcloud/iac/cdktn";
import { App, TerraformOutput, TerraformStack, TerraformVariable } from "cdktn";

const app = new App();
const stack = new TerraformStack(app, "shop");

// Takes SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_REGION from the environment.
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
new TerraformOutput(stack, "orders_status", { value: orders.status });

app.synth();
