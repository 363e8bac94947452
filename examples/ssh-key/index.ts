// Instances refer to the key by its name.
import { SshKey } from "@kcloud/iac/pulumi";

const deploy = new SshKey("deploy", {
  publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ deploy@shop",
});

export const keyName = deploy.name;
