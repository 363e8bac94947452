# What the provider calculates: no cloud is asked. Needs Terraform 1.8 or OpenTofu 1.7.

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

# For user_data_base64 of an instance: each part is told by how it begins.
output "first_start" {
  value = provider::kcloud::user_data(
    "#!/bin/sh\nsystemctl enable --now shop\n",
    "#cloud-config\npackages: [nginx]\n",
  )
}
