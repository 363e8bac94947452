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
  description = "Orders of the shop"
  size_gb     = 20 # grows in place, never shrinks
  volume_type = "ssd"
  metadata    = { team = "orders" }

  qos = {
    iops = { read_iops_sec = 500, write_iops_sec = 500 }
  }

  timeouts {
    create = "20m"
  }

  lifecycle {
    prevent_destroy = false # if true, Terraform never deletes the volume
  }
}
