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

resource "kcloud_port" "web" {
  vpc_id    = kcloud_vpc.shop.id
  name      = "web"
  subnet_id = kcloud_subnet.web.id
}

resource "kcloud_floating_ip" "front" {
  vpc_id    = kcloud_vpc.shop.id
  name      = "front"
  subnet_id = kcloud_subnet.web.id
  port_id   = kcloud_port.web.id # or the port_id of an instance; moves in place
}

output "address" {
  value = kcloud_floating_ip.front.address
}
