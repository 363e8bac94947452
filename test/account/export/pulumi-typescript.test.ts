import { expect, test } from "@jest/globals";
import { projectOf } from "../../../account/export/project.ts";
import { pulumiTypescriptFiles } from "../../../account/export/pulumi-typescript.ts";
import { openAccount, smallStack, textOfFiles } from "../account.ts";

test("the files of a small account", async () => {
  const { cloud, read } = await openAccount(smallStack);
  const { objects } = await read();
  const project = projectOf(cloud.session, objects);
  expect(textOfFiles(pulumiTypescriptFiles(project, "kind"))).toBe(`=== Pulumi.yaml
name: account
runtime:
  name: nodejs
  options:
    typescript: false
main: index.ts
plugins:
  providers:
    - name: kcloud
      path: ./node_modules/@kcloud/iac/dist
# Credentials are set in the environment or in a profile.
config:
  kcloud:region:
    value: In-Bangalore-1

=== package.json
{
  "name": "account",
  "private": true,
  "type": "module",
  "dependencies": {
    "@kcloud/iac": "^0.1.0",
    "@pulumi/pulumi": "^3.259.0"
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

=== import.json
{
  "resources": [
    {
      "type": "kcloud:index:Vpc",
      "name": "shop",
      "id": "krn:vpc:…:vpc:…"
    },
    {
      "type": "kcloud:index:Port",
      "name": "defaultPort",
      "id": "krn:vpc:…:vpc:…,krn:vpc:…:port:…"
    },
    {
      "type": "kcloud:index:SecurityGroup",
      "name": "staff",
      "id": "krn:vpc:…:vpc:…,krn:sg:…:sg:…"
    },
    {
      "type": "kcloud:index:Volume",
      "name": "data",
      "id": "krn:vpc:…:vpc:…,krn:kbs:…:volume:…"
    }
  ]
}

=== index.ts
import "./vpc.ts";
import "./port.ts";
import "./security-group.ts";
import "./security-group-rule.ts";
import "./volume.ts";

=== vpc.ts
import { Vpc } from "@kcloud/iac/pulumi";

export const shop = new Vpc(
  "shop",
  { name: "shop", primarySubnet: { name: "office", cidr: "10.0.0.0/24" } },
  // The API does not show these values, and a change of one would replace the object.
  { ignoreChanges: ["description", "enabled", "adminStateUp", "ipVersion"] },
);

=== port.ts
import { Port } from "@kcloud/iac/pulumi";
import { shop } from "./vpc.ts";

export const defaultPort = new Port("defaultPort", {
  vpcId: shop.id,
  name: "default",
  subnetId: shop.primarySubnet.apply((group) => group!.id),
});

=== security-group.ts
import { SecurityGroup } from "@kcloud/iac/pulumi";
import { shop } from "./vpc.ts";

export const staff = new SecurityGroup("staff", { vpcId: shop.id, name: "staff" });

=== security-group-rule.ts
// import { SecurityGroupRule } from "@kcloud/iac/pulumi";
// import { staff } from "./security-group.ts";
// import { shop } from "./vpc.ts";

// A comment, since the API does not return all values of the security group rule: direction is required; protocol is required; remoteIpPrefix is required.
// To manage it, fill in the values, remove the comment signs, and import it:
// pulumi import --generate-code=false --protect=false kcloud:index:SecurityGroupRule staffSecurityGroupRule krn:vpc:…:vpc:…,krn:sgr:…:sgr:…
//
// export const staffSecurityGroupRule = new SecurityGroupRule("staffSecurityGroupRule", {
//   vpcId: shop.id,
//   securityGroupId: staff.id,
// });

=== volume.ts
import { Volume } from "@kcloud/iac/pulumi";
import { shop } from "./vpc.ts";

export const data = new Volume("data", {
  vpcId: shop.id,
  name: "data",
  description: "first \${line}\\nsecond\\n",
  sizeGb: 20,
  volumeType: "ssd",
  metadata: { "cost center": "7" },
});
`);
});
