terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}

resource "kcloud_volume" "orders" {
  vpc_id      = kcloud_vpc.shop.id
  name        = "orders"
  size_gb     = 20
  volume_type = "ssd"
}
