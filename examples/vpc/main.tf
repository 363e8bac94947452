terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

# A VPC with a primary subnet, which is created and deleted with it.
resource "kcloud_vpc" "shop" {
  name        = "shop"
  description = "Everything the shop runs on"

  primary_subnet = {
    name       = "web"
    cidr       = "10.0.0.0/24"
    gateway_ip = "10.0.0.1"
  }
}

# The same VPC, read by a data source.
data "kcloud_vpc" "shop" {
  name = kcloud_vpc.shop.name
}

output "network_id" {
  value = data.kcloud_vpc.shop.network_id
}
