import { expect, test } from "@jest/globals";
import { goProgram } from "../../tools/docs/program/go.ts";
import { pythonProgram } from "../../tools/docs/program/python.ts";
import { cdktfProgram, yamlProgram } from "../../tools/docs/program.ts";

/**
 * Tests the programs that pages contain, generated from HCL; `test/adapter/example` and `test/adapter/language` run those of all
 * resources.
 */

const bucket = (attributes: string): string => `resource "kcloud_bucket" "site" {
  name = "site"
${attributes}
}
`;

test("keys of maps are unchanged, names of attributes are in camel case", () => {
  const hcl = bucket('  force_destroy = true\n  tags = { cost_center = "4711" }');
  expect(yamlProgram("site", hcl)).toContain(`    properties:
      name: site
      forceDestroy: true
      tags:
        cost_center: "4711"`);
  expect(cdktfProgram("site", hcl)).toContain(
    'new Bucket(stack, "site", { name: "site", forceDestroy: true, tags: { cost_center: "4711" } });',
  );
});

test.each([
  ["a meta-argument", bucket("  count = 2")],
  ["a template", bucket('  description = "of ${path.module}"')],
  ["a function", bucket('  description = upper("site")')],
  ["a variable without a default", `variable "text" {}\n${bucket("  description = var.text")}`],
  ["an attribute that the resource lacks", bucket("  colour = 1")],
  ["an operator", bucket("  description = 1 + 1")],
])("nothing is generated from HCL with %s", (_, hcl) => {
  const programs = [yamlProgram("site", hcl), cdktfProgram("site", hcl), pythonProgram(hcl), goProgram(hcl)];
  expect(programs).toEqual([undefined, undefined, undefined, undefined]);
});

test("a resource for each text of a set is a resource each, whose name ends with the text", () => {
  const hcl = `resource "kcloud_lifecycle_rule" "old" {
  for_each        = toset(["30", "90"])
  bucket_id       = "krn"
  name            = each.key
  expiration_days = tonumber(each.value)
}
`;
  expect(yamlProgram("site", hcl)?.split("resources:\n")[1]).toBe(
    ["30", "90"]
      .map(
        (days) => `  old${days}:
    type: kcloud:LifecycleRule
    properties:
      bucketId: krn
      name: "${days}"
      expirationDays: ${days}`,
      )
      .join("\n"),
  );
  expect(yamlProgram("site", hcl.replace(/toset.*/, "{ a = 1 }"))).toBeUndefined();
});

test("a program that reads the file of the example reads its own", () => {
  const hcl = `resource "kcloud_object" "source" {
  bucket_id = "krn"
  key       = "source/main.tf"
  source    = "\${path.module}/main.tf"
}
`;
  expect(yamlProgram("site", hcl)).toContain('key: "source/Pulumi.yaml"\n      source: "Pulumi.yaml"');
  expect(pythonProgram(hcl)).toMatch(/key="source\/__main__\.py",\s+source="__main__\.py"/);
  expect(goProgram(hcl)).toContain('pulumi.String("main.go")');
  expect(cdktfProgram("site", hcl)).toBeUndefined();
});

/** Example with each form of a value: sets of values, groups, maps, lists, JSON, references to all of these, and options. */
const forms = `resource "kcloud_vpc" "pulumi" {
  name           = "a"
  ip_version     = 4
  primary_subnet = { name = "web", cidr = "10.0.0.0/24" }
  timeouts {
    create = "20m"
  }
}

data "kcloud_vpc" "type" {
  name = kcloud_vpc.pulumi.name
}

resource "kcloud_port" "web" {
  vpc_id          = data.kcloud_vpc.type.id
  name            = "web"
  subnet_id       = "krn:s:1"
  security_groups = ["krn:a:1", "krn:b:1"]
  lifecycle {
    ignore_changes = [security_groups]
  }
}

resource "kcloud_volume" "data" {
  vpc_id      = kcloud_vpc.pulumi.id
  size_gb     = 1
  volume_type = "other"
  multiattach = true
  metadata    = { size_gb = "1" }
}

resource "kcloud_account_policy" "all" {
  name       = kcloud_port.web.name
  statements = jsonencode([{ effect = "allow", own = true, resource = [kcloud_port.web.id] }])
}

data "kcloud_instance_templates" "example" {
  depends_on = [kcloud_volume.data]
}

output "templates" {
  value = data.kcloud_instance_templates.example.instance_templates[*].name
}

output "subnet" {
  value = kcloud_vpc.pulumi.primary_subnet.id
}

output "address" {
  value = kcloud_port.web.fixed_ips[0].ip_address
}
`;

