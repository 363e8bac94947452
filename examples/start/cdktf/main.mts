import { KcloudProvider, Volume, Vpc } from "@kcloud/iac/cdktf";
import { App, TerraformStack } from "cdktf";

const app = new App();
const stack = new TerraformStack(app, "shop");
new KcloudProvider(stack, "kcloud");
const network = new Vpc(stack, "network", { name: "shop" });
new Volume(stack, "orders", { vpcId: network.id, name: "orders", sizeGb: 20, volumeType: "ssd" });
app.synth();
