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

resource "kcloud_subnet" "data" {
  vpc_id = kcloud_vpc.shop.id
  name   = "data"
  cidr   = "10.0.0.0/24"
}

resource "kcloud_security_group" "data" {
  vpc_id = kcloud_vpc.shop.id
  name   = "data"
}

resource "kcloud_instance" "database" {
  vpc_id          = kcloud_vpc.shop.id
  name            = "database"
  instance_type   = "c1.small"
  subnet_id       = kcloud_subnet.data.id
  sshkey_name     = "demo-key"
  security_groups = [kcloud_security_group.data.id]

  boot_volume = {
    image_krn   = var.image_krn
    size_gb     = 20
    volume_type = "ssd"
  }
}

resource "kcloud_volume" "orders" {
  vpc_id      = kcloud_vpc.shop.id
  name        = "orders"
  size_gb     = 100
  volume_type = "ssd"
}

# An additional volume: the boot volume belongs to the instance.
resource "kcloud_volume_attachment" "orders" {
  vpc_id      = kcloud_vpc.shop.id
  volume_id   = kcloud_volume.orders.id
  instance_id = kcloud_instance.database.id
}

output "device" {
  value = kcloud_volume_attachment.orders.device
}