test("a program in Python has the names of the SDK, and the values of closed sets by their names", () => {
  expect(pythonProgram(forms)).toBe(`import pulumi
import pulumi_kcloud as kcloud

pulumi_ = kcloud.Vpc(
    "pulumi",
    name="a",
    ip_version=kcloud.IpVersion.V4,
    primary_subnet={"name": "web", "cidr": "10.0.0.0/24"},
    opts=pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="20m")),
)

type_ = kcloud.get_vpc_output(name=pulumi_.name)

web = kcloud.Port(
    "web",
    vpc_id=type_.id,
    name="web",
    subnet_id="krn:s:1",
    security_groups=["krn:a:1", "krn:b:1"],
    opts=pulumi.ResourceOptions(ignore_changes=["security_groups"]),
)

data = kcloud.Volume(
    "data",
    vpc_id=pulumi_.id,
    size_gb=1,
    volume_type="other",
    multiattach=True,
    metadata={"size_gb": "1"},
)

kcloud.AccountPolicy(
    "all",
    name=web.name,
    statements=pulumi.Output.json_dumps(
        [{"effect": "allow", "own": True, "resource": [web.id]}],
    ),
)

instance_templates = kcloud.get_instance_templates_output(
    opts=pulumi.InvokeOutputOptions(depends_on=[data]),
)

pulumi.export("subnet", pulumi_.primary_subnet.id)
pulumi.export("address", web.fixed_ips[0].ip_address)
pulumi.export(
    "templates",
    instance_templates.instance_templates.apply(
        lambda rows: [row.name for row in rows],
    ),
)`);
});

test("a program in Go has the types of the SDK, and assigns only what it uses", () => {
  expect(goProgram(forms)).toBe(`package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"kcloud.invalid/iac/sdk/go/kcloud"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pulumi_, err := kcloud.NewVpc(ctx, "pulumi", &kcloud.VpcArgs{
			Name:      pulumi.String("a"),
			IpVersion: kcloud.IpVersionV4,
			PrimarySubnet: &kcloud.VpcPrimarySubnetArgs{
				Name: pulumi.String("web"),
				Cidr: pulumi.String("10.0.0.0/24"),
			},
		}, pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "20m"}))
		if err != nil {
			return err
		}
		type_ := kcloud.LookupVpcOutput(ctx, kcloud.LookupVpcOutputArgs{Name: pulumi_.Name})
		web, err := kcloud.NewPort(ctx, "web", &kcloud.PortArgs{
			VpcId:          type_.Id(),
			Name:           pulumi.String("web"),
			SubnetId:       pulumi.String("krn:s:1"),
			SecurityGroups: pulumi.StringArray{pulumi.String("krn:a:1"), pulumi.String("krn:b:1")},
		}, pulumi.IgnoreChanges([]string{"securityGroups"}))
		if err != nil {
			return err
		}
		data, err := kcloud.NewVolume(ctx, "data", &kcloud.VolumeArgs{
			VpcId:       pulumi_.ID(),
			SizeGb:      pulumi.Int(1),
			VolumeType:  pulumi.String("other"),
			Multiattach: pulumi.Bool(true),
			Metadata:    pulumi.StringMap{"size_gb": pulumi.String("1")},
		})
		if err != nil {
			return err
		}
		_, err = kcloud.NewAccountPolicy(ctx, "all", &kcloud.AccountPolicyArgs{
			Name: web.Name,
			Statements: pulumi.JSONMarshal([]any{
				map[string]any{"effect": "allow", "own": true, "resource": []any{web.ID()}},
			}),
		})
		if err != nil {
			return err
		}
		instanceTemplates := kcloud.GetInstanceTemplatesOutput(ctx, kcloud.GetInstanceTemplatesOutputArgs{}, pulumi.DependsOn([]pulumi.Resource{data}))
		ctx.Export("subnet", pulumi_.PrimarySubnet.Id())
		ctx.Export("address", web.FixedIps.Index(pulumi.Int(0)).IpAddress())
		ctx.Export("templates", instanceTemplates.InstanceTemplates().ApplyT(func(all []kcloud.GetInstanceTemplatesInstanceTemplate) []string {
			var values []string
			for _, each := range all {
				values = append(values, each.Name)
			}
			return values
		}))
		return nil
	})
}`);
});

test("YAML and CDKTF have no program for an example with a dependency that its inputs do not show", () => {
  const dependent = `${bucket("")}
data "kcloud_buckets" "example" {
  depends_on = [kcloud_bucket.site]
}
`;
  expect([yamlProgram("site", dependent), cdktfProgram("site", dependent)]).toEqual([undefined, undefined]);
});
