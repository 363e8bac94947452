import { expect, test } from "@jest/globals";
import { hclFiles } from "../../../account/export/hcl.ts";
import { projectOf } from "../../../account/export/project.ts";
import { openAccount, smallStack, textOfFiles } from "../account.ts";

test("the files of a small account", async () => {
  const { cloud, read } = await openAccount(smallStack);
  const { objects } = await read();
  const project = projectOf(cloud.session, objects);
  expect(textOfFiles(hclFiles(project, "kind"))).toBe(`=== main.tf
terraform {
  required_providers {
    kcloud = {
      source = "registry.terraform.io/kcloud/kcloud"
    }
  }
}

# Credentials are set in the environment or in a profile.
provider "kcloud" {
  region = "In-Bangalore-1"
}

=== vpc.tf
import {
  to = kcloud_vpc.shop
  id = "krn:vpc:…:vpc:…"
}

resource "kcloud_vpc" "shop" {
  name = "shop"

  primary_subnet = {
    name = "office"
    cidr = "10.0.0.0/24"
  }

  # The API does not show these values, and a change of one would replace the object.
  lifecycle {
    ignore_changes = [description, enabled, admin_state_up, ip_version]
  }
}

=== port.tf
import {
  to = kcloud_port.default
  id = "krn:vpc:…:vpc:…,krn:vpc:…:port:…"
}

resource "kcloud_port" "default" {
  vpc_id    = kcloud_vpc.shop.id
  name      = "default"
  subnet_id = kcloud_vpc.shop.primary_subnet.id
}

=== security_group.tf
import {
  to = kcloud_security_group.staff
  id = "krn:vpc:…:vpc:…,krn:sg:…:sg:…"
}

resource "kcloud_security_group" "staff" {
  vpc_id = kcloud_vpc.shop.id
  name   = "staff"
}

=== security_group_rule.tf
# A comment, since the API does not return all values of the security group rule: direction is required; protocol is required; remote_ip_prefix is required.
# To manage it, fill in the values and remove the comment signs.
#
# import {
#   to = kcloud_security_group_rule.staff
#   id = "krn:vpc:…:vpc:…,krn:sgr:…:sgr:…"
# }
#
# resource "kcloud_security_group_rule" "staff" {
#   vpc_id            = kcloud_vpc.shop.id
#   security_group_id = kcloud_security_group.staff.id
# }

=== volume.tf
import {
  to = kcloud_volume.data
  id = "krn:vpc:…:vpc:…,krn:kbs:…:volume:…"
}

resource "kcloud_volume" "data" {
  vpc_id      = kcloud_vpc.shop.id
  name        = "data"
  size_gb     = 20
  volume_type = "ssd"

  description = <<EOT
first $\${line}
second
EOT

  metadata = {
    "cost center" = "7"
  }
}
`);
});
