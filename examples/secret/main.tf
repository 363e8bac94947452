# Secrets that no plan and no state contains. Terraform 1.11, OpenTofu 1.11 and later.

terraform {
  required_providers {
    kcloud = { source = "registry.terraform.io/kcloud/kcloud" }
  }
}

variable "model_api_key" {
  type      = string
  ephemeral = true
}

variable "image_krn" {
  description = "Image to boot from."
  type        = string
  default     = "krn:vm:In-Bangalore-1:default:default:image:00000000-0000-4000-8000-000000000101"
}

# A token that is valid for five minutes. The provider signs in with email and password.
ephemeral "kcloud_access_token" "first_start" {}

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
    image_krn   = var.image_krn
    size_gb     = 20
    volume_type = "ssd"
  }

  # Sent to the API and stored nowhere. A new version sends a new secret: the plan shows the effect.
  model_api_key_wo         = var.model_api_key
  model_api_key_wo_version = 1

  user_data_base64_wo = provider::kcloud::user_data(
    "#!/bin/sh\nregister-machine --token ${ephemeral.kcloud_access_token.first_start.token}\n",
  )
  user_data_base64_wo_version = 1
}
