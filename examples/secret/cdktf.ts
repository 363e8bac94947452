// The same with CDKTF: `node cdktf.ts`. It has no classes for functions and ephemeral resources: an override adds the
// block, and expressions in HCL call the functions and refer to the token.
import { Instance, KcloudProvider, SecurityGroup, SshKey, Subnet, Vpc } from "@kcloud/iac/cdktf";
import { App, TerraformStack, TerraformVariable } from "cdktf";

const app = new App();
const stack = new TerraformStack(app, "secret");
new KcloudProvider(stack, "kcloud");

const modelApiKey = new TerraformVariable(stack, "model_api_key", { type: "string" });
modelApiKey.addOverride("ephemeral", true);

// A token that is valid for five minutes. The provider signs in with email and password.
stack.addOverride("ephemeral.kcloud_access_token.first_start", {});
const token = "ephemeral.kcloud_access_token.first_start.token";

const shop = new Vpc(stack, "shop", { name: "shop" });

const web = new Subnet(stack, "web", {
  vpcId: shop.id,
  name: "web",
  cidr: `\${provider::kcloud::subnets("10.0.0.0/16", 24)[0]}`,
});

const guard = new SecurityGroup(stack, "guard", { vpcId: shop.id, name: "web" });

const deploy = new SshKey(stack, "deploy", {
  name: "deploy",
  publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ deploy@shop",
});

new Instance(stack, "machine", {
  vpcId: shop.id,
  name: "web",
  instanceType: "c1.small",
  subnetId: web.id,
  sshkeyName: deploy.name,
  securityGroups: [guard.id],
  bootVolume: {
    imageKrn: "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101",
    sizeGb: 20,
    volumeType: "ssd",
  },
  modelApiKeyWo: modelApiKey.stringValue,
  modelApiKeyWoVersion: 1,
  userDataBase64Wo: `\${provider::kcloud::user_data("#!/bin/sh\\nregister-machine --token \${${token}}\\n")}`,
  userDataBase64WoVersion: 1,
});

app.synth();
