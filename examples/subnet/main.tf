terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}

resource "kcloud_subnet" "database" {
  vpc_id = kcloud_vpc.shop.id
  name   = "database"
  cidr   = "10.0.1.0/24"
  egress = false
}
