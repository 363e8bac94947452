# Data volumes of an instance

terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

variable "image_krn" {
  description = "Image to boot from."
  type        = string
  default     = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101"
}

locals {
  size_gb = { orders = 100, invoices = 50 }
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}

resource "kcloud_subnet" "web" {
  vpc_id = kcloud_vpc.shop.id
  name   = "web"
  cidr   = "10.0.0.0/24"
}

resource "kcloud_security_group" "web" {
  vpc_id = kcloud_vpc.shop.id
  name   = "web"
}

resource "kcloud_instance" "database" {
  vpc_id          = kcloud_vpc.shop.id
  name            = "database"
  instance_type   = "c1.small"
  subnet_id       = kcloud_subnet.web.id
  sshkey_name     = "demo-key"
  security_groups = [kcloud_security_group.web.id]

  boot_volume = {
    image_krn   = var.image_krn
    size_gb     = 20
    volume_type = "ssd"
  }
}

resource "kcloud_volume" "data" {
  for_each = local.size_gb

  vpc_id      = kcloud_vpc.shop.id
  name        = each.key
  size_gb     = each.value
  volume_type = "ssd"

  # A volume that other tools enlarge, such as a script that runs when it is nearly full, would be an error of each plan: a
  # volume never shrinks. With ignore_changes, the size of the configuration is used for new volumes only.
  lifecycle {
    ignore_changes = [size_gb]
  }
}

resource "kcloud_volume_attachment" "data" {
  for_each = kcloud_volume.data

  vpc_id      = kcloud_vpc.shop.id
  volume_id   = each.value.id
  instance_id = kcloud_instance.database.id
}

output "devices" {
  value = { for name, attachment in kcloud_volume_attachment.data : name => attachment.device }
}
