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

  boot_volume = {
    image_krn   = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101"
    size_gb     = 20
    volume_type = "ssd"
  }

  # After the create, the list of kcloud_port_security_groups counts.
  lifecycle {
    ignore_changes = [security_groups]
  }
}

resource "kcloud_port_security_groups" "web" {
  port_id         = kcloud_instance.web.port_id
  security_groups = [kcloud_security_group.web.id, kcloud_security_group.audit.id]
}
