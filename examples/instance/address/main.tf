# A public address that outlasts the instance

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

resource "kcloud_instance" "web" {
  vpc_id          = kcloud_vpc.shop.id
  name            = "web"
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

# The address of floating_ip = true of an instance is created and deleted with it. This one moves to the new instance when
# the instance is replaced.
resource "kcloud_floating_ip" "web" {
  vpc_id    = kcloud_vpc.shop.id
  name      = "web"
  subnet_id = kcloud_subnet.web.id
  port_id   = kcloud_instance.web.port_id
}

output "address" {
  value = kcloud_floating_ip.web.address
}
