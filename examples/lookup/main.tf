# Data about existing objects, also of those that other tools created.

terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

data "kcloud_images" "all" {}

data "kcloud_instance_type" "small" {
  name = "c1.small"
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}

# One object, by its ID or other attributes: no match and several matches are errors that list the objects.
data "kcloud_vpc" "shop" {
  name       = "shop"
  depends_on = [kcloud_vpc.shop]
}

# All volumes of a VPC, or those with the given values.
data "kcloud_volumes" "ssd" {
  vpc_id      = data.kcloud_vpc.shop.id
  volume_type = "ssd"
}

output "first_image" {
  value = data.kcloud_images.all.images[0].id
}

output "processors" {
  value = data.kcloud_instance_type.small.cpus
}

output "ssd_gb" {
  value = sum(concat([0], data.kcloud_volumes.ssd.volumes[*].size_gb))
}
