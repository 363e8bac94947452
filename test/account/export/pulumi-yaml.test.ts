import { expect, test } from "@jest/globals";
import { projectOf } from "../../../account/export/project.ts";
import { pulumiYamlFiles } from "../../../account/export/pulumi-yaml.ts";
import { openAccount, smallStack, textOfFiles } from "../account.ts";

test("the files of a small account", async () => {
  const { cloud, read } = await openAccount(smallStack);
  const { objects } = await read();
  const project = projectOf(cloud.session, objects);
  expect(textOfFiles(pulumiYamlFiles(project))).toBe(`=== Pulumi.yaml
name: account
runtime: yaml
plugins:
  providers:
    - name: kcloud
      path: ./node_modules/@kcloud/iac/dist
# Credentials are set in the environment or in a profile.
config:
  kcloud:region:
    value: In-Bangalore-1
resources:
  shop:
    type: kcloud:Vpc
    properties:
      name: shop
      primarySubnet:
        name: office
        cidr: "10.0.0.0/24"
    options:
      # The API does not show these values, and a change of one would replace the object.
      ignoreChanges: [description, enabled, adminStateUp, ipVersion]
  defaultPort:
    type: kcloud:Port
    properties:
      vpcId: "\${shop.id}"
      name: default
      subnetId: "\${shop.primarySubnet.id}"
  staff:
    type: kcloud:SecurityGroup
    properties:
      vpcId: "\${shop.id}"
      name: staff
  # A comment, since the API does not return all values of the security group rule: direction is required; protocol is required; remoteIpPrefix is required.
  # To manage it, fill in the values, remove the comment signs, and import it:
  # pulumi import --generate-code=false --protect=false kcloud:index:SecurityGroupRule staffSecurityGroupRule krn:vpc:…:vpc:…,krn:sgr:…:sgr:…
  #
  # staffSecurityGroupRule:
  #   type: kcloud:SecurityGroupRule
  #   properties:
  #     vpcId: "\${shop.id}"
  #     securityGroupId: "\${staff.id}"
  data:
    type: kcloud:Volume
    properties:
      vpcId: "\${shop.id}"
      name: data
      description: "first $\${line}\\nsecond\\n"
      sizeGb: 20
      volumeType: ssd
      metadata:
        "cost center": "7"

=== package.json
{
  "name": "account",
  "private": true,
  "dependencies": {
    "@kcloud/iac": "^0.1.0"
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
`);
});
