import { expect, test } from "@jest/globals";
import { cdktfFiles } from "../../../account/export/cdktf.ts";
import { projectOf } from "../../../account/export/project.ts";
import { openAccount, smallStack, textOfFiles } from "../account.ts";

test("the files of a small account", async () => {
  const { cloud, read } = await openAccount(smallStack);
  const { objects } = await read();
  const project = projectOf(cloud.session, objects);
  expect(textOfFiles(cdktfFiles(project, "vpc"))).toBe(`=== cdktf.json
{
  "language": "typescript",
  "app": "node main.ts",
  "sendCrashReports": "false"
}

=== package.json
{
  "name": "account",
  "private": true,
  "type": "module",
  "dependencies": {
    "@kcloud/iac": "^0.1.0",
    "cdktf": "^0.21.0",
    "constructs": "^10.6.0"
  },
  "devDependencies": {
    "@types/node": "^24.19.2",
    "typescript": "^5.9.3"
  }
}

=== tsconfig.json
{
  "compilerOptions": {
    "target": "es2024",
    "module": "nodenext",
    "strict": true,
    "noEmit": true,
    "skipLibCheck": true,
    "allowImportingTsExtensions": true,
    "erasableSyntaxOnly": true
  }
}

=== main.ts
import { app } from "./stack.ts";
import "./vpc-shop.ts";

app.synth();

=== stack.ts
import { KcloudProvider } from "@kcloud/iac/cdktf";
import { App, TerraformStack } from "cdktf";

export const app = new App();
export const stack = new TerraformStack(app, "account");

// Credentials are set in the environment or in a profile.
new KcloudProvider(stack, "kcloud", { region: "In-Bangalore-1" });

=== vpc-shop.ts
import { Port, SecurityGroup, Volume, Vpc } from "@kcloud/iac/cdktf";
import { stack } from "./stack.ts";
// import { SecurityGroupRule } from "@kcloud/iac/cdktf";

export const shop = new Vpc(stack, "shop", {
  name: "shop",
  primarySubnet: { name: "office", cidr: "10.0.0.0/24" },
  // The API does not show these values, and a change of one would replace the object.
  lifecycle: { ignoreChanges: ["description", "enabled", "admin_state_up", "ip_version"] },
});
shop.importFrom(
  "krn:vpc:…:vpc:…",
);

export const defaultPort = new Port(stack, "defaultPort", {
  vpcId: shop.id,
  name: "default",
  subnetId: shop.primarySubnet.id,
});
defaultPort.importFrom(
  "krn:vpc:…:vpc:…,krn:vpc:…:port:…",
);

export const staff = new SecurityGroup(stack, "staff", { vpcId: shop.id, name: "staff" });
staff.importFrom(
  "krn:vpc:…:vpc:…,krn:sg:…:sg:…",
);

// A comment, since the API does not return all values of the security group rule: direction is required; protocol is required; remoteIpPrefix is required.
// To manage it, fill in the values and remove the comment signs.
//
// export const staffSecurityGroupRule = new SecurityGroupRule(stack, "staffSecurityGroupRule", {
//   vpcId: shop.id,
//   securityGroupId: staff.id,
// });
// staffSecurityGroupRule.importFrom(
//   "krn:vpc:…:vpc:…,krn:sgr:…:sgr:…",
// );

export const data = new Volume(stack, "data", {
  vpcId: shop.id,
  name: "data",
  description: "first $\${line}\\nsecond\\n",
  sizeGb: 20,
  volumeType: "ssd",
  metadata: { "cost center": "7" },
});
data.importFrom(
  "krn:vpc:…:vpc:…,krn:kbs:…:volume:…",
);
`);
});
