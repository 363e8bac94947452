terraform {
  required_providers {
    kcloud = {
      source = "registry.terraform.io/kcloud/kcloud"
    }
  }
}

# Takes SERVICE_BASE_URL, SERVICE_API_KEY and SERVICE_REGION from the environment.
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

output "orders_status" {
  value = kcloud_volume.orders.status
}
