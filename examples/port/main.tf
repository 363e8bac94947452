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

# A port keeps its address when the instance that uses it (port_id) is replaced. The API deletes it with its subnet only.
resource "kcloud_port" "web" {
  vpc_id          = kcloud_vpc.shop.id
  name            = "web"
  subnet_id       = kcloud_subnet.web.id
  security_groups = [kcloud_security_group.web.id]
}

output "address" {
  value = kcloud_port.web.fixed_ips[0].ip_address
}
