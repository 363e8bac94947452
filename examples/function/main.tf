# Functions send no request. Terraform 1.8, OpenTofu 1.7 and later.

terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

locals {
  range = "10.0.0.0/16"
  # 10.0.0.0/24, 10.0.1.0/24 and 10.0.16.0/20
  tiers = zipmap(["web", "data", "batch"], provider::kcloud::subnets(local.range, 24, 24, 20))
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}

resource "kcloud_subnet" "tier" {
  for_each = local.tiers
  vpc_id   = kcloud_vpc.shop.id
  name     = each.key
  cidr     = each.value
}

output "region" {
  value = provider::kcloud::parse_id(kcloud_vpc.shop.id).region
}

output "image" {
  value = provider::kcloud::build_id("vm", "In-Bangalore-1", "default", "default", "image", "1")
}

# For user_data_base64 of an instance: the first characters of a part select its type.
output "first_start" {
  value = provider::kcloud::user_data(
    "#!/bin/sh\nsystemctl enable --now shop\n",
    "#cloud-config\npackages: [nginx]\n",
  )
}
