terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}

resource "kcloud_security_group" "web" {
  vpc_id      = kcloud_vpc.shop.id
  name        = "web"
  description = "What the web servers take"
}
