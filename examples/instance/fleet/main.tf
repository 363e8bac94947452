# Several instances with user data from a template

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

locals {
  servers = {
    web-1 = { port = 8080 }
    web-2 = { port = 8081 }
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

resource "kcloud_instance" "web" {
  for_each = local.servers

  vpc_id          = kcloud_vpc.shop.id
  name            = each.key
  instance_type   = "c1.small"
  subnet_id       = kcloud_subnet.web.id
  sshkey_name     = "demo-key"
  security_groups = [kcloud_security_group.web.id]

  boot_volume = {
    image_krn   = var.image_krn
    size_gb     = 20
    volume_type = "ssd"
  }

  user_data = templatefile("${path.module}/user-data.sh.tftpl", {
    name = each.key
    port = each.value.port
  })

  # User data is read at the first start only, so a change of the template would replace each instance and its boot volume.
  # With ignore_changes, a changed template applies to instances that are created later, and existing ones are kept.
  lifecycle {
    ignore_changes = [user_data]
  }
}

output "addresses" {
  value = { for name, instance in kcloud_instance.web : name => instance.ip_address }
}
