terraform {
  required_providers {
    kcloud = {
      source = "registry.terraform.io/kcloud/kcloud"
    }
  }
}

# Reads SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_REGION from the environment.
provider "kcloud" {}

variable "orders_size_gb" {
  description = "Size of the orders volume; it can grow."
  type        = number
  default     = 20
}

resource "kcloud_vpc" "shop" {
  name        = "shop"
  description = "Everything the shop runs on"

  primary_subnet = {
    name = "web"
    cidr = "10.0.0.0/24"
  }
}

resource "kcloud_subnet" "database" {
  vpc_id = kcloud_vpc.shop.id
  name   = "database"
  cidr   = "10.0.1.0/24"
}

resource "kcloud_security_group" "database" {
  vpc_id = kcloud_vpc.shop.id
  name   = "database"
}

resource "kcloud_security_group_rule" "queries" {
  vpc_id            = kcloud_vpc.shop.id
  security_group_id = kcloud_security_group.database.id
  direction         = "ingress"
  protocol          = "tcp"
  port_range_min    = 5432
  port_range_max    = 5432
  remote_ip_prefix  = "10.0.0.0/24"
}

resource "kcloud_security_group_rule" "out" {
  vpc_id            = kcloud_vpc.shop.id
  security_group_id = kcloud_security_group.database.id
  direction         = "egress"
  protocol          = "all"
  remote_ip_prefix  = "0.0.0.0/0"
}

resource "kcloud_ssh_key" "deploy" {
  name       = "deploy"
  public_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDv649RFD38FiJfVSzmkqTE5Lfkm/3FWshG5nK9YVL3+ deploy@shop"
}

resource "kcloud_instance" "database" {
  vpc_id          = kcloud_vpc.shop.id
  name            = "database"
  subnet_id       = kcloud_subnet.database.id
  instance_type   = "c1.small"
  sshkey_name     = kcloud_ssh_key.deploy.name
  security_groups = [kcloud_security_group.database.id]

  boot_volume = {
    image_krn   = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101"
    size_gb     = 10
    volume_type = "ssd"
  }
}

resource "kcloud_volume" "orders" {
  vpc_id      = kcloud_vpc.shop.id
  name        = "orders"
  size_gb     = var.orders_size_gb
  volume_type = "ssd"
  metadata    = { team = "orders" }
}

output "vpc_id" {
  value = kcloud_vpc.shop.id
}

output "network_name" {
  value = kcloud_vpc.shop.network_name
}

output "database_subnet" {
  value = kcloud_subnet.database.id
}

output "database_address" {
  value = kcloud_instance.database.ip_address
}

output "orders_status" {
  value = kcloud_volume.orders.status
}
