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

resource "kcloud_ssh_key" "deploy" {
  name       = "deploy"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ deploy@shop"
}

resource "kcloud_instance" "web" {
  vpc_id          = kcloud_vpc.shop.id
  name            = "web"
  instance_type   = "c1.small"
  subnet_id       = kcloud_subnet.web.id
  sshkey_name     = kcloud_ssh_key.deploy.name
  security_groups = [kcloud_security_group.web.id]
  floating_ip     = true
  power_state     = "running" # or "stopped"; unset leaves it unchanged

  boot_volume = {
    image_krn   = var.image_krn
    size_gb     = 20
    volume_type = "ssd"
  }

  user_data = <<-EOT
    #!/bin/sh
    systemctl enable --now shop
  EOT

  restart_when_changed = { release = "1" }
}

output "address" {
  value = kcloud_instance.web.floating_ip_address
}
