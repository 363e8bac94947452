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

resource "kcloud_subnet" "work" {
  vpc_id = kcloud_vpc.shop.id
  name   = "work"
  cidr   = "10.0.0.0/24"
}

resource "kcloud_security_group" "work" {
  vpc_id = kcloud_vpc.shop.id
  name   = "work"
}

resource "kcloud_instance_template" "worker" {
  name            = "worker"
  vpc_id          = kcloud_vpc.shop.id
  subnet_id       = kcloud_subnet.work.id
  instance_type   = "c1.small"
  sshkey_name     = "demo-key"
  security_groups = [kcloud_security_group.work.id]

  boot_volume = {
    image_krn   = var.image_krn
    size_gb     = 20
    volume_type = "ssd"
  }
}

resource "kcloud_instance_batch" "workers" {
  vpc_id        = kcloud_vpc.shop.id
  name          = "worker" # prefix of the names of the instances
  template_id   = kcloud_instance_template.worker.id
  machine_count = 3 # a larger count adds instances, a smaller one deletes the newest
}

output "addresses" {
  value = kcloud_instance_batch.workers.instances[*].ip
}
