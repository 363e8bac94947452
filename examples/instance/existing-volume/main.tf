# Boot from an existing volume

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

# The volume is kept when the instance is replaced, as by another instance_type. A volume that this configuration does not
# manage is found by its name: data "kcloud_volume".
resource "kcloud_volume" "system" {
  vpc_id      = kcloud_vpc.shop.id
  name        = "system"
  size_gb     = 20
  volume_type = "ssd"
  source      = { type = "image", id = var.image_krn }
}

resource "kcloud_instance" "web" {
  vpc_id          = kcloud_vpc.shop.id
  name            = "web"
  instance_type   = "c1.small"
  subnet_id       = kcloud_subnet.web.id
  sshkey_name     = "demo-key"
  security_groups = [kcloud_security_group.web.id]
  volume_id       = kcloud_volume.system.id # in place of boot_volume
}

output "boot_volume_id" {
  value = kcloud_instance.web.boot_volume_id
}
