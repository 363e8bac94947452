// Functions, a token, and secrets that no plan and no state contains, with CDKTN: `node cdktn.ts`.
import {
  EphemeralKcloudAccessToken,
  Instance,
  KcloudProvider,
  SecurityGroup,
  SshKey,
  Subnet,
  Vpc,
} from "@kcloud/iac/cdktn";
import { App, Fn, TerraformStack, TerraformVariable } from "cdktn";

// Versions of the engines; CDKTN rejects features that they lack.
const app = new App({ context: { targetVersions: { terraform: ">=1.11.0", opentofu: ">=1.11.0" } } });
const stack = new TerraformStack(app, "secret");
const { functions } = new KcloudProvider(stack, "kcloud");

const modelApiKey = new TerraformVariable(stack, "model_api_key", { type: "string" });
modelApiKey.addOverride("ephemeral", true);

// A token that is valid for five minutes. The provider signs in with email and password.
const { token } = new EphemeralKcloudAccessToken(stack, "first_start");

const shop = new Vpc(stack, "shop", { name: "shop" });

const web = new Subnet(stack, "web", {
  vpcId: shop.id,
  name: "web",
  cidr: Fn.element(functions.subnets("10.0.0.0/16", [24]), 0),
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
  userDataBase64Wo: functions.userData([`#!/bin/sh\nregister-machine --token ${token}\n`]),
  userDataBase64WoVersion: 1,
});

app.synth();
