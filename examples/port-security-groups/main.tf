terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
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

resource "kcloud_security_group" "audit" {
  vpc_id = kcloud_vpc.shop.id
  name   = "audit"
}

resource "kcloud_port" "web" {
  vpc_id    = kcloud_vpc.shop.id
  name      = "web"
  subnet_id = kcloud_subnet.web.id
}

# Security groups of a port that no kcloud_port of this configuration manages, such as that of an instance (port_id).
resource "kcloud_port_security_groups" "web" {
  port_id         = kcloud_port.web.id
  security_groups = [kcloud_security_group.web.id, kcloud_security_group.audit.id]
}
