# What stands there already, whoever made it.

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

# One, by its id or by what else it is known by: none or several is an error that lists what there is.
data "kcloud_vpc" "shop" {
  name       = "shop"
  depends_on = [kcloud_vpc.shop]
}

# All of a VPC, or those that are as asked for.
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
