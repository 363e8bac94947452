terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

variable "image_krn" {
  description = "Image to begin with."
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

locals {
  web = {
    vpc_id          = kcloud_vpc.shop.id
    instance_type   = "c1.small"
    subnet_id       = kcloud_subnet.web.id
    sshkey_name     = "demo-key"
    security_groups = [kcloud_security_group.web.id]
  }
}

resource "kcloud_instance" "first" {
  vpc_id          = local.web.vpc_id
  name            = "first"
  instance_type   = local.web.instance_type
  subnet_id       = local.web.subnet_id
  sshkey_name     = local.web.sshkey_name
  security_groups = local.web.security_groups
  boot_volume     = { image_krn = var.image_krn, size_gb = 20, volume_type = "ssd" }
}

resource "kcloud_image" "web" {
  name        = "web"
  instance_id = kcloud_instance.first.id
  description = "Web server with its packages"
}

resource "kcloud_instance" "second" {
  vpc_id          = local.web.vpc_id
  name            = "second"
  instance_type   = local.web.instance_type
  subnet_id       = local.web.subnet_id
  sshkey_name     = local.web.sshkey_name
  security_groups = local.web.security_groups
  boot_volume     = { image_krn = kcloud_image.web.id, size_gb = 20, volume_type = "ssd" }
}
