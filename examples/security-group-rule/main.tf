terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

resource "kcloud_vpc" "shop" {
  name = "shop"
}

resource "kcloud_security_group" "web" {
  vpc_id = kcloud_vpc.shop.id
  name   = "web"
}

# Allows HTTP and HTTPS from any address.
resource "kcloud_security_group_rule" "web" {
  for_each = toset(["80", "443"])

  vpc_id            = kcloud_vpc.shop.id
  security_group_id = kcloud_security_group.web.id
  direction         = "ingress"
  protocol          = "tcp"
  port_range_min    = tonumber(each.key)
  port_range_max    = tonumber(each.key)
  remote_ip_prefix  = "0.0.0.0/0"
}

# Allows all outgoing traffic: a rule without ports covers every port.
resource "kcloud_security_group_rule" "out" {
  vpc_id            = kcloud_vpc.shop.id
  security_group_id = kcloud_security_group.web.id
  direction         = "egress"
  protocol          = "all"
  remote_ip_prefix  = "0.0.0.0/0"
}
